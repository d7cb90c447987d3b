// Which tables and relations a diagram shows, which rows each table has in it, and their sizes.
import type { DiagramColumn, DiagramTable, Relation, SchemaDiagram } from '#shared/protocol/index.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface NodeRow {
  readonly column: DiagramColumn;
  readonly key: 'primary' | 'foreign' | 'both' | 'likely' | null;
}

export interface GraphNode extends Size {
  readonly name: string;
  readonly kind: DiagramTable['kind'];
  readonly rows: readonly NodeRow[];
  /** Columns that are left out. */
  readonly hidden: number;
  /** Whether there is a line to show more or fewer. */
  readonly folds: boolean;
}

export interface GraphEdge {
  readonly id: string;
  readonly relation: Relation;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  /** Both ends are among the nodes. */
  readonly edges: readonly GraphEdge[];
}

export interface GraphChoice {
  readonly table: string | null;
  readonly steps: 1 | 2;
  readonly likely: boolean;
  readonly views: boolean;
  readonly expanded: readonly string[];
}

/** Width in pixels of a text in the diagram's font. */
export type MeasureText = (text: string, bold: boolean) => number;

export const HEADER_HEIGHT = 28;
export const ROW_HEIGHT = 20;
const PADDING_BOTTOM = 6;
export const NAME_X = 34;
const MIN_WIDTH = 140;
const MAX_WIDTH = 340;
/** Space between a name and a type, and to the right of the type. */
const GAPS = 30;
export const NOT_NULL_WIDTH = 22;
/** A table with more columns shows only its key columns until it is expanded. */
export const MAX_ROWS = 24;

export const relationId = ({ table, columns, target, targetColumns, origin }: Relation): string =>
  JSON.stringify([table, columns, target, targetColumns, origin]);

export function buildGraph(diagram: SchemaDiagram, choice: GraphChoice, measure: MeasureText): Graph {
  const shown = shownTables(diagram, choice);
  const relations = diagram.relations.filter(
    ({ table, target, origin }) => shown.has(table) && shown.has(target) && (choice.likely || origin === 'declared'),
  );
  const keyed = foreignColumns(relations, diagram.relations, shown);
  const expanded = new Set(choice.expanded);
  const tables = diagram.tables.filter(({ name }) => shown.has(name));
  const ids = new Map<string, number>();
  return {
    nodes: tables.map((table) => nodeOf(table, keyed.get(table.name), expanded.has(table.name), measure)),
    edges: relations.map((relation) => {
      // The same key may be declared twice.
      const id = relationId(relation);
      const times = ids.get(id) ?? 0;
      ids.set(id, times + 1);
      return { id: times === 0 ? id : `${id} ${times}`, relation };
    }),
  };
}

function shownTables({ tables, relations }: SchemaDiagram, choice: GraphChoice): ReadonlySet<string> {
  const eligible = new Set(
    tables.filter(({ kind, name }) => choice.views || kind !== 'view' || name === choice.table).map(({ name }) => name),
  );
  const start = tables.find(({ name }) => name.toLowerCase() === choice.table?.toLowerCase())?.name;
  if (choice.table === null) return eligible;
  if (start === undefined) return new Set();
  const near = new Set([start]);
  for (let step = 0; step < choice.steps; step++) {
    const reached = relations
      .filter(({ origin }) => choice.likely || origin === 'declared')
      .flatMap(({ table, target }) => (near.has(table) ? [target] : near.has(target) ? [table] : []));
    for (const name of reached) if (eligible.has(name)) near.add(name);
  }
  return near;
}

type KeyedColumns = ReadonlyMap<string, 'foreign' | 'likely'>;

/** Keys to tables outside the picture count as keys too; likely ones only if they are shown. */
function foreignColumns(
  drawn: readonly Relation[],
  all: readonly Relation[],
  shown: ReadonlySet<string>,
): ReadonlyMap<string, KeyedColumns> {
  const found = new Map<string, Map<string, 'foreign' | 'likely'>>();
  const note = ({ table, columns }: Relation, key: 'foreign' | 'likely'): void => {
    const own = found.get(table) ?? new Map<string, 'foreign' | 'likely'>();
    found.set(table, own);
    for (const column of columns) if (own.get(column) !== 'foreign') own.set(column, key);
  };
  for (const relation of all)
    if (relation.origin === 'declared' && shown.has(relation.table)) note(relation, 'foreign');
  for (const relation of drawn) if (relation.origin === 'likely') note(relation, 'likely');
  return found;
}

function nodeOf(
  { name, kind, columns }: DiagramTable,
  keyed: KeyedColumns | undefined,
  isExpanded: boolean,
  measure: MeasureText,
): GraphNode {
  const all = columns.map((column): NodeRow => ({ column, key: keyOf(column, keyed?.get(column.name)) }));
  const folds = all.length > MAX_ROWS;
  const keys = all.filter(({ key }) => key !== null).slice(0, MAX_ROWS);
  const rows = !folds || isExpanded ? all : keys.length > 0 ? keys : all.slice(0, MAX_ROWS);
  const widest = rows.reduce(
    (width, { column, key }) =>
      Math.max(
        width,
        NAME_X + measure(column.name, isBold(key)) + measure(column.declaredType, false) + GAPS + NOT_NULL_WIDTH,
      ),
    measure(name, true) + 44,
  );
  return {
    name,
    kind,
    rows,
    hidden: all.length - rows.length,
    folds,
    width: Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, widest))),
    height: HEADER_HEIGHT + (rows.length + (folds ? 1 : 0)) * ROW_HEIGHT + PADDING_BOTTOM,
  };
}

export const isBold = (key: NodeRow['key']): boolean => key === 'primary' || key === 'both';

function keyOf({ primaryKeyIndex }: DiagramColumn, foreign: 'foreign' | 'likely' | undefined): NodeRow['key'] {
  if (primaryKeyIndex === 0) return foreign ?? null;
  return foreign === 'foreign' ? 'both' : 'primary';
}

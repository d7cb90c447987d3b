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
  /** Tables that are left out, because there are more than can be laid out at once. */
  readonly left: number;
}

export interface GraphChoice {
  readonly table: string | null;
  readonly steps: 1 | 2;
  readonly likely: boolean;
  readonly views: boolean;
  readonly expanded: readonly string[];
  /** Where there are too many tables: the one whose surroundings are shown; null: the one with the most relations. */
  readonly around: string | null;
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
/** Most tables of one picture: more take seconds to lay out, and nobody could read them. */
export const MAX_TABLES = 200;

export const relationId = ({ table, columns, target, targetColumns, origin }: Relation): string =>
  JSON.stringify([table, columns, target, targetColumns, origin]);

export function buildGraph(diagram: SchemaDiagram, choice: GraphChoice, measure: MeasureText): Graph {
  const { shown, left } = shownTables(diagram, choice);
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
    left,
  };
}

interface Shown {
  readonly shown: ReadonlySet<string>;
  readonly left: number;
}

function shownTables({ tables, relations }: SchemaDiagram, choice: GraphChoice): Shown {
  const eligible = new Set(
    tables.filter(({ kind, name }) => choice.views || kind !== 'view' || name === choice.table).map(({ name }) => name),
  );
  const named = (wanted: string | null): string | null =>
    tables.find(({ name }) => eligible.has(name) && name.toLowerCase() === wanted?.toLowerCase())?.name ?? null;
  if (choice.table === null && eligible.size <= MAX_TABLES) return { shown: eligible, left: 0 };
  const neighbors = neighborsOf(relations, eligible, choice.likely);
  const start = named(choice.table ?? choice.around);
  if (choice.table !== null) {
    const near = start === null ? [] : within(neighbors, start, choice.steps);
    return { shown: new Set(near.slice(0, MAX_TABLES)), left: Math.max(0, near.length - MAX_TABLES) };
  }
  const near = within(neighbors, start ?? mostRelated(neighbors) ?? [...eligible][0]!, Infinity).slice(0, MAX_TABLES);
  return { shown: new Set(near), left: eligible.size - near.length };
}

type Neighbors = ReadonlyMap<string, ReadonlySet<string>>;

function neighborsOf(relations: readonly Relation[], eligible: ReadonlySet<string>, likely: boolean): Neighbors {
  const neighbors = new Map<string, Set<string>>();
  const note = (one: string, other: string): void => {
    const known = neighbors.get(one);
    if (known) known.add(other);
    else neighbors.set(one, new Set([other]));
  };
  for (const { table, target, origin } of relations) {
    if (!eligible.has(table) || !eligible.has(target) || (!likely && origin !== 'declared')) continue;
    note(table, target);
    note(target, table);
  }
  return neighbors;
}

/** Tables that so many steps lead to, the nearest first. */
function within(neighbors: Neighbors, start: string, steps: number): readonly string[] {
  const near = new Set([start]);
  let last = [start];
  for (let step = 0; step < steps && last.length > 0; step++) {
    const reached = last.flatMap((name) => [...(neighbors.get(name) ?? [])]);
    last = [...new Set(reached)].filter((name) => !near.has(name));
    for (const name of last) near.add(name);
  }
  return [...near];
}

const mostRelated = (neighbors: Neighbors): string | null =>
  [...neighbors].reduce<readonly [string | null, number]>(
    (best, [name, others]) => (others.size > best[1] ? [name, others.size] : best),
    [null, 0],
  )[0];

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

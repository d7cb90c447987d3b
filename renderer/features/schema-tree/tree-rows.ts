// The objects of a schema as a flat list of rows for the tree: grouped, filtered, folded.
import { groupBy } from '#shared/group-by.ts';
import type { DatabaseId, SchemaObject, SchemaSnapshot, TableColumns, AttachedState } from '#shared/protocol/index.ts';

export type TreeRow =
  | { readonly kind: 'heading'; readonly group: GroupName; readonly count: number; readonly folded: boolean }
  | {
      readonly kind: 'object';
      readonly object: SchemaObject;
      readonly depth: number;
      /** Whether its shadow tables are shown; null when it has none. */
      readonly unfolded: boolean | null;
      /** The attached file that it is in. */
      readonly attached?: AttachedState;
    }
  /** `count`: null if its objects are not known, as of a file that the user has closed. */
  | {
      readonly kind: 'attached';
      readonly attached: AttachedState;
      readonly count: number | null;
      readonly folded: boolean;
    }
  /** Why an attached file cannot be read now. */
  | { readonly kind: 'note'; readonly attached: AttachedState; readonly text: string }
  /** A column that matches the filter, below its table. */
  | { readonly kind: 'column'; readonly object: SchemaObject; readonly column: string };

export type GroupName = 'Tables' | 'Views' | 'Virtual tables' | 'Indexes' | 'Triggers';

export interface TreeOptions {
  readonly filter: string;
  readonly columns: readonly Pick<TableColumns, 'table' | 'columns'>[] | null;
  /** Headings that are folded and virtual tables that are unfolded, by name. */
  readonly folded: ReadonlySet<string>;
  readonly unfolded: ReadonlySet<string>;
  /** Attached files with their objects; no objects if they are not known. */
  readonly attached?: readonly AttachedObjects[];
}

export interface AttachedObjects {
  readonly attached: AttachedState;
  readonly objects: readonly SchemaObject[] | null;
}

const GROUPS: readonly (readonly [GroupName, SchemaObject['kind']])[] = [
  ['Tables', 'table'],
  ['Views', 'view'],
  ['Virtual tables', 'virtual'],
  ['Indexes', 'index'],
  ['Triggers', 'trigger'],
];
const COLUMNS_SHOWN = 8;

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export function treeRows(
  { objects }: SchemaSnapshot,
  { filter, columns, folded, unfolded, attached = [] }: TreeOptions,
): readonly TreeRow[] {
  const wanted = filter.trim().toLowerCase();
  const columnsOf = new Map(wanted ? columns?.map(({ table, columns: names }) => [table, names]) : []);
  const shadows = groupBy(
    objects.filter(({ kind }) => kind === 'shadow'),
    ({ tableName }) => tableName,
  );
  const matches = (name: string): boolean => name.toLowerCase().includes(wanted);

  /** Enter opens the first row: names that begin with the text come first, then other names, then objects with only such a column. */
  const rank = ({ name }: SchemaObject): number => (name.toLowerCase().startsWith(wanted) ? 0 : matches(name) ? 1 : 2);

  const rowsOf = (object: SchemaObject): TreeRow[] => {
    const own = shadows.get(object.name) ?? [];
    const shownShadows = wanted ? own.filter(({ name }) => matches(name)) : unfolded.has(object.name) ? own : [];
    const shownColumns = wanted ? (columnsOf.get(object.name) ?? []).filter(matches).slice(0, COLUMNS_SHOWN) : [];
    if (wanted && !matches(object.name) && shownShadows.length === 0 && shownColumns.length === 0) return [];
    return [
      { kind: 'object', object, depth: 0, unfolded: own.length > 0 ? shownShadows.length > 0 : null },
      ...shownColumns.map((column): TreeRow => ({ kind: 'column', object, column })),
      ...shownShadows.map((shadow): TreeRow => ({ kind: 'object', object: shadow, depth: 1, unfolded: null })),
    ];
  };

  const own = GROUPS.flatMap(([group, kind]) => {
    // Automatic indexes have no SQL and no use here: they exist only with their constraint.
    const members = objects.filter((object) => object.kind === kind && !(kind === 'index' && object.sql === null));
    const rows = members.sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name)).flatMap(rowsOf);
    if (rows.length === 0) return [];
    const isFolded = !wanted && folded.has(group);
    const count = rows.filter((row) => row.kind === 'object' && row.depth === 0).length;
    return [{ kind: 'heading', group, count, folded: isFolded } satisfies TreeRow, ...(isFolded ? [] : rows)];
  });
  return [...own, ...attached.flatMap((each) => attachedRows(each, wanted, folded))];
}

/** What SQL reads as `name.table`: first the tables, then the views. */
function attachedRows(
  { attached, objects }: AttachedObjects,
  wanted: string,
  folded: ReadonlySet<string>,
): readonly TreeRow[] {
  const { name, file, why } = attached;
  const rank = ({ kind }: SchemaObject): number => (kind === 'view' ? 1 : 0);
  const readable = (objects ?? [])
    .filter(({ kind }) => kind === 'table' || kind === 'view' || kind === 'virtual')
    .filter((object) => object.name.toLowerCase().includes(wanted))
    .sort((a, b) => rank(a) - rank(b) || byName.compare(a.name, b.name));
  if (wanted && readable.length === 0 && !name.toLowerCase().includes(wanted)) return [];
  const isFolded = !wanted && folded.has(file);
  const rows = readable.map((object): TreeRow => ({ kind: 'object', object, depth: 0, unfolded: null, attached }));
  const notes: readonly TreeRow[] = why === null ? [] : [{ kind: 'note', attached, text: why }];
  const count = objects === null ? null : rows.length;
  const heading: TreeRow = {
    kind: 'attached',
    attached,
    count,
    folded: isFolded || (objects === null && why === null),
  };
  return [heading, ...(isFolded ? [] : [...notes, ...rows])];
}

/** The database that a row belongs to: the tables of an attached file are shown as those of the file itself. */
export const ownerOf = (row: TreeRow | undefined, database: DatabaseId): DatabaseId =>
  (row && 'attached' in row ? row.attached?.file : undefined) ?? database;

export function rowKey(row: TreeRow): string {
  if (row.kind === 'heading') return `heading ${row.group}`;
  if (row.kind === 'attached' || row.kind === 'note') return `${row.kind} ${row.attached.file}`;
  if (row.kind === 'object' && row.attached) return `${row.attached.file} ${row.object.name}`;
  return row.kind === 'column' ? `column ${row.object.name} ${row.column}` : `${row.object.kind} ${row.object.name}`;
}

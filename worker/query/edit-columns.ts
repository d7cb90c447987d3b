// Result columns that can be edited: those of a table that the query reads exactly once, if the key of its rows is in the result too.
// SQLite says which table column a value is from, but not from which row: `a.id` and `b.name` of a self-join both say the same table.
import { primaryKeyOf } from '#shared/primary-key.ts';
import type { EditableColumn } from '#shared/protocol/edit.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { Column } from '#shared/protocol/schema.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { foldName } from '#shared/ddl/names.ts';
import { sourcesOf, type QuerySources } from '../sql/source-names.ts';
import { describeTable, keyNames, type TableShape } from '../schema/table-shape.ts';
import { uniqueKeysOf } from '../schema/unique-keys.ts';

const NOT_A_SELECT = 'Only rows of a single SELECT can be edited here.';
const COMPUTED = 'This column is computed, or is from a temporary or attached table, so there is no value to change.';
const COMPOUND =
  'The query combines several SELECTs with UNION, INTERSECT, or EXCEPT, so Sidelite can’t tell which table a row is from.';

/** Key for edits of the columns from one table, or why there are none. */
type TableEdits = { readonly key: readonly number[]; readonly by: readonly string[] | null } | { readonly why: string };

/** @param sql of the result; null if it is not a single SELECT */
export function editableColumns(
  connection: Connection,
  sql: string | null,
  columns: readonly ResultColumn[],
): readonly EditableColumn[] {
  if (sql === null) return columns.map(() => ({ why: NOT_A_SELECT }));
  const sources = sourcesOf(sql);
  const known = new Map<string, TableEdits & { readonly shape: TableShape | null }>();
  const editsOf = (table: string) => {
    const edits = known.get(table) ?? tableEdits(connection, table, sql, sources, columns);
    known.set(table, edits);
    return edits;
  };
  return columns.map(({ origin }) => {
    if (!origin) return { why: COMPUTED };
    const edits = editsOf(origin.table);
    if ('why' in edits) return { why: edits.why };
    const column = edits.shape?.columns.find(({ name }) => name === origin.column);
    if (!edits.shape || !column) return { why: 'This is the row id, which cannot be edited here.' };
    if (column.generated !== 'no')
      return { why: `${column.name} is a generated column: SQLite computes it from other columns.` };
    const { name, strict } = edits.shape;
    const { key, by } = edits;
    return { table: name, column: withSettableKey(column, edits.shape), strict, key, by };
  });
}

function withSettableKey(column: Column, { columns }: TableShape): Column {
  const isFixed = (from: string): boolean =>
    columns.some(({ name, generated }) => foldName(name) === foldName(from) && generated !== 'no');
  return column.references?.columns.some(({ from }) => isFixed(from)) ? { ...column, references: null } : column;
}

function tableEdits(
  connection: Connection,
  table: string,
  sql: string,
  sources: QuerySources,
  columns: readonly ResultColumn[],
): TableEdits & { readonly shape: TableShape | null } {
  const why = whyNotOneRow(connection, table, sql, sources);
  if (why !== null) return { why, shape: null };
  const shape = describeTable(connection, table);
  return { ...keyIn(connection, shape, columns), shape };
}

/** A sentence why a row of the result need not be one row of the table, or null. */
function whyNotOneRow(connection: Connection, table: string, sql: string, sources: QuerySources): string | null {
  if (sources.isCompound) return COMPOUND;
  const count = sources.counts.get(foldName(table)) ?? 0;
  if (count > 1)
    return `The query reads “${table}” more than once, so Sidelite can’t tell which of its rows this value is from.`;
  const twice = [...sources.expressions].find((name) => (sources.counts.get(name) ?? 0) > 1);
  if (twice !== undefined)
    return `The query reads “${twice}” more than once, so Sidelite can’t tell which row this value is from.`;
  const view = viewsIn(connection, sql).find((name) =>
    readsOf(connection, `SELECT * FROM main.${quoteName(name)}`).includes(table),
  );
  if (view !== undefined)
    return `This value is read through the view “${view}”. Edit it in “${table}”, or select from the table itself.`;
  return count === 1 ? null : `Sidelite can’t tell where the query reads “${table}”. Edit the value in the table.`;
}

function viewsIn(connection: Connection, sql: string): readonly string[] {
  const views = new Set(
    connection.all("SELECT name FROM sqlite_schema WHERE type = 'view'").map(([name]) => String(name)),
  );
  return readsOf(connection, sql).filter((name) => views.has(name));
}

function readsOf(connection: Connection, sql: string): readonly string[] {
  const statement = connection.prepare(sql);
  try {
    return statement.readTables;
  } finally {
    statement.finalize();
  }
}

/** The packed columns that name a row of the table: its own key, or else a unique key, which a row is found by. */
function keyIn(connection: Connection, shape: TableShape, columns: readonly ResultColumn[]): TableEdits {
  if (shape.key.kind === 'none') return { why: shape.key.why };
  const place = (name: string): number =>
    columns.findIndex(({ origin }) => origin?.table === shape.name && origin.column === name);
  const placesOf = (names: readonly string[]): readonly number[] | null => {
    const places = names.map(place);
    return places.length > 0 && places.every((each) => each >= 0) ? places : null;
  };
  // SQLite calls the row id by its INTEGER PRIMARY KEY if there is one, and `rowid` otherwise.
  const hidesRowid = shape.columns.some(({ name }) => foldName(name) === 'rowid');
  const rowidName = shape.rowidColumn ?? (hidesRowid ? null : 'rowid');
  const own = shape.key.kind === 'rowid' ? (rowidName === null ? [] : [rowidName]) : keyNames(shape.key);
  const places = placesOf(own);
  if (places) return { key: places, by: null };
  const unique = shape.key.kind === 'rowid' ? otherKeys(connection, shape) : [];
  for (const by of unique) {
    const found = placesOf(by);
    if (found) return { key: found, by };
  }
  const wanted = [shape.rowidColumn, ...keyNames(shape.key)].find((name) => name !== null) ?? 'rowid';
  const names = shape.key.kind === 'primary-key' ? own : [unique[0]?.join(', ') ?? wanted];
  return {
    why: `The key of “${shape.name}” is not in the result. Add ${names.join(', ')} to the SELECT to edit this column.`,
  };
}

/** The declared primary key of a table that has a row id beside it, and its unique indexes. */
function otherKeys(connection: Connection, shape: TableShape): readonly (readonly string[])[] {
  const primary = primaryKeyOf(shape.columns).map(({ name }) => name);
  const others = uniqueKeysOf(connection, shape.name).map(({ columns }) => columns);
  return primary.length > 0 && shape.rowidColumn === null ? [primary, ...others] : others;
}

/**
 * The key that edits use of the row with these values in the columns of a unique key; null if there is none.
 *
 * @throws AppError `not-found`, `invalid`
 */
export function findKey(
  connection: Connection,
  table: string,
  by: readonly string[],
  values: readonly Value[],
): readonly Value[] | null {
  const shape = describeTable(connection, table);
  if (shape.key.kind === 'none') fail('invalid', shape.key.why);
  const missing = by.find((name) => !shape.columns.some((column) => column.name === name));
  if (missing !== undefined) fail('not-found', `“${shape.name}” has no column “${missing}”.`);
  // The first comparison can use the index, the second one requires exactly the same text.
  const conditions = by.map((name) => `${quoteName(name)} = ? AND ${quoteName(name)} = ? COLLATE BINARY`);
  const params = values.flatMap((value) => [value, value]);
  const sql = `SELECT ${quoteNames(keyNames(shape.key))} FROM main.${quoteName(shape.name)} WHERE ${conditions.join(' AND ')} LIMIT 2`;
  const rows = connection.all(sql, params);
  return rows.length === 1 ? rows[0]! : null;
}

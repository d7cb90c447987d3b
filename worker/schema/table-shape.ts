// The columns, kind, and row key of a table. Read from SQLite on each request.
import { AppError } from '#shared/protocol/errors.ts';
import { foldName } from '#shared/ddl/names.ts';
import type { Column, ForeignKey, ObjectKind } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import { findTable, type ListedTable } from '../engines/table-list.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { unknownCollations } from './declared-collations.ts';
import { withoutGenerated } from './schema-objects.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';

export interface KeyColumn {
  readonly name: string;
  readonly descending: boolean;
  /** Collation of the primary key's index; it may differ from the column's own. */
  readonly collation: string;
}

export type RowKeyShape =
  /** `name` reaches the rowid: an alias no column hides, or the INTEGER PRIMARY KEY column. */
  | { readonly kind: 'rowid'; readonly name: string }
  | { readonly kind: 'primary-key'; readonly columns: readonly KeyColumn[] }
  | { readonly kind: 'none'; readonly why: string };

export interface TableShape {
  /** Declared name, regardless of the case requested. */
  readonly name: string;
  readonly kind: ObjectKind;
  /** In declared order, including generated ones, excluding hidden ones of virtual tables. */
  readonly columns: readonly Column[];
  readonly withoutRowid: boolean;
  readonly strict: boolean;
  readonly key: RowKeyShape;
  /** The INTEGER PRIMARY KEY column: another name of the rowid. */
  readonly rowidColumn: string | null;
}

/** A row of `pragma_table_xinfo`. */
export type ColumnRow = readonly [
  name: string,
  type: string,
  notNull: number,
  defaultSql: string | null,
  primaryKeyIndex: number,
  hidden: number,
];
/** A row of `pragma_foreign_key_list`. */
export type ForeignKeyRow = readonly [id: number, from: string, table: string, to: string | null];

/** What SQLite says about a table. */
interface TableFacts {
  readonly listed: ListedTable;
  readonly columns: readonly ColumnRow[];
  /** Last declared first. */
  readonly foreignKeys: readonly ForeignKeyRow[];
  readonly unknownCollations: ReadonlyMap<string, string>;
  /** Name of the index that SQLite made for it. */
  readonly primaryKeyIndex: string | null;
}

export const COLUMN_PARTS = 'c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden';
/**
 * The table of a key `f`, not a view: keys can name anything, and a view would be prepared for its columns. SQLite keeps the list of tables for
 * all keys of a statement.
 */
export const REFERRED_TABLE = `CASE WHEN f."table" COLLATE NOCASE IN (SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0) THEN f."table" END`;
/** A key that names no columns means the primary key (sqlite.org/foreignkeys.html). */
export const FOREIGN_KEY_PARTS = `f.id, f."from", f."table", coalesce(f."to", (SELECT name FROM temp.pragma_table_info(${REFERRED_TABLE}) WHERE pk = f.seq + 1))`;

/** @throws AppError `not-found`, or `sql` when a view or virtual table is broken */
export function describeTable(connection: Connection, table: string): TableShape {
  const listed = findTable(connection, table);
  if (listed === null) throw noTable(table);
  return shapeOf(connection, factsOf(connection, listed));
}

export const noTable = (table: string): AppError =>
  AppError.notFound(`There is no table or view “${table}” in this database.`);

export function factsOf(connection: Connection, listed: ListedTable): TableFacts {
  const { name } = listed;
  const foreignKeys = connection.all(
    `SELECT ${FOREIGN_KEY_PARTS} FROM temp.pragma_foreign_key_list(?) f ORDER BY f.id DESC, f.seq`,
    [name],
  ) as readonly ForeignKeyRow[];
  const unknown = unknownCollations(connection, name);
  const columns = connection.all(
    `SELECT ${COLUMN_PARTS} FROM temp.pragma_table_xinfo(?) c WHERE c.hidden <> 1 ORDER BY c.cid`,
    [name],
  ) as readonly ColumnRow[];
  const primaryKeyIndex = connection.one("SELECT name FROM temp.pragma_index_list(?) WHERE origin = 'pk'", [name]);
  return {
    listed,
    columns,
    foreignKeys,
    unknownCollations: unknown,
    primaryKeyIndex: primaryKeyIndex === null ? null : (primaryKeyIndex[0] as string),
  };
}

/** @throws AppError `sql` when a view or virtual table is broken */
export function shapeOf(connection: Connection, facts: TableFacts): TableShape {
  const { name, kind, withoutRowid, strict } = facts.listed;
  const columns = columnsOf(facts);
  // A broken view has no columns in the pragma; preparing it says why.
  if (columns.length === 0) connection.prepare(`SELECT * FROM main.${quoteName(name)} LIMIT 0`).finalize();
  const rowidColumn = withoutRowid ? null : integerPrimaryKey(facts, columns);
  const shape = { name, kind, columns, withoutRowid, strict, rowidColumn };
  return { ...shape, key: keyOf(connection, shape, facts.primaryKeyIndex) };
}

function columnsOf({ columns, foreignKeys, unknownCollations: unknown }: TableFacts): Column[] {
  const references = referencesOf(foreignKeys);
  return columns.map(([name, type, notNull, defaultSql, pk, hidden]) => ({
    name,
    declaredType: hidden > 1 ? withoutGenerated(type) : type,
    notNull: notNull === 1,
    defaultSql,
    primaryKeyIndex: pk,
    generated: hidden === 2 ? 'virtual' : hidden === 3 ? 'stored' : 'no',
    references: references.get(name.toLowerCase()) ?? null,
    ...(unknown.has(foldName(name)) && { unknownCollation: unknown.get(foldName(name))! }),
  }));
}

/** Foreign keys by lower-case column. */
function referencesOf(rows: readonly ForeignKeyRow[]): ReadonlyMap<string, ForeignKey> {
  const keys = new Map<number, { table: string; columns: { from: string; to: string | null }[] }>();
  const found = new Map<string, ForeignKey>();
  for (const [id, from, parent, to] of rows) {
    const key = keys.get(id) ?? { table: parent, columns: [] };
    keys.set(id, key);
    key.columns.push({ from, to });
    if (!found.has(from.toLowerCase())) found.set(from.toLowerCase(), key);
  }
  return found;
}

/** A lone INTEGER primary key is the rowid itself exactly when SQLite made no index for it (sqlite.org/lang_createtable.html#rowid). */
function integerPrimaryKey(
  { listed: { kind }, primaryKeyIndex }: TableFacts,
  columns: readonly Column[],
): string | null {
  const keys = columns.filter((column) => column.primaryKeyIndex > 0);
  if (kind === 'view' || kind === 'virtual' || keys.length !== 1) return null;
  return primaryKeyIndex === null ? keys[0]!.name : null;
}

function keyOf(connection: Connection, shape: Omit<TableShape, 'key'>, primaryKeyIndex: string | null): RowKeyShape {
  if (shape.kind === 'view')
    return { kind: 'none', why: 'Rows of a view cannot be edited. Edit them in the tables it reads from.' };
  if (shape.withoutRowid) return { kind: 'primary-key', columns: keyColumns(connection, primaryKeyIndex) };
  const taken = new Set(shape.columns.map((column) => column.name.toLowerCase()));
  const name = ['rowid', '_rowid_', 'oid'].find((alias) => !taken.has(alias)) ?? shape.rowidColumn;
  if (name === null) {
    return {
      kind: 'none',
      why: 'Columns named rowid, _rowid_, and oid hide the row id of this table, so its rows cannot be identified for editing.',
    };
  }
  return { kind: 'rowid', name };
}

function keyColumns(connection: Connection, index: string | null): KeyColumn[] {
  const rows = connection.all(
    'SELECT name, "desc", coll FROM temp.pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno',
    [index],
  );
  return (rows as [string, number, string][]).map(([name, descending, collation]) => ({
    name,
    descending: descending === 1,
    collation,
  }));
}

/** SQLITE_MAX_COLUMN of a result: a table with so many leaves no room for the row id beside them. */
export const MAX_RESULT_COLUMNS = 2000;

/** Whether pages carry the row id as a separate column, before those of the table. */
export function leadsWithRowid(shape: TableShape): boolean {
  return shape.key.kind === 'rowid' && shape.columns.length < MAX_RESULT_COLUMNS;
}

/** A column as an operand of comparisons and sorts, which its collation must not keep from working. */
export function comparedColumn({ name, unknownCollation }: Column): string {
  return unknownCollation === undefined ? quoteName(name) : `${quoteName(name)} COLLATE BINARY`;
}

/** The names under which a row's key is selected, in packed order. */
export function keyNames(key: RowKeyShape): readonly string[] {
  if (key.kind === 'rowid') return [key.name];
  return key.kind === 'primary-key' ? key.columns.map((column) => column.name) : [];
}

/** `a = ? AND b = ?` for the row with a given key; its parameters are the key. */
export function keyCondition(key: RowKeyShape): string {
  if (key.kind === 'primary-key') {
    return key.columns
      .map((column) => `${quoteName(column.name)} = ? COLLATE ${quoteName(column.collation)}`)
      .join(' AND ');
  }
  return `${quoteNames(keyNames(key))} = ?`;
}

/** The rows of a full-text table have no other key than their row id. */
export const isFullText = (connection: Connection, name: string): boolean =>
  /^fts[345]$/i.test(virtualTable(connection, name)?.module.name ?? '');

/** Null for a statement that is not understood. */
export function virtualTable(connection: Connection, name: string) {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]);
  const model = parseObject(String(row?.[0] ?? ''));
  return model.understood && model.kind === 'virtual' ? model : null;
}

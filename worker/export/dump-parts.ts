// A database, or some of its tables, as SQL that any SQLite reads: definitions in an order in which they work, rows with their row ids,
// full-text indexes rebuilt.
import { asStatement } from '#shared/ddl/definition-statement.ts';
import { foldName } from '#shared/ddl/names.ts';
import type { TablesSource } from '#shared/protocol/export.ts';
import type { Connection, TableRows } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { isUtf8, rowsInOrder } from '../schema/row-order.ts';
import { MAX_RESULT_COLUMNS, type TableShape } from '../schema/table-shape.ts';
import { TableShapes } from '../schema/table-shapes.ts';
import { splitStatements } from '#shared/split-statements.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { keySlicesOf, type ExportPart, missing, unreadable } from './part.ts';
import type { SchemaObject } from './rows-head.ts';
import { SmallTables } from './small-tables.ts';
import { virtualTableDump } from './virtual-table.ts';

interface DumpOptions extends Pick<TablesSource, 'withoutTriggers' | 'withMentioned'> {
  /** The same bytes for the same content, in whatever order it was made. */
  readonly isStable?: boolean;
}

const PRAGMAS = ['application_id', 'user_version'] as const;

/**
 * @param withRows false: definitions only
 * @param chosen tables and views, with their indexes and triggers; null: everything
 */
export function* dumpParts(
  connection: Connection,
  withRows: boolean,
  chosen: ReadonlySet<string> | null = null,
  { withoutTriggers, withMentioned, isStable = false }: DumpOptions = {},
): Generator<ExportPart> {
  const isWhole = chosen === null;
  const isChosen = ({ table }: SchemaObject): boolean => chosen?.has(table) ?? true;
  const stored = isStable ? (shape: TableShape) => stableRows(connection, shape) : storedRows;
  const all = (isStable ? byNames(schemaOf(connection)) : schemaOf(connection)).filter(
    (object) => object.type !== 'trigger' || (isChosen(object) && !withoutTriggers),
  );
  const mentioned = withMentioned
    ? mentionedIn(
        all.filter(({ type }) => type === 'trigger'),
        all,
      )
    : null;
  const schema = all.filter((object) => isChosen(object) || mentioned?.has(object.table));
  const kinds = kindsOf(connection);
  const isVirtual = ({ name }: SchemaObject): boolean => kinds.get(name) === 'virtual';
  const tables = schema.filter(({ type, name }) => type === 'table' && kinds.get(name) !== 'shadow');
  const plain = tables.filter((table) => !isVirtual(table));
  const virtual = tables
    .filter(isVirtual)
    .map((table) => ({ ...table, dump: virtualTableDump(connection, table.name, table.sql) }));

  const shapes = new TableShapes(
    connection,
    tables.map(({ name }) => name),
  );
  const small = new SmallTables(
    connection,
    shapes,
    plain.filter((table) => withRows && isChosen(table)).map(({ name }) => name),
    stored,
  );
  yield* beginning(connection, isStable);
  for (const table of plain) {
    yield* definition(table, isWhole);
    if (withRows && isChosen(table)) yield* rowsOf(connection, small, table.name, stored);
  }
  for (const table of virtual) {
    if (table.dump.isForeign) yield { ...text(schemaRow(table)), defines: table, isStored: true };
    else yield* definition(table, isWhole);
    if (!isChosen(table)) continue;
    for (const note of table.dump.notes) yield missing(note);
    if (!withRows) continue;
    for (const sql of table.dump.settings) yield statement(sql);
    if (table.dump.hasRows) yield* rowsOf(connection, small, table.name, stored);
  }
  for (const type of ['index', 'view'] as const)
    for (const object of schema.filter((candidate) => candidate.type === type)) yield* definition(object, isWhole);
  // Everything that an index over other tables reads exists by now, including views.
  if (withRows) for (const { dump } of virtual.filter(isChosen)) for (const sql of dump.rebuild) yield statement(sql);
  for (const trigger of schema.filter(({ type }) => type === 'trigger')) yield* definition(trigger, isWhole);
  if (withRows) yield* sequences(connection, chosen, isStable);
  // They say when somebody last ran ANALYZE.
  if (withRows && !isStable) yield* statistics(connection, chosen);
  yield { ...text('COMMIT;\n'), isFrame: true };
}

function* beginning(connection: Connection, isStable: boolean): Generator<ExportPart> {
  if (isStable && !isUtf8(connection))
    yield text(`PRAGMA encoding='${connection.one('PRAGMA main.encoding')![0] as string}';\n`);
  yield { ...text('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n'), isFrame: true };
  for (const pragma of PRAGMAS)
    yield text(`PRAGMA ${pragma}=${Number(connection.one(`PRAGMA main.${pragma}`)![0])};\n`);
}

/**
 * Names of the tables and views that stand in the text of `triggers`, and in that of such views: at least those that are used. With
 * everything else, a broken view elsewhere, or a name that is taken only there, would keep SQLite from renaming a table.
 */
function mentionedIn(triggers: readonly SchemaObject[], all: readonly SchemaObject[]): ReadonlySet<string> {
  const plainText = (sql: string): string => foldName(sql).replace(/["'`]/g, '');
  const places = all.filter(({ type }) => type === 'table' || type === 'view');
  const found = new Set<string>();
  for (const texts = triggers.map(({ sql }) => plainText(sql)); texts.length > 0;) {
    const text = texts.pop()!;
    for (const { name, type, sql } of places) {
      if (found.has(name) || !text.includes(plainText(name))) continue;
      found.add(name);
      if (type === 'view') texts.push(plainText(sql));
    }
  }
  return found;
}

/** Names of tables differ by more than case, but those of an index and a trigger may be the same. */
const byNames = (objects: readonly SchemaObject[]): readonly SchemaObject[] =>
  [...objects].sort((one, other) => (foldName(one.name) < foldName(other.name) ? -1 : 1));

const text = (content: string) => ({ kind: 'text', text: content }) as const;
const statement = (sql: string) => text(`${asStatement(sql)}\n`);

/** As `.dump` of `sqlite3` does it. The definition is only stored, so nothing in it runs. */
const schemaRow = ({ name, sql }: SchemaObject): string =>
  `PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES('table', ${sqlLiteral(name)}, ${sqlLiteral(name)}, 0, ${sqlLiteral(sql)});
PRAGMA writable_schema=OFF;
`;

/** SQL that a hostile file has put after a definition would run where the dump is read. */
function* definition(object: SchemaObject, isKept: boolean): Generator<ExportPart> {
  const { name, type, sql } = object;
  if (isOneStatement(sql)) yield { ...statement(sql), defines: object, isKept };
  else yield missing(`The definition of the ${type} ${JSON.stringify(name)} is not one statement, so it was left out.`);
}

/** Without a semicolon, CREATE begins the only one. */
const isOneStatement = (sql: string): boolean =>
  !sql.includes('\0') && (/^CREATE\s[^;]*$/i.test(sql) || splitStatements(sql).length === 1);

export function schemaOf(connection: Connection): readonly SchemaObject[] {
  const rows = connection.all(
    "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  ) as [SchemaObject['type'], string, string, string][];
  // SQLite stores the table of a trigger as CREATE TRIGGER writes it.
  const names = new Map(rows.map(([, name]) => [foldName(name), name]));
  return rows.map(([type, name, table, sql]) => ({ type, name, table: names.get(foldName(table)) ?? table, sql }));
}

export function kindsOf(connection: Connection): ReadonlyMap<string, string> {
  return new Map(listTables(connection).map(({ name, kind }) => [name, kind]));
}

interface StoredRows {
  readonly names: readonly string[];
  readonly sql: string;
  readonly scan: TableRows;
  readonly rowid: string | null;
  /** The table has as many columns as a result can have, so its row ids are not read. */
  readonly losesRowid: boolean;
}

/** In an order of values, without a row id that nothing shows. */
function stableRows(connection: Connection, shape: TableShape): StoredRows {
  const { names, orderBy } = rowsInOrder(connection, shape);
  const scan = { from: `main.${quoteName(shape.name)}`, columns: names.map(quoteName), orderBy };
  const sql = `SELECT ${quoteNames(names)} FROM ${scan.from} ORDER BY ${orderBy}`;
  return { names, sql, scan, rowid: null, losesRowid: false };
}

/** The columns that store values, with the row id when no column keeps it, and a query that reads them. */
export function storedRows(shape: TableShape): StoredRows {
  const stored = shape.columns.filter(({ generated }) => generated === 'no').map(({ name }) => name);
  const keepsRowid = shape.key.kind === 'rowid' && !stored.includes(shape.key.name) && shape.rowidColumn === null;
  const hasRoom = stored.length < MAX_RESULT_COLUMNS;
  const rowid = keepsRowid && hasRoom && shape.key.kind === 'rowid' ? shape.key.name : null;
  const names = rowid === null ? stored : [rowid, ...stored];
  const from = `main.${quoteName(shape.name)}`;
  const orderBy = shape.key.kind === 'rowid' && shape.kind !== 'virtual' ? quoteName(shape.key.name) : null;
  const order = orderBy === null ? '' : ` ORDER BY ${orderBy}`;
  const scan = { from, columns: names.map(quoteName), orderBy };
  return {
    names,
    rowid,
    losesRowid: keepsRowid && !hasRoom,
    sql: `SELECT ${quoteNames(names)} FROM ${from}${order}`,
    scan,
  };
}

type Stored = (shape: TableShape) => StoredRows;

function* rowsOf(connection: Connection, small: SmallTables, table: string, stored: Stored): Generator<ExportPart> {
  try {
    const shape = small.describe(table);
    if (stored(shape).losesRowid)
      yield missing(`The row ids of ${JSON.stringify(table)} are not in this dump, because it has too many columns.`);
    yield storedPart(connection, shape, small, stored);
  } catch (thrown) {
    yield unreadable(table, thrown);
  }
}

function storedPart(connection: Connection, shape: TableShape, small: SmallTables, stored: Stored): ExportPart {
  const { names, rowid, sql, scan } = stored(shape);
  return {
    kind: 'statement',
    goesOn: true,
    head: {
      name: shape.name,
      columns: names.map((name, place) => ({ name, declaredType: '', place })),
      generated: new Set(),
      key: null,
      ddl: null,
    },
    rows: {
      sql,
      params: [],
      keep: null,
      ...(shape.kind === 'table' && { scan, small: () => small.rowsOf(shape.name) }),
      slices: keySlicesOf(connection, shape, names),
      estimate: () => (shape.kind === 'table' ? (estimateRows(connection, shape.name, rowid)?.count ?? null) : null),
    },
  };
}

/** The AUTOINCREMENT counters. SQLite created their table with the first table that uses one. */
function* sequences(
  connection: Connection,
  chosen: ReadonlySet<string> | null,
  isStable: boolean,
): Generator<ExportPart> {
  const rows = ownRows(connection, 'sqlite_sequence', ['name', 'seq'], chosen, isStable);
  if (rows === null) return;
  yield text('DELETE FROM sqlite_sequence;\n');
  yield rows;
}

function* statistics(connection: Connection, chosen: ReadonlySet<string> | null): Generator<ExportPart> {
  const rows = ownRows(connection, 'sqlite_stat1', ['tbl', 'idx', 'stat'], chosen);
  if (rows === null) return;
  yield text('ANALYZE sqlite_schema;\nDELETE FROM sqlite_stat1;\n');
  yield rows;
}

/** Rows of one of SQLite's own tables whose first column names tables; null when it does not exist or has no rows of the chosen tables. */
function ownRows(
  connection: Connection,
  name: string,
  columns: readonly string[],
  chosen: ReadonlySet<string> | null,
  isStable = false,
): ExportPart | null {
  if (!connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ?', [name])) return null;
  const where = chosen === null ? '' : ` WHERE ${quoteName(columns[0]!)} IN (SELECT value FROM temp.json_each(?))`;
  const params = chosen === null ? [] : [JSON.stringify([...chosen])];
  const from = `FROM main.${quoteName(name)}${where}`;
  if (chosen !== null && !connection.one(`SELECT 1 ${from} LIMIT 1`, params)) return null;
  return {
    kind: 'statement',
    head: {
      name,
      columns: columns.map((column, place) => ({ name: column, declaredType: '', place })),
      generated: new Set(),
      key: null,
      ddl: null,
    },
    rows: {
      sql: `SELECT ${quoteNames(columns)} ${from}${isStable ? ` ORDER BY ${quoteNames(columns)}` : ''}`,
      params,
      keep: null,
      estimate: () => null,
    },
  };
}

// A database as SQL that any SQLite reads: definitions in an order in which they work, rows with their row ids, full-text indexes made anew.
import type { Connection } from '../engines/engine.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { splitStatements } from '../sql/split-statements.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { asStatement } from './formats/sql.ts';
import type { ExportPart } from './part.ts';
import { virtualTableDump } from './virtual-table.ts';

interface SchemaRow {
  readonly type: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly sql: string;
}

const PRAGMAS = ['application_id', 'user_version'] as const;

/** @param withRows false: definitions alone */
export function* dumpParts(connection: Connection, withRows: boolean): Generator<ExportPart> {
  const schema = schemaOf(connection);
  const kinds = kindsOf(connection);
  const isVirtual = ({ name }: SchemaRow): boolean => kinds.get(name) === 'virtual';
  const tables = schema.filter(({ type, name }) => type === 'table' && kinds.get(name) !== 'shadow');
  const plain = tables.filter((table) => !isVirtual(table));
  const virtual = tables
    .filter(isVirtual)
    .map((table) => ({ ...table, dump: virtualTableDump(connection, table.name, table.sql) }));

  yield text('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n');
  for (const pragma of PRAGMAS)
    yield text(`PRAGMA ${pragma}=${Number(connection.one(`PRAGMA main.${pragma}`)![0])};\n`);
  for (const table of plain) {
    yield* definition(table);
    if (withRows) yield rowsOf(connection, describeTable(connection, table.name));
  }
  for (const table of virtual) {
    yield* definition(table);
    for (const note of table.dump.notes) yield text(comment(note));
    if (!withRows) continue;
    for (const sql of table.dump.settings) yield text(asStatement(sql));
    if (table.dump.hasRows) yield rowsOf(connection, describeTable(connection, table.name));
  }
  for (const type of ['index', 'view'] as const)
    for (const object of schema.filter((candidate) => candidate.type === type)) yield* definition(object);
  // What an index over other tables reads is there now, views too.
  if (withRows) for (const { dump } of virtual) for (const sql of dump.rebuild) yield text(asStatement(sql));
  for (const trigger of schema.filter(({ type }) => type === 'trigger')) yield* definition(trigger);
  if (withRows) yield* sequences(connection);
  if (withRows) yield* statistics(connection);
  yield text('COMMIT;\n');
}

const text = (content: string): ExportPart => ({ kind: 'text', text: content });

const comment = (note: string): string => `-- ${note.replace(/[\r\n]+/g, ' ')}\n`;

/** What a hostile file has put behind a definition would run where the dump is read. */
function* definition({ name, type, sql }: SchemaRow): Generator<ExportPart> {
  if (!sql.includes('\0') && splitStatements(sql).length === 1) yield text(asStatement(sql));
  else
    yield text(
      comment(`The definition of the ${type} ${JSON.stringify(name)} is not one statement, so it was left out.`),
    );
}

function schemaOf(connection: Connection): readonly SchemaRow[] {
  const rows = connection.all(
    "SELECT type, name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  ) as [SchemaRow['type'], string, string][];
  return rows.map(([type, name, sql]) => ({ type, name, sql }));
}

function kindsOf(connection: Connection): ReadonlyMap<string, string> {
  return new Map(
    connection.all("SELECT name, type FROM pragma_table_list WHERE schema = 'main'") as [string, string][],
  );
}

function rowsOf(connection: Connection, shape: TableShape): ExportPart {
  const stored = shape.columns.filter(({ generated }) => generated === 'no').map(({ name }) => name);
  const keepsRowid = shape.key.kind === 'rowid' && !stored.includes(shape.key.name) && shape.rowidColumn === null;
  const rowid = keepsRowid && shape.key.kind === 'rowid' ? shape.key.name : null;
  const names = rowid === null ? stored : [rowid, ...stored];
  const order = shape.key.kind === 'rowid' && shape.kind !== 'virtual' ? ` ORDER BY ${quoteName(shape.key.name)}` : '';
  return {
    kind: 'statement',
    head: {
      name: shape.name,
      columns: names.map((name, place) => ({ name, declaredType: '', place })),
      generated: new Set(),
      key: null,
      ddl: null,
    },
    rows: {
      sql: `SELECT ${quoteNames(names)} FROM main.${quoteName(shape.name)}${order}`,
      params: [],
      keep: null,
      estimate: shape.kind === 'table' ? (estimateRows(connection, shape.name, rowid)?.count ?? null) : null,
    },
  };
}

/** Where AUTOINCREMENT goes on; SQLite made the table with the first of those. */
function* sequences(connection: Connection): Generator<ExportPart> {
  if (!connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_sequence'")) return;
  yield text('DELETE FROM sqlite_sequence;\n');
  yield ownTable('sqlite_sequence', ['name', 'seq']);
}

function* statistics(connection: Connection): Generator<ExportPart> {
  if (!connection.one("SELECT 1 FROM main.sqlite_schema WHERE name = 'sqlite_stat1'")) return;
  yield text('ANALYZE sqlite_schema;\nDELETE FROM sqlite_stat1;\n');
  yield ownTable('sqlite_stat1', ['tbl', 'idx', 'stat']);
}

function ownTable(name: string, columns: readonly string[]): ExportPart {
  return {
    kind: 'statement',
    head: {
      name,
      columns: columns.map((column, place) => ({ name: column, declaredType: '', place })),
      generated: new Set(),
      key: null,
      ddl: null,
    },
    rows: { sql: `SELECT ${quoteNames(columns)} FROM main.${quoteName(name)}`, params: [], keep: null, estimate: null },
  };
}

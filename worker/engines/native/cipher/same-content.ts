// Whether two databases, opened with different keys, hold the same: schema, settings, and a digest of every row of every table.
import { createHash } from 'node:crypto';
import { quoteName, quoteNames } from '../../../sql/quote.ts';
import type { NativeValue } from '../statements/binding.ts';
import type { Database, PreparedStatement } from '../runtime/load.ts';

/** A database of a connection. */
export interface Opened {
  readonly db: Database;
  /** The name that the connection has for it. */
  readonly schema: string;
}

/** Names of the key of a table that has none of its own, unless it gives them to columns. */
const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];
const SETTINGS = ['encoding', 'auto_vacuum', 'user_version', 'application_id'];
/** Rows are hashed in pieces of about this length, between which other work can be done. */
const PIECE_CHARACTERS = 1 << 18;
const VIRTUAL = 2;

/** Null, or what differs, in words. Pauses while tables are read. */
export function* difference(one: Opened, other: Opened): Generator<void, string | null> {
  const setting = SETTINGS.find((name) => settingOf(one, name) !== settingOf(other, name));
  if (setting !== undefined) return `the setting ${setting}`;
  if (schemaOf(one) !== schemaOf(other)) return 'the schema';
  for (const table of storedTables(one)) {
    if ((yield* digestOf(one, table)) !== (yield* digestOf(other, table))) return `the table “${table}”`;
  }
  return null;
}

export const settingOf = ({ db, schema }: Opened, name: string): NativeValue =>
  db.prepare(`PRAGMA ${schema}.${name}`).pluck(true).get() as NativeValue;

/** Names of the tables that have rows of their own; a virtual table keeps its rows in such tables. */
export const storedTables = ({ db, schema }: Opened): readonly string[] =>
  db
    .prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid`)
    .pluck(true)
    .all() as readonly string[];

interface Columns {
  /** Whose values are in the rows. */
  readonly stored: readonly string[];
  /** That are not generated. */
  readonly given: readonly string[];
  /** A name of the rowid that is none of a column. */
  readonly rowid: string | null;
}

export function columnsOf({ db, schema }: Opened, table: string): Columns {
  const columns = db.prepare(`PRAGMA ${schema}.table_xinfo(${quoteName(table)})`).all() as readonly {
    readonly name: string;
    readonly hidden: number;
  }[];
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return {
    stored: columns.filter(({ hidden }) => hidden !== VIRTUAL).map(({ name }) => name),
    given: columns.filter(({ hidden }) => hidden === 0).map(({ name }) => name),
    rowid: ROWID_NAMES.find((name) => !taken.has(name)) ?? null,
  };
}

function schemaOf({ db, schema }: Opened): string {
  const sql = `SELECT type, name, tbl_name, sql, rootpage > 0 FROM ${schema}.sqlite_schema ORDER BY type, name`;
  return JSON.stringify(db.prepare(sql).raw(true).all());
}

/** A digest of the rows in their order, read from the table and not from an index. */
function* digestOf(opened: Opened, table: string): Generator<void, string> {
  const { stored, rowid } = columnsOf(opened, table);
  const from = `FROM ${opened.schema}.${quoteName(table)} NOT INDEXED`;
  const select = (rowidName: string | null): PreparedStatement =>
    opened.db.prepare(`SELECT ${rowidName === null ? '' : `${rowidName}, `}${quoteNames(stored)} ${from}`);
  // A table without rowids, or one that this SQLite cannot read in either file: its pages were copied as they are.
  const statement = attempt(() => select(rowid)) ?? attempt(() => select(null));
  return statement === null ? 'not readable' : yield* digestOfRows(statement);
}

function attempt<T>(body: () => T): T | null {
  try {
    return body();
  } catch {
    return null;
  }
}

function* digestOfRows(statement: PreparedStatement): Generator<void, string> {
  const hash = createHash('sha256');
  let rows = 0;
  let piece = '';
  const iterator = statement.raw(true).safeIntegers(true).iterate();
  try {
    for (let next = iterator.next(); !next.done; next = iterator.next()) {
      rows++;
      for (const value of next.value) {
        if (value instanceof Uint8Array) {
          hash.update(`${piece}blob ${value.length}:`).update(value);
          piece = '';
        } else piece += textOf(value);
      }
      if (piece.length < PIECE_CHARACTERS) continue;
      hash.update(piece);
      piece = '';
      yield;
    }
  } finally {
    iterator.return();
  }
  yield;
  return `${rows} ${hash.update(piece).digest('hex')}`;
}

/** Different values have different texts, whatever follows them. */
function textOf(value: NativeValue): string {
  if (value === null) return 'null;';
  if (typeof value === 'string') return `text ${value.length}:${value}`;
  return `${typeof value} ${String(value)};`;
}

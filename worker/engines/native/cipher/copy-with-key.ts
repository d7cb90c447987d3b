// The two ways in which the content of a database gets to a file with another key. DECISIONS.md says when which is used.
import { AppError } from '#shared/protocol/errors.ts';
import { quoteName, quoteNames } from '../../../sql/quote.ts';
import { nativeError } from '../runtime/errors.ts';
import type { Database, DatabaseConstructor } from '../runtime/load.ts';
import { isSqlCipher } from './sqlcipher.ts';
import type { FileKey, Fit } from './file-key.ts';
import { copyInto } from './replace-file.ts';
import { columnsOf, settingOf, storedTables, type Opened } from './same-content.ts';

/** Whether pages have the same size, and keep the same room for the cipher at their ends. */
export function haveSamePages(from: Fit | null, to: Fit | null): boolean {
  if (from === null || to === null || from.cipher !== to.cipher || !from.hasUsualReserve) return false;
  return !isSqlCipher(from.cipher) || from.pragmas.join() === to.pragmas.join();
}

/** Copies the bytes of the file, and writes the pages of the copy with the new key. What is in them need not be understood. */
export function* copyPages(
  constructor: DatabaseConstructor,
  {
    descriptor,
    part,
    from,
    to,
  }: { readonly descriptor: number; readonly part: string; readonly from: FileKey; readonly to: FileKey },
): Generator<void, void> {
  yield* copyInto(descriptor, part);
  const db = new constructor(part, { fileMustExist: true });
  try {
    from.applyTo(db);
    // The copy is thrown away if this fails. Out of WAL mode first, where pages would go to a log.
    db.unsafeMode(true);
    db.exec('PRAGMA journal_mode = DELETE');
    db.exec('PRAGMA journal_mode = OFF');
    for (const pragma of to.fit.pragmas) db.exec(`PRAGMA ${pragma}`);
    db.rekey!(to.fit.key);
  } finally {
    db.close();
  }
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly rootpage: number;
  readonly sql: string | null;
}

/**
 * Copies from the database `old` of a connection to `main`, which is empty, whatever the pages of either are: makes the tables and indexes
 * anew, and has SQLite move their rows and entries as they are, which it does where both sides are defined alike. Pauses after each table.
 *
 * @throws AppError `unavailable` if this SQLite cannot make one of them
 */
export function* copyTables(db: Database): Generator<void, void> {
  // Allows writing to the schema.
  db.unsafeMode(true);
  for (const setting of ['foreign_keys = OFF', 'ignore_check_constraints = ON', 'writable_schema = ON'])
    db.exec(`PRAGMA ${setting}`);
  db.exec('BEGIN');
  const { spread, missing } = makeSchema(db);
  for (const table of storedTables({ db, schema: 'old' })) {
    if (table === 'sqlite_sequence') copySequences(db);
    else if (spread.has(table)) copyFields(db, table);
    else copyRows(db, table, missing);
    yield;
  }
  for (const setting of ['user_version', 'application_id', 'schema_version'])
    db.exec(`PRAGMA main.${setting} = ${String(settingOf({ db, schema: 'old' }, setting))}`);
  db.exec('COMMIT');
  db.exec('PRAGMA ignore_check_constraints = OFF');
}

interface Made {
  /** Tables whose rowids are no column and have gaps: their rows have fields without a meaning as yet. */
  readonly spread: ReadonlySet<string>;
  /** Functions that tables or indexes need and that are not here. */
  readonly missing: ReadonlySet<string>;
}

/** In the order of the old schema. */
function makeSchema(db: Database): Made {
  const old: Opened = { db, schema: 'old' };
  const made = { spread: new Set<string>(), missing: new Set<string>() };
  const insert = db.prepare(
    'INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)',
  );
  const isMade = db.prepare('SELECT 1 FROM main.sqlite_schema WHERE name = ?');
  const rows = db.prepare('SELECT type, name, tbl_name, rootpage, sql FROM old.sqlite_schema ORDER BY rowid').all();
  for (const { type, name, tbl_name: table, rootpage, sql } of rows as readonly SchemaRow[]) {
    if (!(rootpage > 0)) insert.run(type, name, table, rootpage, sql);
    // SQLite makes the indexes of constraints with their tables, and `sqlite_sequence` with the first that needs it.
    else if (sql !== null && isMade.get(name) === undefined) {
      if (type === 'table' && hasSpreadRowids(old, name)) {
        made.spread.add(name);
        db.prepare(`CREATE TABLE main.${quoteName(name)} (${fieldsOf(db, name).join()})`).run();
        db.prepare("UPDATE main.sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?").run(sql, name);
      } else make(db, { type, name, sql }, made.missing);
    }
  }
  return made;
}

const fieldsOf = (db: Database, table: string): readonly string[] =>
  columnsOf({ db, schema: 'old' }, table).stored.map((_, index) => `c${index}`);

/** Where a rowid is no column and no index refers to it, SQLite gives new ones, from 1 without gaps. */
function hasSpreadRowids({ db, schema }: Opened, table: string): boolean {
  const columns = db.prepare(`PRAGMA ${schema}.table_xinfo(${quoteName(table)})`).all() as readonly {
    readonly pk: number;
  }[];
  const hasIndex = db.prepare(`PRAGMA ${schema}.index_list(${quoteName(table)})`).all().length > 0;
  const { rowid } = columnsOf({ db, schema }, table);
  if (hasIndex || rowid === null || columns.some(({ pk }) => pk > 0)) return false;
  const sql = `SELECT count(*), coalesce(min(${rowid}), 1), coalesce(max(${rowid}), 0) FROM ${schema}.${quoteName(table)}`;
  const [count, least, most] = db.prepare(sql).raw(true).safeIntegers(true).get() as readonly bigint[];
  return least !== 1n || most !== count;
}

/** Filled by the tables before it. */
function copySequences(db: Database): void {
  db.exec('DELETE FROM main.sqlite_sequence');
  db.exec('INSERT INTO main.sqlite_sequence (rowid, name, seq) SELECT rowid, name, seq FROM old.sqlite_sequence');
}

function copyFields(db: Database, table: string): void {
  const { stored, rowid } = columnsOf({ db, schema: 'old' }, table);
  const fields = ['rowid', ...fieldsOf(db, table)].join();
  const from = `old.${quoteName(table)}`;
  db.prepare(
    `INSERT INTO main.${quoteName(table)} (${fields}) SELECT ${rowid}, ${quoteNames(stored)} FROM ${from}`,
  ).run();
}

function copyRows(db: Database, table: string, missing: ReadonlySet<string>): void {
  const [from, to] = [`old.${quoteName(table)}`, `main.${quoteName(table)}`];
  const whole = `INSERT INTO ${to} SELECT * FROM ${from}`;
  if (movesRows(db, whole)) return void db.prepare(whole).run();
  // Where a column is generated and an index has to be empty at first, SQLite computes both again. Digests tell whether the rows are the
  // same, but nothing could check the index if a function is not here.
  const [one] = missing;
  if (one !== undefined) throw notMade('table', table, `There is no function named “${one}”.`);
  const { given, rowid } = columnsOf({ db, schema: 'old' }, table);
  const columns = (name: string | null): string => `${name === null ? '' : `${name}, `}${quoteNames(given)}`;
  const insert = (name: string | null): string =>
    `INSERT INTO ${to} (${columns(name)}) SELECT ${columns(name)} FROM ${from}`;
  let statement;
  try {
    statement = db.prepare(insert(rowid));
  } catch {
    statement = db.prepare(insert(null));
  }
  statement.run();
}

/** Whether SQLite moves records as they are (sqlite.org/opcode.html#RowCell). */
function movesRows(db: Database, sql: string): boolean {
  try {
    return db.explain(sql).some(({ opcode }) => opcode === 'RowCell' || opcode === 'RowData');
  } catch {
    return false;
  }
}

/**
 * A function that is not here is not called, because rows and entries of indexes are moved as they are.
 *
 * @param missing gets the names of such functions
 * @throws AppError
 */
function make(
  db: Database,
  { type, name, sql }: { type: string; name: string; sql: string },
  missing: Set<string>,
): void {
  for (;;) {
    try {
      // One statement only, whatever somebody has written into the schema.
      return void db.prepare(sql).run();
    } catch (thrown) {
      const { code, detail, message } = nativeError(thrown);
      if (code !== 'sql') throw thrown;
      const one = detail?.['missing'] === 'function' ? String(detail['name']) : null;
      if (one === null || missing.has(one)) throw notMade(type, name, message);
      missing.add(one);
      db.function(one, { deterministic: true, varargs: true }, () => null);
    }
  }
}

const notMade = (type: string, name: string, reason: string): AppError =>
  AppError.unavailable(
    `The ${type} “${name}” cannot be made anew here, which a file with another cipher, or with none, needs: ${reason} Nothing was changed. The key alone can be changed, with the cipher as it is.`,
  );

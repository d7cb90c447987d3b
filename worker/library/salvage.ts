// Creates a new library database from what can be read of a damaged file.
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { SalvageReply, Progress } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Engine, DefinedObject } from '../engines/engine.ts';
import { findTable } from '../engines/table-list.ts';
import type { WindowSession } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import type { LibraryContext } from './context.ts';
import { letGo } from './files.ts';
import { copyParts, sourceOf } from './import.ts';
import { runLongWork, type LongWork, type ProgressCall } from './long-work.ts';
import { cleanName, nameFromFile } from './names.ts';
import { beginFile, buildNewFile, createEmpty, newFileName } from './new-file.ts';

export async function salvageFile(
  context: LibraryContext,
  window: WindowSession,
  { source, name }: { readonly source: FileToken; readonly name?: string },
  call: ProgressCall,
): Promise<SalvageReply> {
  const { files, catalogue, pool } = context;
  const info = await files.call('file.info', { token: source });
  const title = { window, databaseName: info.fileName, title: `Recovering ${info.fileName}` };
  const damagedFile = newFileName();
  try {
    return await runLongWork(context, title, call, async (work) => {
      await beginFile(context, damagedFile);
      await copyParts(context, source, info, damagedFile, work);
      const { entry, built } = await buildNewFile(context, async (file) => {
        const result = await copyRows(context, damagedFile, file, work);
        return {
          name: name ? cleanName(name) : `${nameFromFile(info.fileName)} (recovered)`,
          source: sourceOf(info),
          result,
        };
      });
      return { entry, notes: built.result.notes, tables: built.result.tables };
    });
  } finally {
    pool.remove(damagedFile);
    catalogue.forgetFile(damagedFile);
    await letGo(files, source);
  }
}

async function copyRows(
  context: LibraryContext,
  damagedFile: string,
  file: string,
  work: LongWork,
): Promise<SalvageResult> {
  const { engine, clock } = context;
  createEmpty(context, file);
  const from = openDamaged(engine, damagedFile);
  try {
    // The schema comes from an untrusted file, and so do the values that CHECK and generated columns use.
    const to = engine.open(file, { durability: 'balanced' });
    try {
      for (const connection of [from, to]) connection.onProgress(() => work.tick());
      const steps = salvageInto(from, to);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        await work.report(step.value);
        await clock.nextTask();
      }
      if (step.value.tables.length === 0) throw nothingLeft();
      to.checkpoint();
      return step.value;
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
}

function openDamaged(engine: Engine, file: string): Connection {
  try {
    return engine.open(file, { durability: 'balanced', tolerant: true, isOfOthers: true });
  } catch (error) {
    const beyondHope = error instanceof AppError && (error.code === 'corrupt' || error.code === 'not-a-database');
    throw beyondHope ? nothingLeft() : error;
  }
}

function nothingLeft(): AppError {
  return AppError.corrupt(
    'Nothing could be read from this file: its list of tables is lost. Nothing was imported, and the file was not changed.',
    { detail: { salvage: false } },
  );
}

// Copies whatever can still be read of a damaged database into a new one, row by row. Its schema is hostile until proved otherwise:
// a text of it is run only where SQLite says that it creates the object it is listed as, and does nothing else.

type SalvagedTable = SalvageReply['tables'][number];

export interface SalvageResult {
  readonly tables: readonly SalvagedTable[];
  readonly notes: readonly string[];
}

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** Triggers come last, or they would fire while rows are copied; sqlite_sequence after the tables that move it. */
const ORDER = ['table', 'index', 'view', 'trigger'];
const SEQUENCE = 'sqlite_sequence';
const DEFINED_LATER: ReadonlySet<string> = new Set(['index', 'view', 'trigger']);

/** Pauses now and then, outside any transaction; each pause yields the progress. @throws AppError `stopped`, `full` */
export function* salvageInto(from: Connection, to: Connection): Generator<Progress, SalvageResult, undefined> {
  const notes: string[] = [];
  const schema = readSchema(from, notes);
  const tables: SalvagedTable[] = [];
  let rowsBefore = 0;
  to.run('PRAGMA foreign_keys = OFF');
  for (const { name, sql } of schema.filter(isPlainTable)) {
    const why =
      name === SEQUENCE ? attempt(() => to.run(`DELETE FROM ${SEQUENCE}`)) : define(to, { kind: 'table', name }, sql);
    if (why !== null) {
      if (name !== SEQUENCE) notes.push(`The table “${name}” could not be re-created: ${why}`);
      continue;
    }
    const { rowsSaved, complete, problem } = yield* salvageRows(from, to, name, rowsBefore);
    if (problem) notes.push(`“${name}”: ${problem}`);
    rowsBefore += rowsSaved;
    if (name !== SEQUENCE) tables.push({ name, rowsSaved, complete });
  }
  addVirtualTables(to, schema.filter(isVirtual), notes);
  // Objects without SQL are created with their table.
  const rest = schema.filter(({ type, sql }) => DEFINED_LATER.has(type) && sql !== null);
  for (const [done, { type, name, sql }] of rest.entries()) {
    yield { phase: 'Creating indexes, views, and triggers', done, total: rest.length, unit: 'steps' };
    const why = define(to, { kind: type as DefinedObject['kind'], name }, sql);
    if (why !== null) notes.push(`The ${type} “${name}” could not be re-created: ${why}`);
  }
  return { tables, notes };
}

/** Null when the object exists now, otherwise why not. */
function define(to: Connection, object: DefinedObject, sql: string | null): string | null {
  return attempt(() => {
    assertDefines(to, object, sql);
    to.run(sql ?? '');
  });
}

function assertDefines(to: Connection, object: DefinedObject, sql: string | null): void {
  if (to.assertDefines === undefined) fail('unavailable', 'this engine cannot tell what a definition does.');
  to.assertDefines(sql ?? '', object);
}

function readSchema(from: Connection, notes: string[]): readonly SchemaRow[] {
  const rows: SchemaRow[] = [];
  const text = (value: Value): string | null => (typeof value === 'string' ? value : null);
  const why = attempt(() => {
    const statement = from.prepare('SELECT type, name, sql FROM sqlite_schema');
    try {
      while (statement.step()) {
        rows.push({
          type: text(statement.value(0)) ?? '',
          name: text(statement.value(1)) ?? '',
          sql: text(statement.value(2)),
        });
      }
    } finally {
      statement.finalize();
    }
  });
  if (why !== null) notes.push(`The list of tables could only be read in part (${why}), so tables may be missing.`);
  const index = ({ type, name }: SchemaRow): number => (name === SEQUENCE ? 0.5 : ORDER.indexOf(type));
  return rows.sort((a, b) => index(a) - index(b));
}

function isVirtual({ type, sql }: SchemaRow): boolean {
  return type === 'table' && /^\s*create\s+virtual\s/i.test(sql ?? '');
}

/** Statistics are left out: `ANALYZE` creates them again. */
function isPlainTable(row: SchemaRow): boolean {
  return row.type === 'table' && !isVirtual(row) && !row.name.startsWith('sqlite_stat');
}

/** Their content was copied with their shadow tables; creating them in the usual way would want to make those itself. */
function addVirtualTables(to: Connection, virtual: readonly SchemaRow[], notes: string[]): void {
  const sound = virtual.filter(({ name, sql }) => {
    const why = attempt(() => assertDefines(to, { kind: 'virtual', name }, sql));
    if (why !== null) notes.push(`The virtual table “${name}” could not be re-created: ${why}`);
    return why === null;
  });
  if (sound.length === 0) return;
  // The only place that writes to the schema, with defensive mode off: nothing of the file is run in the meantime.
  to.replay(() => {
    to.run('PRAGMA writable_schema = ON');
    for (const { name, sql } of sound)
      to.run("INSERT INTO sqlite_schema VALUES ('table', ?, ?, 0, ?)", [name, name, sql]);
  });
  for (const { name } of sound) {
    const why = attempt(() => to.one(`SELECT 1 FROM ${quoteName(name)} LIMIT 1`));
    if (why !== null) notes.push(`The virtual table “${name}” may not work: ${why}`);
  }
}

const ROWS_A_PAUSE = 2000;
/** A table that fails more often is abandoned: each try may cost a walk through the whole tree. */
const MAX_TRIES = 2000;
const ROWID_NAMES = ['rowid', '_rowid_', 'oid'];

interface SavedRows {
  readonly rowsSaved: number;
  readonly complete: boolean;
  readonly problem: string | null;
}

interface Shape {
  readonly columns: readonly string[];
  /** The row id name by which rows are found again after a gap; null for WITHOUT ROWID. */
  readonly rowid: string | null;
  /** The rowid is not one of the columns and has to be copied in addition. */
  readonly rowidIsHidden: boolean;
  readonly primaryKey: readonly string[];
}

/** Saves the rows of one damaged table: continues after unreadable parts. */
function* salvageRows(
  from: Connection,
  to: Connection,
  table: string,
  rowsBefore: number,
): Generator<Progress, SavedRows, undefined> {
  let shape: Shape | null = null;
  const problem = attempt(() => (shape = shapeOf(from, table)));
  if (!shape)
    return { rowsSaved: 0, complete: false, problem: problem ?? 'its columns could not be read, so no row was saved' };
  const copy = new RowCopy(from, to, table, shape);
  try {
    while (copy.readOn()) yield { phase: 'Saving rows', done: rowsBefore + copy.rowsSaved, total: null, unit: 'rows' };
  } finally {
    copy.close();
  }
  return { rowsSaved: copy.rowsSaved, complete: copy.complete, problem: copy.problem };
}

function shapeOf(from: Connection, table: string): Shape | null {
  const info = from.all('SELECT name, type, pk, hidden FROM temp.pragma_table_xinfo(?)', [table]);
  if (info.length === 0) return null;
  const columns = info.filter(([, , , hidden]) => hidden === 0).map(([name]) => String(name));
  const keyed = info.filter(([, , pk]) => pk !== 0).sort((a, b) => Number(a[2]) - Number(b[2]));
  const primaryKey = keyed.map(([name]) => String(name));
  const withoutRowid = findTable(from, table)?.withoutRowid === true;
  const alias = keyed.length === 1 && String(keyed[0]![1]).toUpperCase() === 'INTEGER' ? primaryKey[0]! : null;
  const free = ROWID_NAMES.find((name) => !columns.some((column) => column.toLowerCase() === name)) ?? null;
  const rowid = withoutRowid ? null : (alias ?? free);
  return { columns, rowid, rowidIsHidden: rowid !== null && alias === null, primaryKey };
}

class RowCopy {
  rowsSaved = 0;
  complete = true;
  problem: string | null = null;
  readonly #from: Connection;
  readonly #to: Connection;
  readonly #shape: Shape;
  readonly #table: string;
  readonly #insert: string;
  readonly #select: string;
  #last: bigint | null = null;
  #hop = 1n;
  #tries = 0;
  #statement: ReturnType<Connection['prepare']> | null = null;
  #backward = false;

  constructor(from: Connection, to: Connection, table: string, shape: Shape) {
    this.#from = from;
    this.#to = to;
    this.#shape = shape;
    this.#table = quoteName(table);
    const columns = shape.columns.map(quoteName);
    if (shape.rowidIsHidden) columns.unshift(quoteName(shape.rowid!));
    const names = columns.join(', ');
    this.#insert = `INSERT OR IGNORE INTO ${this.#table} (${names}) VALUES (${columns.map(() => '?').join(', ')})`;
    this.#select = `SELECT ${shape.rowid ? quoteName(shape.rowid) : 'NULL'}, ${names} FROM ${this.#table}`;
  }

  /** Copies some rows in one transaction. False when there are no more rows. */
  readOn(): boolean {
    this.#to.run('BEGIN');
    try {
      for (let row = 0; row < ROWS_A_PAUSE; row++) if (!this.#readRow()) return false;
      return true;
    } finally {
      // A Stop while a row is written has rolled it back already.
      if (!this.#to.autocommit) this.#to.run('COMMIT');
    }
  }

  close(): void {
    this.#statement?.finalize();
    this.#statement = null;
  }

  #readRow(): boolean {
    let values: readonly Value[] | null = null;
    const why = attempt(() => {
      this.#statement ??= this.#open();
      if (this.#statement.step())
        values = Array.from({ length: this.#statement.columnCount }, (_, column) => this.#statement!.value(column));
    });
    if (why !== null) return this.#goAround(why);
    if (values === null) return false;
    this.#keep(values);
    return true;
  }

  #keep([key, ...values]: readonly Value[]): void {
    if (typeof key === 'number' || typeof key === 'bigint') this.#last = BigInt(key);
    this.#hop = 1n;
    let kept = 0;
    const why = attempt(() => (kept = this.#to.run(this.#insert, values)));
    this.rowsSaved += kept;
    if (kept === 0 && !this.#backward) {
      this.complete = false;
      this.problem ??= why ?? 'some rows broke a constraint of the table and were left out';
    }
  }

  /** If the tree is broken, skips a growing range of rowids, or starts again from the other end. */
  #goAround(why: string): boolean {
    this.complete = false;
    this.problem ??= `some rows could not be read (${why})`;
    this.close();
    if (++this.#tries > MAX_TRIES) return false;
    if (this.#shape.rowid === null) {
      const again = !this.#backward && this.#shape.primaryKey.length > 0;
      this.#backward = true;
      return again;
    }
    this.#last = (this.#last ?? -(2n ** 63n)) + this.#hop;
    this.#hop *= 2n;
    return this.#last < 2n ** 63n - 1n;
  }

  #open(): ReturnType<Connection['prepare']> {
    const { rowid, primaryKey } = this.#shape;
    if (rowid !== null) {
      const statement = this.#from.prepare(
        `${this.#select} WHERE ${quoteName(rowid)} > ? ORDER BY ${quoteName(rowid)}`,
      );
      statement.bind([this.#last ?? -(2n ** 63n)]);
      return statement;
    }
    const order = primaryKey.map((column) => `${quoteName(column)} DESC`).join(', ');
    return this.#from.prepare(this.#backward ? `${this.#select} ORDER BY ${order}` : this.#select);
  }
}

// Runs steps of a salvage that may fail, for both of its halves.

/** Returns null on success, otherwise the reason. @throws AppError `stopped`, `full`: those end the whole salvage */
function attempt(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'stopped' || error.code === 'full') throw error;
    return error.message;
  }
}

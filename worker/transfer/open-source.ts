// Opens a file of SQL, or another SQLite file, as a scratch database whose tables can be chosen from.
import { AppError, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { ImportSource } from '#shared/protocol/import.ts';
import type { SqlDialect, TransferContents, TransferObject } from '#shared/protocol/transfer.ts';
import type { Connection } from '../engines/engine.ts';
import { MEMORY_BUDGET } from '../engines/memory-budget.ts';
import { openBytes } from '../import/byte-sources.ts';
import { isDatabaseHeader } from '#shared/file-header.ts';
import type { DumpEnd, DumpFacts, DumpOptions, DumpReader } from '../import/sql/dump-steps.ts';
import type { LibraryContext } from '../library/context.ts';
import { checkHeader, HEADER_BYTES } from '../library/file-header.ts';
import { copyParts } from '../library/import.ts';
import { runLongWork, type LongWork, type ProgressCall } from '../library/long-work.ts';
import type { ByteSource } from '../records/record-batch.ts';
import type { WindowSession } from '../sessions/session.ts';
import { collatedTables, unknownCollations } from '../schema/declared-collations.ts';
import { kindsOf, schemaOf } from '../export/dump-parts.ts';
import { foldName } from '#shared/ddl/names.ts';
import { quoteName } from '../sql/quote.ts';
import { DumpLoad } from './dump-load.ts';
import type { ExistingTable } from './existing-tables.ts';
import { LooseKeys } from './loose-keys.ts';
import type { Scratch, ScratchStore } from './scratch.ts';
import type { UndefinedTables } from './undefined-tables.ts';
import type { FileClient } from '../library/files.ts';
import { readDump } from '../import/sql/dump-reader.ts';
import { isForThread, readDumpInThread } from '../import/thread/reading-thread.ts';

export type TransferContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'>;

/** `onCancel` registers what ends the reading, even where the disk does not answer. */
export type OpenCall = ProgressCall & Pick<CallContext<unknown>, 'onCancel'>;

export interface OpenRequest {
  readonly source: ImportSource;
  /** Missing: that of the file. */
  readonly name?: string | undefined;
  readonly dialect: SqlDialect | null;
  readonly encoding: string | null;
  /** Tables of the database that the rows may be for. */
  readonly existing: readonly ExistingTable[];
}

/** A scratch database that is filled, and open for reading. */
export interface OpenedSource {
  readonly scratch: Scratch;
  readonly connection: Connection;
  readonly contents: Omit<TransferContents, 'id'>;
}

const SLICE_MS = 20;
const COUNTED_TOGETHER = 64;
const SCRATCH = { durability: 'balanced', cacheBytes: MEMORY_BUDGET.transferCache } as const;

/** Its private copy would not be encrypted, and SQLite would not read it with the key of the database. */
const notIntoEncrypted = (name: string): AppError =>
  AppError.unavailable(
    `Tables of another SQLite file (“${name}”) cannot be imported into an encrypted database here. Nothing was changed. Export them as SQL, and import that.`,
  );

/** @throws AppError, leaving nothing behind */
export async function openSource(
  context: TransferContext,
  scratchStore: ScratchStore,
  window: WindowSession,
  request: OpenRequest,
  call: OpenCall,
): Promise<OpenedSource> {
  const bytes = await openBytes(context.files, request.source);
  const name = request.name ?? bytes.fileName;
  const title = { window, databaseName: name, title: `Reading ${name}` };
  return runLongWork(context, title, call, async (work) => {
    const head = await bytes.read(0, HEADER_BYTES);
    const scratch = await scratchStore.make();
    const open: Connection[] = [];
    try {
      const isSqlite = isDatabaseHeader(head) || /\.(?:db|db3|sqlite3?|s3db|sl3)$/i.test(bytes.fileName);
      if (isSqlite && scratchStore.isEncrypted === true) throw notIntoEncrypted(name);
      const { sql, undefinedTables, ...filled } = isSqlite
        ? await copySqlite(context, { scratch, readsUtf16: scratchStore.readsUtf16 === true }, request, work)
        : await loadSql({ context, scratch, bytes, work, call }, request);
      const notes = [...filled.notes, ...(filled.restored.length > 0 ? restoreIndexes(scratch, filled.restored) : [])];
      const connection = scratch.open({ ...SCRATCH, isOfOthers: isSqlite });
      open.push(connection);
      connection.onProgress(() => work.tick());
      const slices = new Slices(context, bytes, work);
      const objects: TransferObject[] = [];
      for (const object of objectsOf(connection, undefinedTables)) {
        objects.push(object);
        await slices.report('Counting rows', bytes.sizeBytes);
      }
      const tables = sql === null ? [] : objects.filter(({ kind }) => kind === 'table');
      const keys = tables.length === 0 ? null : new LooseKeys(connection, 'file');
      const loose: string[] = [];
      for (const { name: table } of tables) {
        loose.push(...keys!.of(table));
        await slices.report('Counting rows', bytes.sizeBytes);
      }
      connection.onProgress(null);
      connection.useCache(false);
      return {
        scratch,
        connection,
        contents: { fileName: name, sizeBytes: bytes.sizeBytes, sql, objects, notes: [...notes, ...loose] },
      };
    } catch (error) {
      for (const connection of open) connection.close();
      scratch.remove();
      throw error;
    }
  });
}

interface Filled extends Pick<TransferContents, 'sql' | 'notes'> {
  /** Null: the file defines all its tables. */
  readonly undefinedTables: UndefinedTables | null;
  /** Virtual tables whose content came as rows of their own tables. */
  readonly restored: readonly string[];
}

/** A private copy: whatever the file is, nothing of it is changed, and what lies beside it is included as in every SQLite program. */
async function copySqlite(
  context: TransferContext,
  { scratch, readsUtf16 }: { readonly scratch: Scratch; readonly readsUtf16: boolean },
  { source }: OpenRequest,
  work: LongWork,
): Promise<Filled> {
  if (source.kind !== 'file') throw AppError.invalid('A database is read from a file.');
  const { files } = context;
  const info = await files.call('file.info', { token: source.token });
  checkHeader(
    await files.call('file.read', { token: source.token, part: 'main', offset: 0, length: HEADER_BYTES }),
    info,
    readsUtf16,
  );
  await copyParts({ files, pool: scratch }, source.token, info, scratch.file, work);
  return { sql: null, notes: [], undefinedTables: null, restored: [] };
}

interface Loading {
  readonly context: TransferContext;
  readonly scratch: Scratch;
  readonly bytes: ByteSource;
  readonly work: LongWork;
  readonly call: OpenCall;
}

async function loadSql({ context, scratch, bytes, work, call }: Loading, request: OpenRequest): Promise<Filled> {
  const reading = new Slices(context, bytes, work);
  const { source, dialect, encoding, existing } = request;
  const options = { dialect, encoding, existing: columnsByName(existing) };
  const reader = await openDump({ files: context.files, source, options }, bytes, {
    lookedThrough: (bytesRead) => reading.report('Looking through', bytesRead),
    onCancel: call.onCancel,
  });
  let connection: Connection | null = null;
  try {
    connection = scratch.open({ ...SCRATCH, create: true, scratch: true });
    const load = new DumpLoad(connection, reader.facts.dialect, existing);
    connection.run('PRAGMA foreign_keys = OFF');
    connection.onProgress(() => work.tick());
    for (let step = await reader.next(); step !== null; step = await reader.next()) {
      load.take(step);
      if (reading.isOver) await reading.report('Reading', reader.bytesRead);
    }
    const end = reader.finish();
    for (const _ of load.finish(end)) await reading.report('Reading', reader.bytesRead);
    connection.onProgress(null);
    return filled(load, reader.facts, end);
  } finally {
    reader.close();
    connection?.close();
  }
}

function filled(load: DumpLoad, { dialect, encoding, reason, note }: DumpFacts, { notes }: DumpEnd): Filled {
  if (note !== null) load.report.add(note);
  const { notUnderstoodCount: notUnderstood } = load.report;
  // Some are noted before preceding ones have been run.
  const statements = [...load.report.notUnderstood].sort((a, b) => a.line - b.line);
  return {
    sql: { dialect, encoding, reason, notUnderstood, statements },
    notes: load.report.notes(notes),
    undefinedTables: load.undefinedTables,
    restored: load.restored,
  };
}

/** Other work of this thread gets a turn every 20 ms. */
class Slices {
  readonly #context: TransferContext;
  readonly #sizeBytes: number;
  readonly #work: LongWork;
  #endsMs = performance.now() + SLICE_MS;

  constructor(context: TransferContext, { sizeBytes }: ByteSource, work: LongWork) {
    this.#context = context;
    this.#sizeBytes = sizeBytes;
    this.#work = work;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsMs;
  }

  /** @throws AppError `stopped` */
  async report(phase: string, bytesRead: number): Promise<void> {
    if (!this.isOver) return;
    const total = this.#sizeBytes;
    await this.#work.report({ phase, done: Math.min(bytesRead, total), total, unit: 'bytes' });
    await this.#context.clock.nextTask();
    this.#endsMs = performance.now() + SLICE_MS;
  }
}

const columnsByName = (tables: readonly ExistingTable[]) =>
  new Map(tables.map(({ name, columns }) => [name.toLowerCase(), columns]));

/** SQLite counts by the smallest index, even if it cannot use its collation. */
const countedBy = (connection: Connection, table: string): string =>
  unknownCollations(connection, table).size === 0 ? '' : ' NOT INDEXED';

function* objectsOf(connection: Connection, undefinedTables: UndefinedTables | null): Generator<TransferObject> {
  const collated = collatedTables(connection);
  const columnsOf = storedColumns(connection);
  const listed = listedObjects(connection);
  const count = (name: string): string => {
    const how = collated.has(foldName(name)) ? countedBy(connection, name) : '';
    return `SELECT count(*) FROM main.${quoteName(name)}${how}`;
  };
  const tables = listed.filter(({ kind }) => kind === 'table').map(({ name }) => name);
  const countOf = countedTogether(connection, tables, count);
  for (const { name, kind, indexes, triggers } of listed) {
    const isUndefined = undefinedTables?.has(name) ?? false;
    const object = { name, kind, rows: null, columns: [] as string[], indexes, triggers, problem: null, isUndefined };
    try {
      const columns = columnsOf(name);
      const rowCount = kind === 'view' ? null : (countOf(name) ?? Number(connection.one(count(name))![0]));
      yield { ...object, columns, rows: rowCount };
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code === 'stopped') throw error;
      yield { ...object, problem: message };
    }
  }
}

/**
 * Rows of many tables, by a statement for each {@link COUNTED_TOGETHER}. Undefined for tables that have to be counted by themselves, because one of
 * them cannot be read.
 *
 * @param names in the order in which they will be asked for
 */
function countedTogether(
  connection: Connection,
  names: readonly string[],
  count: (name: string) => string,
): (name: string) => number | undefined {
  const counts = new Map<string, number>();
  let at = 0;
  return (name) => {
    if (names[at] !== name) return counts.get(name);
    const some = names.slice(at, at + COUNTED_TOGETHER);
    at += some.length;
    try {
      const rows = connection.all(some.map(count).join(' UNION ALL '));
      rows.forEach(([rowCount], index) => counts.set(some[index]!, Number(rowCount)));
    } catch (error) {
      if (toAppError(error).code === 'stopped') throw error;
    }
    return counts.get(name);
  };
}

/** Tables in the order of the schema, then views. */
function listedObjects(
  connection: Connection,
): readonly Pick<TransferObject, 'name' | 'kind' | 'indexes' | 'triggers'>[] {
  const kinds = kindsOf(connection);
  const belongings = { index: new Map<string, number>(), trigger: new Map<string, number>() };
  const named: { readonly name: string; readonly kind: TransferObject['kind'] }[] = [];
  for (const { type, name, table } of schemaOf(connection)) {
    if (type === 'index' || type === 'trigger') {
      belongings[type].set(table, (belongings[type].get(table) ?? 0) + 1);
      continue;
    }
    const kind = kinds.get(name);
    if (kind === 'table' || kind === 'virtual' || kind === 'view') named.push({ name, kind });
  }
  const isView = ({ kind }: { readonly kind: string }): boolean => kind === 'view';
  return [...named.filter((object) => !isView(object)), ...named.filter(isView)].map((object) => ({
    ...object,
    indexes: belongings.index.get(object.name) ?? 0,
    triggers: belongings.trigger.get(object.name) ?? 0,
  }));
}

/** The columns of tables are read together; other objects can be broken, and are asked one by one. */
function storedColumns(connection: Connection): (table: string) => string[] {
  const columns = new Map<string, string[]>();
  const rows = connection.all(
    `SELECT s.name, c.name FROM main.sqlite_schema s, temp.pragma_table_xinfo(s.name) c
     WHERE s.type = 'table' AND s.rootpage > 0 AND c.hidden = 0 ORDER BY s.rowid, c.cid`,
  ) as [string, string][];
  for (const [table, column] of rows) {
    const known = columns.get(table);
    if (known) known.push(column);
    else columns.set(table, [column]);
  }
  return (table) =>
    columns.get(table) ??
    connection
      .all('SELECT name FROM temp.pragma_table_xinfo(?) WHERE hidden = 0', [table])
      .map(([column]) => String(column));
}

// Full-text indexes whose content came row by row: each is checked against its text, and rebuilt where it does not match.

const FULL_TEXT = new Set(['fts3', 'fts4', 'fts5']);

/** Uses its own connection, because the one that wrote the tables may remember other content. Returns whole sentences. */
function restoreIndexes(scratch: Scratch, names: readonly string[]): readonly string[] {
  const connection = scratch.open({ durability: 'balanced', scratch: true });
  try {
    return names.flatMap((name) => restore(connection, name));
  } finally {
    connection.close();
  }
}

function restore(connection: Connection, name: string): readonly string[] {
  const sql = String(
    connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name])?.[0] ?? '',
  );
  const module = /\bUSING\s+["'`[]?(\w+)/i.exec(sql)?.[1]?.toLowerCase() ?? '';
  if (!FULL_TEXT.has(module)) return [];
  const table = quoteName(name);
  // The 1 makes FTS5 compare an index with the table it indexes, whose row ids may have changed.
  const check =
    module === 'fts5'
      ? `INSERT INTO ${table}(${table}, rank) VALUES('integrity-check', 1)`
      : `INSERT INTO ${table}(${table}) VALUES('integrity-check')`;
  try {
    connection.run(check);
    return [];
  } catch {
    return rebuild(connection, name);
  }
}

function rebuild(connection: Connection, name: string): readonly string[] {
  const table = quoteName(name);
  try {
    connection.run(`INSERT INTO ${table}(${table}) VALUES('rebuild')`);
    return [`The full-text index “${name}” did not match its text, so it was rebuilt.`];
  } catch (error) {
    return [`The full-text index “${name}” may not find everything: ${whatHappened(toAppError(error))}`];
  }
}

// Opens a file of SQL as steps for SQLite: another thread splits and translates it, as for the other formats (import-file.ts).

interface DumpToRead {
  readonly files: FileClient;
  readonly source: ImportSource;
  readonly options: DumpOptions;
}

interface Listening {
  /** Told how far the first of two passes is; what it throws ends the reading. */
  readonly lookedThrough: (bytesRead: number) => Promise<void>;
  readonly onCancel: (listener: () => void) => void;
}

/** @throws AppError `io`, `not-found`, `invalid`, `stopped` */
const openDump = (
  { files, source, options }: DumpToRead,
  bytes: ByteSource,
  { lookedThrough, onCancel }: Listening,
): Promise<DumpReader> =>
  isForThread(bytes)
    ? readDumpInThread(files, { source, options }, lookedThrough, onCancel)
    : readDump(bytes, options, lookedThrough);

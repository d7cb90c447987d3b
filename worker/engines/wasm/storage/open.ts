// Opens a database the one safe way: exclusive before anything is read, then WAL.
import { AppError } from '#shared/protocol/errors.ts';
import type { OpenOptions } from '../../engine.ts';
import { MEMORY_BUDGET, type CacheBudget } from '../../memory-budget.ts';
import { WasmConnection } from '../connection.ts';
import { sqliteError } from '../runtime/errors.ts';
import type { Hooks } from '../runtime/hooks.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { LogLayer } from './log-layer.ts';
import { DbConfig, Limit, OpenFlag, type Pointer } from '../runtime/raw.ts';

/** Natively: it takes two to four times as long here, and all other databases wait for it. */
const MOST_LOAD_MS = 1000;
/** Twice what an automatic checkpoint lets it grow to. */
const KEPT_LOG_BYTES = 16 << 20;
/**
 * SQLite's own limits for these let one statement, or the schema of a file, take all of the 2 GB that all databases share. Its other limits
 * are what databases and statements of other programs are made for, or are kept by heavy-schema.ts and the authorizer.
 */
const LIMITS: readonly (readonly [number, number])[] = [
  // The check of 10,000 tables with two indexes each is one program of a million; one of 5 million takes 120 MB.
  [Limit.vdbeOperations, 10_000_000],
  [Limit.schemaObjects, 1_000_000],
];

export interface OpenTarget {
  /** The location as code above this folder names it. */
  readonly location: string;
  readonly fileName: string;
  readonly vfsName: string;
  /** Null in memory, where there is nothing to write ahead of. */
  readonly logs: LogLayer | null;
  readonly caches: CacheBudget;
  /** Target of another database of the same engine. @throws AppError `not-found` */
  beside(location: string): OpenTarget;
}

export function openConnection(sqlite: Sqlite, hooks: Hooks, target: OpenTarget, options: OpenOptions): WasmConnection {
  const db = openHandle(sqlite, target, options.create === true);
  if (options.untrusted !== false) {
    if (options.tolerant !== true && options.scratch !== true)
      sqlite.raw.sqlite3__wasm_db_config_ip(db, DbConfig.defensive, 1, 0);
    sqlite.raw.sqlite3__wasm_db_config_ip(db, DbConfig.trustedSchema, 0, 0);
    for (const [limit, value] of LIMITS) sqlite.raw.sqlite3_limit(db, limit, value);
  }
  const openBeside = (location: string): WasmConnection =>
    openConnection(sqlite, hooks, target.beside(location), { durability: 'balanced' });
  const connection = new WasmConnection(sqlite, hooks, db, {
    location: target.location,
    logs: target.logs,
    openBeside,
  });
  try {
    configure(connection, target, options);
    if (options.standIns !== undefined && options.standIns.length > 0)
      connection.standIns = hooks.define(connection, options.standIns);
    connection.settings.shareCache(target.caches, options.cacheBytes ?? MEMORY_BUDGET.pageCache);
    return connection;
  } catch (error) {
    const explained = explain(connection, error);
    connection.close();
    throw explained;
  }
}

function openHandle(sqlite: Sqlite, target: OpenTarget, create: boolean): Pointer {
  const { raw, heap, out } = sqlite;
  const name = heap.allocateText(target.fileName);
  const vfs = heap.allocateText(target.vfsName);
  const flags = OpenFlag.readWrite | OpenFlag.extendedResults | (create ? OpenFlag.create : 0);
  const code = raw.sqlite3_open_v2(name.pointer, out, flags, vfs.pointer);
  heap.free(name.pointer);
  heap.free(vfs.pointer);
  const db = heap.pointerAt(out);
  if (code === 0) return db;
  const error = sqliteError(sqlite, db, code);
  raw.sqlite3_close_v2(db);
  throw error;
}

function configure(connection: WasmConnection, target: OpenTarget, options: OpenOptions): void {
  if (options.tolerant === true) connection.run('PRAGMA writable_schema = ON');
  // WAL without shared memory needs this to come first; later it is too late for a file that already is in WAL mode.
  if (target.logs !== null) connection.run('PRAGMA locking_mode = EXCLUSIVE');
  if (options.untrusted !== false && options.create !== true)
    connection.assertSchemaLoads({
      mostMs: options.isOfOthers === true ? MOST_LOAD_MS : Infinity,
      namesMayLie: options.tolerant === true,
    });
  if (target.logs !== null) {
    if (options.scratch === true) configureScratch(connection);
    else configureLog(connection, options);
  }
  if (options.tolerant === true) connection.run('PRAGMA query_only = ON');
  // Skip this for a damaged file that is to be saved: a page with one broken cell would be given up as a whole.
  else if (options.untrusted !== false) connection.run('PRAGMA cell_size_check = ON');
  connection.run('PRAGMA foreign_keys = ON');
  // Reads the schema, so that a file that is not a database fails here and not in the first query.
  connection.one('SELECT 1 FROM sqlite_schema');
  connection.heavyGuard.turnOn();
  if (options.scratch !== true) connection.learnLog();
}

function configureLog(connection: WasmConnection, options: OpenOptions): void {
  connection.run('PRAGMA journal_mode = WAL');
  // Space that one large transaction has added is given back.
  connection.run(`PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`);
  connection.setDurability(options.durability);
}

/** A failed statement is rolled back; after a crash the file is discarded. Pages of a new file need no copy in a journal, so it stays small. */
function configureScratch(connection: WasmConnection): void {
  connection.run('PRAGMA journal_mode = MEMORY');
  connection.run('PRAGMA synchronous = OFF');
}

/** SQLite says “not a database” for a format of the future too: the file itself tells them apart. */
function explain(connection: WasmConnection, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'not-a-database') return error;
  const header = connection.readFile(0, 20);
  const isSqlite = new TextDecoder().decode(header.subarray(0, 16)) === 'SQLite format 3\0';
  if (!isSqlite || header[19]! <= 2) return error;
  return AppError.tooNew('The file was written by a newer version of SQLite and cannot be read.');
}

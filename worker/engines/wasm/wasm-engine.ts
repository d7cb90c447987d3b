// The engine of the product: SQLite's own wasm build over the library's file pool, or in memory only.
import { DATABASE_KINDS } from '#shared/protocol/database-kinds.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { Connection, Engine, OpenOptions } from '../engine.ts';
import { CacheBudget } from '../memory-budget.ts';
import { Hooks } from './runtime/hooks.ts';
import { openFilePool, type FilePool, type PoolOptions, type SahFilePool } from './storage/file-pool.ts';
import { loadSqlite, type Sqlite } from './runtime/load.ts';
import { openConnection, type OpenTarget } from './storage/open.ts';
import { warmUp } from './runtime/warm-up.ts';

/** Location of a database in memory, which ends with its connection. Every other location is a name in the pool. */
export const IN_MEMORY = ':memory:';

/**
 * Uses SQLite's memory file system rather than a nameless database, because its file can be read. A name without a slash is not shared
 * between connections.
 */
const MEMORY_TARGET = { location: IN_MEMORY, fileName: 'memory', vfsName: 'memdb', logs: null } as const;

export interface WasmEngine {
  readonly engine: Engine;
  /** Null without `pool` options: then only {@link IN_MEMORY} can be opened. */
  readonly pool: FilePool | null;
  /** Call after the start: makes the first queries as fast as later ones, unless a database has been opened before. */
  warmUp(): void;
}

/** @throws AppError of `openFilePool` */
export async function createWasmEngine(
  options: { readonly pool?: PoolOptions; readonly caches?: CacheBudget } = {},
): Promise<WasmEngine> {
  const sqlite = await loadSqlite();
  const pool = options.pool === undefined ? null : await openFilePool(sqlite, options.pool);
  const engine = new SqliteWasm(sqlite, pool, options.caches ?? new CacheBudget());
  return { engine, pool, warmUp: () => engine.warmUp() };
}

class SqliteWasm implements Engine {
  readonly info: EngineInfo;
  readonly #sqlite: Sqlite;
  readonly #hooks: Hooks;
  readonly #pool: SahFilePool | null;
  readonly #caches: CacheBudget;
  #opened = 0;

  constructor(sqlite: Sqlite, pool: SahFilePool | null, caches: CacheBudget) {
    this.#sqlite = sqlite;
    this.#hooks = new Hooks(sqlite);
    this.#pool = pool;
    this.#caches = caches;
    const { libVersion, sourceId } = sqlite.package.version;
    this.info = {
      kind: 'wasm',
      sqliteVersion: libVersion,
      sqliteSourceId: sourceId,
      capabilities: DATABASE_KINDS.library.capabilities,
    };
  }

  warmUp(): void {
    const opened = this.#opened;
    const open = (): Connection => this.#open(IN_MEMORY, { durability: 'balanced', create: true });
    // The start does not need it, so a failure here is ignored.
    warmUp(open, () => this.#opened === opened).catch(() => undefined);
  }

  open(location: string, options: OpenOptions): Connection {
    this.#opened++;
    return this.#open(location, options);
  }

  #open(location: string, options: OpenOptions): Connection {
    return openConnection(this.#sqlite, this.#hooks, this.#target(location, options), options);
  }

  #target(location: string, options: Pick<OpenOptions, 'create'>): OpenTarget {
    const beside = (other: string): OpenTarget => this.#target(other, {});
    const caches = this.#caches;
    if (location === IN_MEMORY) return { ...MEMORY_TARGET, caches, beside };
    if (this.#pool !== null && (options.create === true || this.#pool.has(location))) {
      const { vfsName, logs } = this.#pool;
      return { location, fileName: location, vfsName, logs, caches, beside };
    }
    throw AppError.notFound(`There is no database file “${location}” in the library.`);
  }
}

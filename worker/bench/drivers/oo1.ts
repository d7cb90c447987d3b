// SQLite's wasm module by its package's own object interface (sqlite.org/wasm, “oo1”), as most apps use it: the stock pool, the file
// systems `opfs` and `opfs-wl`, and libSQL's build of the same.
import type { EngineDefinition, EngineId } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Sqlite } from '../../engines/wasm/runtime/load.ts';
import type { BenchDatabase, BenchDriver, DriverLocation } from '../driver.ts';
import type { Param, ParamRow } from '../program.ts';
import { removeOpfsFile, removeOpfsFolder } from './opfs-folder.ts';
import { importThirdParty, thirdPartyHash } from './third-party-files.ts';
import { performSync, syncDatabase, type SyncBinding } from './database.ts';

/** SQLite's package has types, libSQL's of the same interface has none. */
export type Oo1Module = Sqlite['package'] & {
  readonly oo1: { readonly JsStorageDb: { clearStorage(name: string): number } };
  readonly wasm: { compileOptionUsed(): Readonly<Record<string, unknown>> };
};

type Oo1Database = InstanceType<Oo1Module['oo1']['DB']>;

type Limit = () => string | null;

/** Storage for the databases of one engine. */
interface Storage {
  open(name: string): Oo1Database;
  create?(name: string, file: Uint8Array): unknown;
  remove(name: string): unknown;
  end(): unknown;
  /** Why the thrown error is a limit of this storage rather than a failure; null when it is a failure. Missing: it always is. */
  readonly limit?: Limit;
}

/** Defaults of an app that sets nothing: a rollback journal. A run that asked for something else notes that beside its numbers. */
const STOCK = { journal_mode: 'delete', locking_mode: 'normal' } as const;

const FOLDERS = { sqlite: 'sqlite-wasm', libsql: 'libsql-wasm' } as const;

export async function startDriver(engine: EngineDefinition, place: DriverLocation): Promise<BenchDriver> {
  const folder = engine.id === 'libsql-wasm' ? FOLDERS.libsql : FOLDERS.sqlite;
  const file = engine.id === 'libsql-wasm' ? 'sqlite3-bundler-friendly.mjs' : 'index.mjs';
  const { default: start } = await importThirdParty<{ default(): Promise<Oo1Module> }>(engine, `${folder}/${file}`);
  const module = await start();
  const storage = await storageOf(engine.id, module, place);
  const create = async (name: string, pragmas: Pragmas, bytes?: Uint8Array): Promise<BenchDatabase> => {
    await storage.remove(name);
    if (bytes) {
      if (!storage.create) throw AppError.unavailable(`${engine.label} takes no file.`);
      await storage.create(name, bytes);
    }
    return open(name, pragmas);
  };
  const open = (name: string, pragmas: Pragmas): BenchDatabase =>
    withinLimit(storage.limit, () => oo1Database(module, storage.open(name), pragmas, storage.limit));
  return {
    facts: {
      version: module.capi.sqlite3_libversion(),
      sourceId: module.capi.sqlite3_sourceid(),
      compileOptions: Object.keys(module.wasm.compileOptionUsed()),
      sha256: await thirdPartyHash(`${folder}/sqlite3.wasm`),
    },
    create,
    open,
    remove: async (name) => void (await storage.remove(name)),
    heapBytes: () => module.wasm.heap8u().length,
    end: async () => void (await storage.end()),
  };
}

async function storageOf(id: EngineId, module: Oo1Module, { directory }: DriverLocation): Promise<Storage> {
  if (id === 'libsql-wasm') {
    const nothing = (): void => undefined;
    return { open: () => new module.oo1.DB(':memory:', 'c'), remove: nothing, end: nothing };
  }
  if (id === 'sahpool') {
    const pool = await module.installOpfsSAHPoolVfs!({ directory: `/${directory}`, initialCapacity: 6 });
    return {
      open: (name) => new pool.OpfsSAHPoolDb(`/${name}`),
      create: (name, file) => pool.importDb(`/${name}`, file),
      remove: (name) => pool.unlink(`/${name}`),
      end: () => pool.removeVfs(),
    };
  }
  if (id === 'kvvfs') return localStorageOf(module);
  const Database = id === 'opfs-wl' ? module.oo1.OpfsWlDb : module.oo1.OpfsDb;
  if (!Database)
    throw AppError.unavailable(
      'This VFS did not start here: it needs a cross-origin isolated worker and Atomics.waitAsync.',
    );
  const path = (name: string): string => `/${directory}/${name}`;
  return {
    open: (name) => new Database(path(name), 'c'),
    create: (name, file) => Database.importDb!(path(name), file),
    async remove(name) {
      for (const suffix of ['', '-journal', '-wal']) await removeOpfsFile(path(name) + suffix);
    },
    end: () => removeOpfsFolder(directory),
  };
}

/** A single database, whatever its name: there is one `localStorage`, and only where there is a window. */
function localStorageOf({ oo1: { JsStorageDb }, config }: Oo1Module): Storage {
  if (!JsStorageDb || !('localStorage' in globalThis))
    throw AppError.unavailable('kvvfs keeps pages in localStorage, which only a window has.');
  let isFull = false;
  const { error } = config;
  // It tells SQLite of an I/O error, which may be anything, and only its log of what it was.
  config.error = (...told) => {
    if (told.some((one) => one instanceof DOMException && one.name === 'QuotaExceededError')) isFull = true;
    else error(...told);
  };
  const clear = (): void => {
    isFull = false;
    JsStorageDb.clearStorage('local');
  };
  const limit = (): string | null => (isFull ? KVVFS_LIMIT : null);
  return { open: () => new JsStorageDb('local'), remove: clear, end: clear, limit };
}

const KVVFS_LIMIT =
  'localStorage is full: a browser gives an origin some 5 million characters, and kvvfs writes its pages and its journal as text. A smaller size may do.';

/** @throws AppError `unavailable` where that is the reason */
function withinLimit<T>(limit: Limit | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const why = limit?.() ?? null;
    throw why === null ? error : AppError.unavailable(why);
  }
}

export function oo1Database(module: Oo1Module, database: Oo1Database, asked: Pragmas, limit?: Limit): BenchDatabase {
  const isFile = asked.journal_mode === 'wal';
  const binding = bindingOf(module, database);
  return syncDatabase(binding, isFile ? { ...asked, ...STOCK } : asked, {
    perform: (step, recorder) => withinLimit(limit, () => performSync(binding, step, recorder)),
    define(functions) {
      for (const { name, arity, call } of functions) {
        database.createFunction(name, (_context, ...args) => call(...(args as ParamRow)), {
          arity,
          deterministic: true,
        });
      }
    },
  });
}

function bindingOf({ capi }: Oo1Module, database: Oo1Database): SyncBinding {
  return {
    close: () => database.close(),
    // The exec of oo1 itself steps only the first SELECT to its end.
    exec: (sql) => void database.checkRc(capi.sqlite3_exec(database, sql, 0, 0, 0)),
    prepare(sql) {
      const statement = database.prepare(sql);
      const row: (Param | bigint)[] = [];
      const bind = (params: ParamRow): void => {
        if (params.length > 0) statement.bind(params);
      };
      return {
        run(params) {
          bind(params);
          statement.step();
          statement.reset();
          return capi.sqlite3_changes(database);
        },
        read(params, sink) {
          bind(params);
          while (statement.step()) {
            for (const value of statement.get(row)) sink.value(value);
            sink.endRow();
          }
          statement.reset();
        },
        finalize: () => void statement.finalize(),
      };
    },
  };
}

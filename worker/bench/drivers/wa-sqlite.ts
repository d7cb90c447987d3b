// wa-sqlite (the fork that PowerSync maintains) with its own file systems, through its own API.
/// <reference types="@journeyapps/wa-sqlite" />
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { Pragmas } from '#shared/bench/profile.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase, BenchDriver, DriverLocation } from '../driver.ts';
import type { Param, ParamRow } from '../program.ts';
import { asyncDatabase, sqliteFacts, type AsyncBinding } from './database.ts';
import { removeOpfsFile, removeOpfsFolder } from './opfs-folder.ts';
import { importThirdParty, thirdPartyHash } from './third-party-files.ts';

type Handle = number;

type WaFiles = SQLiteVFS & { jDelete(path: string, sync: number): number | Promise<number> };

interface WaModule {
  readonly HEAPU8: Uint8Array;
}

/** Build and file system of each engine. Asynchronous builds are larger and slower; only some file systems need one. */
const KINDS: Readonly<Record<string, { readonly build: string; readonly files: string; readonly ownLog?: true }>> = {
  'wa-sqlite-memory': { build: 'wa-sqlite', files: 'MemoryVFS' },
  'wa-sqlite-pool': { build: 'wa-sqlite', files: 'AccessHandlePoolVFS' },
  'wa-sqlite-coop': { build: 'wa-sqlite', files: 'OPFSCoopSyncVFS' },
  'wa-sqlite-write-ahead': { build: 'wa-sqlite', files: 'OPFSWriteAheadVFS', ownLog: true },
  'wa-sqlite-idb': { build: 'wa-sqlite-async', files: 'IDBBatchAtomicVFS' },
};

/** `readwrite-unsafe` of createSyncAccessHandle. */
const SHARED_HANDLES_SINCE = 121;
const ROW = 100;
const READWRITE_CREATE = 2 | 4;
const UTF8_DETERMINISTIC = 1 | 0x800;

export async function startDriver(engine: EngineDefinition, { directory }: DriverLocation): Promise<BenchDriver> {
  const { build, files, ownLog = false } = KINDS[engine.id]!;
  if (engine.id === 'wa-sqlite-write-ahead' && chromiumVersion() < SHARED_HANDLES_SINCE) {
    const message = `${engine.label} opens its files for several at once, which Chromium can from version ${SHARED_HANDLES_SINCE} on; this is ${chromiumVersion()}.`;
    throw AppError.unavailable(message);
  }
  const { default: start } = await importThirdParty<{ default(): Promise<WaModule> }>(
    engine,
    `wa-sqlite/dist/${build}.mjs`,
  );
  const { Factory } = await importThirdParty<{ Factory(module: WaModule): SQLiteAPI }>(
    engine,
    'wa-sqlite/src/sqlite-api.js',
  );
  const module = await start();
  const sqlite = Factory(module);
  const vfs = await startFiles(engine, module, files, directory);
  sqlite.vfs_register(vfs, false);
  const unnamed = await sqlite.open_v2(`/${directory}/facts.db`, READWRITE_CREATE, directory);
  const facts = await sqliteFacts(bindingOf(sqlite, unnamed));
  // Some of these file systems cannot delete a closed file: each database gets a name of its own.
  const paths = new Map<string, string>();
  let created = 0;
  const open = async (name: string, pragmas: Pragmas): Promise<BenchDatabase> => {
    const db = await sqlite.open_v2(paths.get(name) ?? `/${name}`, READWRITE_CREATE, directory);
    // A file system with its own log supports none of SQLite's.
    return openDatabase(sqlite, db, ownLog ? { ...pragmas, journal_mode: 'delete' } : pragmas);
  };
  const remove = async (name: string): Promise<void> => {
    const path = paths.get(name);
    if (path === undefined) return;
    paths.delete(name);
    if (ownLog) for (const suffix of ['', '-wa0', '-wa1']) await removeOpfsFile(path + suffix);
    else for (const suffix of ['', '-journal', '-wal']) await vfs.jDelete(path + suffix, 1);
  };
  return {
    facts: { ...facts, sha256: await thirdPartyHash(`wa-sqlite/dist/${build}.wasm`) },
    async create(name, pragmas, file) {
      if (file) throw AppError.unavailable(`${engine.label} takes no file.`);
      await remove(name);
      paths.set(name, `/${directory}/${name}-${++created}`);
      return open(name, pragmas);
    },
    open,
    remove,
    heapBytes: () => module.HEAPU8.length,
    async end() {
      await vfs.close?.();
      await removeOpfsFolder(directory);
    },
  };
}

function chromiumVersion(): number {
  return Number(/Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? 0);
}

async function startFiles(
  engine: EngineDefinition,
  module: WaModule,
  name: string,
  directory: string,
): Promise<WaFiles> {
  const found = await importThirdParty<Record<string, { create(name: string, module: WaModule): Promise<WaFiles> }>>(
    engine,
    `wa-sqlite/src/examples/${name}.js`,
  );
  return found[name]!.create(directory, module);
}

/** A WAL needs exclusive locking here, and some of these file systems have none: the resulting settings are read back and shown. */
function openDatabase(sqlite: SQLiteAPI, db: Handle, pragmas: Pragmas): Promise<BenchDatabase> {
  return asyncDatabase(bindingOf(sqlite, db), pragmas, {
    define(functions) {
      for (const { name, arity, call } of functions) {
        sqlite.create_function(db, name, arity, UTF8_DETERMINISTIC, 0, (context, values) => {
          const args = Array.from(values, (value) => sqlite.value(value) as Param);
          sqlite.result(context, call(...args));
        });
      }
    },
  });
}

function bindingOf(sqlite: SQLiteAPI, db: Handle): AsyncBinding {
  return {
    close: async () => void (await sqlite.close(db)),
    async exec(sql) {
      for await (const statement of sqlite.statements(db, sql, { unscoped: false })) {
        while ((await sqlite.step(statement)) === ROW);
      }
    },
    async prepare(sql) {
      const statement = await first(sqlite.statements(db, sql, { unscoped: true }));
      const bind = (params: ParamRow): void => {
        if (params.length > 0) sqlite.bind_collection(statement, params as Param[]);
      };
      return {
        async run(params) {
          bind(params);
          await sqlite.step(statement);
          await sqlite.reset(statement);
          return sqlite.changes(db);
        },
        async read(params, sink) {
          bind(params);
          while ((await sqlite.step(statement)) === ROW) {
            for (const value of sqlite.row(statement)) sink.value(value);
            sink.endRow();
          }
          await sqlite.reset(statement);
        },
        finalize: async () => void (await sqlite.finalize(statement)),
      };
    },
  };
}

async function first(statements: AsyncIterable<Handle>): Promise<Handle> {
  for await (const statement of statements) return statement;
  throw new Error('The text has no statement.');
}

// PGlite: PostgreSQL in wasm, through its own API. It has none of SQLite's settings, so a run reports its own settings instead.
import type { PGlite, Results } from '@electric-sql/pglite';
import type { EngineDefinition, EngineId } from '#shared/bench/engines.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { BenchDatabase, BenchDriver, DriverLocation } from '../driver.ts';
import type { Param, ParamRow } from '../program.ts';
import { performAsync, sinkRows } from './database.ts';
import { removeOpfsFolder } from './opfs-folder.ts';
import { importThirdParty, thirdPartyHash } from './third-party-files.ts';

interface PGliteModule {
  readonly PGlite: { create(options: object): Promise<PGlite> };
}

type PGliteCalls = Pick<PGlite, 'exec' | 'query'>;

/** It returns count, sum and avg as text unless configured otherwise. Object ids of pg_type. */
const NUMBERS = { 20: Number, 700: Number, 701: Number, 1700: Number } as const;
/** PostgreSQL's settings for durability and memory. */
const SETTINGS = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'block_size'] as const;

/** When a commit is acknowledged: PostgreSQL itself never flushes here, PGlite's file systems do. */
const KEPT: Readonly<Partial<Record<EngineId, string>>> = {
  'pglite-memory': 'nothing is kept',
  'pglite-idb': 'every statement outside a transaction is answered once all changed files, whole, are in IndexedDB',
  'pglite-idb-relaxed': 'commits are answered before they are in IndexedDB',
  'pglite-opfs': 'commits are answered once their files are flushed',
  'pglite-opfs-relaxed': 'commits are answered before their files are flushed',
};

const query = (calls: PGliteCalls, sql: string, params: ParamRow = []): Promise<Results<readonly unknown[]>> =>
  calls.query(sql, params as Param[], { rowMode: 'array' });

export async function startDriver(engine: EngineDefinition, { directory }: DriverLocation): Promise<BenchDriver> {
  takeBuffers();
  const { PGlite } = await importThirdParty<PGliteModule>(engine, 'pglite/index.js');
  const storage = storageOf(engine.id, directory);
  const open = async (name: string, image?: Blob): Promise<BenchDatabase> =>
    databaseOf(
      await PGlite.create({
        dataDir: storage.address(name),
        relaxedDurability: engine.id.endsWith('-relaxed'),
        parsers: NUMBERS,
        ...(image && { loadDataDir: image }),
      }),
    );
  const first = await PGlite.create({ dataDir: 'memory://' });
  const show = async (name: string): Promise<string> => String((await query(first, `SHOW ${name}`)).rows[0]);
  const version = `PostgreSQL ${await show('server_version')}`;
  const settings = [KEPT[engine.id]!];
  for (const name of SETTINGS) settings.push(`${name} is ${await show(name)}`);
  // A new cluster takes seconds, and each sample gets one: all are copies of the first.
  const image = await first.dumpDataDir('none');
  await first.close();
  return {
    facts: {
      version,
      sourceId: null,
      compileOptions: [],
      settings,
      sha256: await thirdPartyHash('pglite/pglite.wasm'),
    },
    async create(name, _pragmas, file) {
      if (file) throw AppError.unavailable(`${engine.label} cannot open a SQLite file.`);
      await storage.remove(name);
      return open(name, image);
    },
    open: (name) => open(name),
    remove: (name) => storage.remove(name),
    heapBytes: () => null,
    end: () => storage.end(),
  };
}

/** PGlite's files read into plain buffers, which handles of Chromium 108 refuse: they take views only. */
function takeBuffers(): void {
  const { prototype } = FileSystemSyncAccessHandle;
  for (const name of ['read', 'write'] as const) {
    const plain = prototype[name];
    prototype[name] = function (bytes, options) {
      return plain.call(this, bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes, options);
    };
  }
}

interface Storage {
  address(name: string): string;
  remove(name: string): Promise<void>;
  end(): Promise<void>;
}

function storageOf(id: EngineId, directory: string): Storage {
  const nothing = async (): Promise<void> => undefined;
  if (id === 'pglite-memory') return { address: () => 'memory://', remove: nothing, end: nothing };
  if (id.startsWith('pglite-idb')) {
    const nameOf = (name: string): string => `${directory.replaceAll('/', '-')}-${name}`;
    return {
      address: (name) => `idb://${nameOf(name)}`,
      // Emscripten's file system adds this prefix to PGlite's name.
      remove: (name) => deleteIndexedDb(`/pglite/${nameOf(name)}`),
      end: nothing,
    };
  }
  const pathOf = (name: string): string => `${directory}/${name}`;
  return {
    address: (name) => `opfs-ahp://${pathOf(name)}`,
    remove: (name) => removeOpfsFolder(pathOf(name)),
    end: () => removeOpfsFolder(directory),
  };
}

function deleteIndexedDb(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error ?? new Error('IndexedDB gave no reason.'));
  });
}

interface Transaction {
  readonly calls: PGliteCalls;
  commit(): Promise<void>;
}

/** A transaction as PGlite's users write it: after a plain BEGIN, every statement would be stored by itself. */
function begin(database: PGlite): Promise<Transaction> {
  return new Promise((resolve, reject) => {
    const done = database.transaction(
      (calls) =>
        new Promise<void>((end) => {
          const commit = async (): Promise<void> => {
            end();
            await done;
            // PGlite stores what was committed only with the next statement.
            await database.syncToFs();
          };
          resolve({ calls, commit });
        }),
    );
    done.catch(reject);
  });
}

export function databaseOf(database: PGlite): BenchDatabase {
  let transaction: Transaction | null = null;
  const now = (): PGliteCalls => transaction?.calls ?? database;
  const commit = async (): Promise<void> => {
    const ending = transaction;
    transaction = null;
    await ending?.commit();
  };
  const calls = {
    async exec(sql: string) {
      if (sql === 'BEGIN') transaction = await begin(database);
      else if (sql === 'COMMIT') await commit();
      else await now().exec(sql);
    },
    prepare: async (text: string) => {
      let number = 0;
      const sql = text.replaceAll('?', () => `$${++number}`);
      return {
        run: async (params: ParamRow) => (await query(now(), sql, params)).affectedRows ?? 0,
        read: async (params: ParamRow, sink: RowSink) => sinkRows((await query(now(), sql, params)).rows, sink),
        finalize: async () => undefined,
      };
    },
  };
  return {
    perform: (step, recorder) => performAsync(calls, step, recorder),
    prepare: (sql) => calls.prepare(sql),
    pragmas: () => ({}),
    async sizeBytes() {
      return Number((await query(database, 'SELECT pg_database_size(current_database())')).rows[0]?.[0]);
    },
    async close() {
      // PGlite waits for the end of a transaction, even of one that was given up.
      await commit();
      await database.close();
    },
  };
}

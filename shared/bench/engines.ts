// Every engine that can be measured, one row each: what it is, where it runs, its driver, and which files it needs beside the app; and lookups: by
// name, the profile of an engine, and its reference.
import type { ProfileName } from './profile.ts';

export type EngineGroup = 'sidelite' | 'native' | 'sqlite-wasm' | 'others';

/** Files of an npm package that an engine needs beside the app. A package that is not installed is left out. */
export type EngineFiles =
  /** Files of a folder in `node_modules`, as the package ships them, in a folder of `third-party/`. */
  | { readonly way: 'copied'; readonly folder: string; readonly from: string; readonly files: RegExp }
  /** One module bundled with all its imports, in a folder of `third-party/`. */
  | { readonly way: 'bundled'; readonly folder: string; readonly entry: string }
  /** Node packages: the driver loads `main`, which is stored with its own dependencies in these folders of `node_modules`. */
  | { readonly way: 'packages'; readonly main: string; readonly folders: readonly string[] };

interface EngineRow {
  /** Used on the command line and in results: never rename. */
  readonly id: string;
  /** Label of a column: “Sidelite, OPFS, balanced”. */
  readonly label: string;
  /** A sentence that helps the user choose. */
  readonly description: string;
  readonly group: EngineGroup;
  /** `wasm`: SQLite's own wasm build, `native`: SQLite inside Node; `third-party`: a different product. */
  readonly kind: 'wasm' | 'native' | 'third-party';
  readonly storage: 'memory' | 'file';
  /** `worker`: a worker of the host page; `process`: a thread of the bench process. */
  readonly runsIn: 'worker' | 'process';
  /** The driver that makes it run the tests, by its name in the driver registry. */
  readonly driver: string;
  /** The profile it is opened with. Null: the profile of the run. */
  readonly profile: ProfileName | null;
  readonly dialect: 'sqlite' | 'postgres';
  /** Too slow or too limited for more: larger sizes are skipped, with a message. */
  readonly maxSize?: number;
  /** Missing: it needs only what the app already has. */
  readonly files?: readonly EngineFiles[];
}

const copied = (folder: string, from: string, files: RegExp): EngineFiles => ({ way: 'copied', folder, from, files });
const packages = (main: string, ...folders: string[]): EngineFiles => ({ way: 'packages', main, folders });

const sqlite = { dialect: 'sqlite' } as const;
const wasm = { ...sqlite, kind: 'wasm', runsIn: 'worker' } as const;
const sidelite = { ...wasm, group: 'sidelite', driver: 'product' } as const;
const native = { ...sqlite, group: 'native', kind: 'native', runsIn: 'process' } as const;
const betterSqlite = { ...native, driver: 'better-sqlite' } as const;
const nodeSqlite = { ...native, driver: 'node-sqlite' } as const;
const thirdParty = { ...sqlite, group: 'others', kind: 'third-party', profile: null } as const;
const inWorker = { ...thirdParty, runsIn: 'worker' } as const;
const inProcess = { ...thirdParty, runsIn: 'process' } as const;
const memory = { storage: 'memory', profile: 'memory' } as const;
const file = { storage: 'file' } as const;
/** A few megabytes. */
const small = { ...file, maxSize: 25_000 } as const;
const balanced = { ...file, profile: 'balanced' } as const;
const full = { ...file, profile: 'full' } as const;

const sqliteWasm = {
  ...wasm,
  group: 'sqlite-wasm',
  driver: 'oo1',
  profile: null,
  // A second copy of the module, with the helper workers that the product's bundle leaves out.
  files: [
    copied('sqlite-wasm', '@sqlite.org/sqlite-wasm/dist', /^(index\.mjs|sqlite3\.wasm|sqlite3-opfs-async-proxy\.js)$/),
  ],
} as const;
const waSqlite = {
  ...inWorker,
  driver: 'wa-sqlite',
  files: [
    copied('wa-sqlite/src', '@journeyapps/wa-sqlite/src', /^[\w-]+\.js$|^examples$|^examples\/\w+\.js$/),
    copied('wa-sqlite/dist', '@journeyapps/wa-sqlite/dist', /^wa-sqlite(-async)?\.(mjs|wasm)$/),
  ],
} as const;
const PGLITE_FILES = /^(fs\/)?(?!initdb\.js|templating)[\w-]+\.js$|^fs$|^(pglite|initdb)\.(js|wasm|data)$/;
const pglite = {
  ...inWorker,
  dialect: 'postgres',
  driver: 'pglite',
  files: [copied('pglite', '@electric-sql/pglite/dist', PGLITE_FILES)],
} as const;
const LIBSQL_FILES = /^sqlite3(-bundler-friendly\.mjs|\.wasm|-opfs-async-proxy\.js)$/;
const libsqlWasm = {
  ...inWorker,
  driver: 'oo1',
  files: [copied('libsql-wasm', '@libsql/libsql-wasm-experimental/sqlite-wasm/jswasm', LIBSQL_FILES)],
} as const;
const inThread = { ...inProcess, driver: 'third-party' } as const;
const libsql = { ...inThread, files: [packages('libsql', 'libsql', '@libsql', '@neon-rs', 'detect-libc')] } as const;
const turso = { ...inThread, files: [packages('@tursodatabase/database', '@tursodatabase')] } as const;
const TURSO_WASM = 'node_modules/@tursodatabase/database-wasm/dist/promise-default.js';
const tursoWasm = {
  ...inWorker,
  driver: 'turso-wasm',
  files: [{ way: 'bundled', folder: 'turso-wasm', entry: TURSO_WASM }],
} as const;
const sqlJs = {
  ...inWorker,
  driver: 'sql-js',
  files: [copied('sql.js', 'sql.js/dist', /^sql-wasm-browser\.wasm$/)],
} as const;
const nodeSqlite3 = { ...inProcess, driver: 'sqlite3', files: [packages('sqlite3', 'sqlite3')] } as const;

type Base = Omit<EngineRow, 'id' | 'label' | 'description' | 'storage' | 'profile'> &
  Partial<Pick<EngineRow, 'profile'>>;
type Own = Pick<EngineRow, 'storage' | 'maxSize'> & Partial<Pick<EngineRow, 'profile'>>;

const ENGINE_TABLE = [
  ['memory', 'Sidelite, memory', 'SQLite as wasm. The database is lost when its window closes.', sidelite, memory],
  [
    'opfs-balanced',
    'Sidelite, OPFS, balanced',
    'How Sidelite stores databases: OPFS, WAL, flushed at checkpoints.',
    sidelite,
    balanced,
  ],
  ['opfs-full', 'Sidelite, OPFS, full', 'The same, flushed at each commit.', sidelite, full],
  [
    'sahpool',
    'sqlite-wasm, opfs-sahpool, default settings',
    'SQLite’s own pool of OPFS files with its default journal mode.',
    sqliteWasm,
    file,
  ],
  ['opfs-vfs', 'sqlite-wasm, opfs', 'SQLite’s OPFS file system with locks between tabs.', sqliteWasm, file],
  ['opfs-wl', 'sqlite-wasm, opfs-wl', 'The same with the Web Locks API.', sqliteWasm, file],
  ['kvvfs', 'sqlite-wasm, kvvfs', 'Pages in the browser’s local storage: a few megabytes at most.', sqliteWasm, small],
  [
    'native-memory',
    'better-sqlite3, memory',
    'SQLite in Node through better-sqlite3, in memory. Baseline for memory ratios.',
    betterSqlite,
    memory,
  ],
  [
    'native-balanced',
    'better-sqlite3, file, balanced',
    'better-sqlite3 on a file with WAL and NORMAL. Baseline for balanced ratios.',
    betterSqlite,
    balanced,
  ],
  [
    'native-full',
    'better-sqlite3, file, full',
    'better-sqlite3 on a file with WAL and FULL. Baseline for full ratios.',
    betterSqlite,
    full,
  ],
  ['node-sqlite-memory', 'node:sqlite, memory', 'Node’s built-in SQLite, in memory.', nodeSqlite, memory],
  [
    'node-sqlite-balanced',
    'node:sqlite, file, balanced',
    'Node’s built-in SQLite, on a file, balanced.',
    nodeSqlite,
    balanced,
  ],
  ['node-sqlite-full', 'node:sqlite, file, full', 'Node’s built-in SQLite, on a file, full.', nodeSqlite, full],
  ['wa-sqlite-memory', 'wa-sqlite, memory', 'Another build of SQLite as wasm, in memory.', waSqlite, memory],
  ['wa-sqlite-pool', 'wa-sqlite, AccessHandlePool', 'wa-sqlite over a pool of OPFS access handles.', waSqlite, file],
  [
    'wa-sqlite-coop',
    'wa-sqlite, OPFSCoopSync',
    'wa-sqlite over OPFS, shared between tabs by handing over access handles.',
    waSqlite,
    file,
  ],
  [
    'wa-sqlite-write-ahead',
    'wa-sqlite, OPFSWriteAhead',
    'wa-sqlite over OPFS with its own write-ahead log.',
    waSqlite,
    file,
  ],
  [
    'wa-sqlite-idb',
    'wa-sqlite, IDBBatchAtomic',
    'wa-sqlite in IndexedDB, writing batches as transactions.',
    waSqlite,
    file,
  ],
  [
    'pglite-memory',
    'PGlite, memory',
    'PostgreSQL as wasm, in memory: a different database, not SQLite.',
    pglite,
    memory,
  ],
  [
    'pglite-idb',
    'PGlite, IndexedDB',
    'PostgreSQL as wasm, stored in IndexedDB: each statement outside a transaction writes whole files.',
    pglite,
    file,
  ],
  ['pglite-idb-relaxed', 'PGlite, IndexedDB, relaxed', 'The same, answering before data is saved.', pglite, file],
  ['pglite-opfs', 'PGlite, OPFS pool', 'PostgreSQL as wasm over a pool of OPFS access handles.', pglite, file],
  ['pglite-opfs-relaxed', 'PGlite, OPFS pool, relaxed', 'The same, answering before data is saved.', pglite, file],
  ['libsql-wasm', 'libSQL wasm', 'The libSQL fork of SQLite as wasm, in memory.', libsqlWasm, memory],
  ['libsql', 'libSQL native', 'The libSQL fork of SQLite in Node, on a file.', libsql, file],
  ['turso', 'Turso native', 'A rewrite of SQLite in Rust, in Node, on a file.', turso, file],
  ['turso-wasm', 'Turso wasm', 'The rewrite in Rust as wasm, over OPFS.', tursoWasm, file],
  ['sql-js', 'sql.js', 'The oldest build of SQLite as wasm, in memory.', sqlJs, memory],
  ['sqlite3', 'node-sqlite3', 'SQLite in Node through node-sqlite3, asynchronous, on a file.', nodeSqlite3, file],
] as const satisfies readonly (readonly [id: string, label: string, description: string, base: Base, own: Own])[];

type Row = (typeof ENGINE_TABLE)[number];

export type EngineId = Row[0];

/** Drivers of the engines that run in `Where`. */
export type DriverName<Where extends EngineRow['runsIn']> = Extract<Row[3], { readonly runsIn: Where }>['driver'];

export interface EngineDefinition extends EngineRow {
  readonly id: EngineId;
}

export const ENGINES: readonly EngineDefinition[] = ENGINE_TABLE.map(([id, label, description, base, own]) => ({
  profile: null,
  ...base,
  ...own,
  id,
  label,
  description,
}));

export const engineOf = (id: string): EngineDefinition | null => ENGINES.find((engine) => engine.id === id) ?? null;

/** The profile that the engine is opened with in a run of `run`. */
export function profileOf(engine: EngineDefinition, run: ProfileName): ProfileName {
  if (engine.storage === 'memory') return 'memory';
  // An engine that stores files cannot be measured in memory.
  return engine.profile ?? (run === 'memory' ? 'balanced' : run);
}

/** The reference for a ratio of 1: better-sqlite3 with the same storage and profile. */
export function referenceOf(engine: EngineDefinition, run: ProfileName): EngineId {
  return `native-${profileOf(engine, run)}`;
}

/** Aliases that mean an engine of the run's profile. */
const SHORT: Readonly<Record<string, Readonly<Record<ProfileName, EngineId>>>> = {
  sidelite: { memory: 'memory', balanced: 'opfs-balanced', full: 'opfs-full' },
  opfs: { memory: 'opfs-balanced', balanced: 'opfs-balanced', full: 'opfs-full' },
  native: { memory: 'native-memory', balanced: 'native-balanced', full: 'native-full' },
  'better-sqlite3': { memory: 'native-memory', balanced: 'native-balanced', full: 'native-full' },
  'node-sqlite': { memory: 'node-sqlite-memory', balanced: 'node-sqlite-balanced', full: 'node-sqlite-full' },
};

/** An engine id, or an alias for one: `opfs`, `native`. Null for an unknown word. */
export function engineNamed(word: string, run: ProfileName): EngineDefinition | null {
  return engineOf(Object.hasOwn(SHORT, word) ? SHORT[word]![run] : word);
}

/** Measured by default: the product's path and what it is compared with. */
export function usualEngines(run: ProfileName): readonly EngineDefinition[] {
  return ['sidelite', 'native'].map((word) => engineNamed(word, run)!);
}

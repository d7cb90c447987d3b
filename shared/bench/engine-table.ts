// Every engine that can be measured, one row each: what it is, where it runs, its driver, and which files it needs beside the app.
import type { ProfileName } from './profile.ts';

/** The group of an engine in the setup form. */
export type EngineGroup = 'sidelite' | 'native' | 'sqlite-wasm' | 'others';

/** Files of an npm package that an engine needs beside the app. A package that is not installed is left out. */
export type EngineFiles =
  /** Files of a folder in `node_modules`, as the package ships them, in a folder of `third-party/`. */
  | { readonly way: 'copied'; readonly folder: string; readonly from: string; readonly files: RegExp }
  /** One module bundled with all its imports, in a folder of `third-party/`. */
  | { readonly way: 'bundled'; readonly folder: string; readonly entry: string }
  /** Node packages: the driver loads `main`, which is stored with its own dependencies in these folders of `node_modules`. */
  | { readonly way: 'packages'; readonly main: string; readonly folders: readonly string[] };

export interface EngineRow {
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
const balanced = { ...file, profile: 'balanced' } as const;
const full = { ...file, profile: 'full' } as const;

const sqliteWasm = {
  ...wasm,
  ...file,
  group: 'sqlite-wasm',
  driver: 'oo1',
  profile: null,
  // A second copy of the module, with the helper workers that the product's bundle leaves out.
  files: [
    {
      way: 'copied',
      folder: 'sqlite-wasm',
      from: '@sqlite.org/sqlite-wasm/dist',
      files: /^(index\.mjs|sqlite3\.wasm|sqlite3-opfs-async-proxy\.js)$/,
    },
  ],
} as const;
const waSqlite = {
  ...inWorker,
  driver: 'wa-sqlite',
  files: [
    {
      way: 'copied',
      folder: 'wa-sqlite/src',
      from: '@journeyapps/wa-sqlite/src',
      files: /^[\w-]+\.js$|^examples$|^examples\/\w+\.js$/,
    },
    {
      way: 'copied',
      folder: 'wa-sqlite/dist',
      from: '@journeyapps/wa-sqlite/dist',
      files: /^wa-sqlite(-async)?\.(mjs|wasm)$/,
    },
  ],
} as const;
const pglite = {
  ...inWorker,
  dialect: 'postgres',
  driver: 'pglite',
  files: [
    {
      way: 'copied',
      folder: 'pglite',
      from: '@electric-sql/pglite/dist',
      files: /^(fs\/)?(?!initdb\.js|templating)[\w-]+\.js$|^fs$|^(pglite|initdb)\.(js|wasm|data)$/,
    },
  ],
} as const;

export const ENGINE_TABLE = [
  {
    id: 'memory',
    label: 'Sidelite, memory',
    description: 'SQLite as wasm. The database is lost when its window closes.',
    ...sidelite,
    ...memory,
  },
  {
    id: 'opfs-balanced',
    label: 'Sidelite, OPFS, balanced',
    description: 'How Sidelite stores databases: OPFS, WAL, flushed at checkpoints.',
    ...sidelite,
    ...balanced,
  },
  {
    id: 'opfs-full',
    label: 'Sidelite, OPFS, full',
    description: 'The same, flushed at each commit.',
    ...sidelite,
    ...full,
  },
  {
    id: 'sahpool',
    label: 'sqlite-wasm, opfs-sahpool, default settings',
    description: 'SQLite’s own pool of OPFS files with its default journal mode.',
    ...sqliteWasm,
  },
  {
    id: 'opfs-vfs',
    label: 'sqlite-wasm, opfs',
    description: 'SQLite’s OPFS file system with locks between tabs.',
    ...sqliteWasm,
  },
  {
    id: 'opfs-wl',
    label: 'sqlite-wasm, opfs-wl',
    description: 'The same with the Web Locks API.',
    ...sqliteWasm,
  },
  {
    id: 'kvvfs',
    label: 'sqlite-wasm, kvvfs',
    description: 'Pages in the browser’s local storage: a few megabytes at most.',
    ...sqliteWasm,
    maxSize: 25_000,
  },
  {
    id: 'native-memory',
    label: 'better-sqlite3, memory',
    description: 'SQLite in Node through better-sqlite3, in memory. Baseline for memory ratios.',
    ...betterSqlite,
    ...memory,
  },
  {
    id: 'native-balanced',
    label: 'better-sqlite3, file, balanced',
    description: 'better-sqlite3 on a file with WAL and NORMAL. Baseline for balanced ratios.',
    ...betterSqlite,
    ...balanced,
  },
  {
    id: 'native-full',
    label: 'better-sqlite3, file, full',
    description: 'better-sqlite3 on a file with WAL and FULL. Baseline for full ratios.',
    ...betterSqlite,
    ...full,
  },
  {
    id: 'node-sqlite-memory',
    label: 'node:sqlite, memory',
    description: 'Node’s built-in SQLite, in memory.',
    ...nodeSqlite,
    ...memory,
  },
  {
    id: 'node-sqlite-balanced',
    label: 'node:sqlite, file, balanced',
    description: 'Node’s built-in SQLite, on a file, balanced.',
    ...nodeSqlite,
    ...balanced,
  },
  {
    id: 'node-sqlite-full',
    label: 'node:sqlite, file, full',
    description: 'Node’s built-in SQLite, on a file, full.',
    ...nodeSqlite,
    ...full,
  },
  {
    id: 'wa-sqlite-memory',
    label: 'wa-sqlite, memory',
    description: 'Another build of SQLite as wasm, in memory.',
    ...waSqlite,
    ...memory,
  },
  {
    id: 'wa-sqlite-pool',
    label: 'wa-sqlite, AccessHandlePool',
    description: 'wa-sqlite over a pool of OPFS access handles.',
    ...waSqlite,
    ...file,
  },
  {
    id: 'wa-sqlite-coop',
    label: 'wa-sqlite, OPFSCoopSync',
    description: 'wa-sqlite over OPFS, shared between tabs by handing over access handles.',
    ...waSqlite,
    ...file,
  },
  {
    id: 'wa-sqlite-write-ahead',
    label: 'wa-sqlite, OPFSWriteAhead',
    description: 'wa-sqlite over OPFS with its own write-ahead log.',
    ...waSqlite,
    ...file,
  },
  {
    id: 'wa-sqlite-idb',
    label: 'wa-sqlite, IDBBatchAtomic',
    description: 'wa-sqlite in IndexedDB, writing batches as transactions.',
    ...waSqlite,
    ...file,
  },
  {
    id: 'pglite-memory',
    label: 'PGlite, memory',
    description: 'PostgreSQL as wasm, in memory: a different database, not SQLite.',
    ...pglite,
    ...memory,
  },
  {
    id: 'pglite-idb',
    label: 'PGlite, IndexedDB',
    description: 'PostgreSQL as wasm, stored in IndexedDB: each statement outside a transaction writes whole files.',
    ...pglite,
    ...file,
  },
  {
    id: 'pglite-idb-relaxed',
    label: 'PGlite, IndexedDB, relaxed',
    description: 'The same, answering before data is saved.',
    ...pglite,
    ...file,
  },
  {
    id: 'pglite-opfs',
    label: 'PGlite, OPFS pool',
    description: 'PostgreSQL as wasm over a pool of OPFS access handles.',
    ...pglite,
    ...file,
  },
  {
    id: 'pglite-opfs-relaxed',
    label: 'PGlite, OPFS pool, relaxed',
    description: 'The same, answering before data is saved.',
    ...pglite,
    ...file,
  },
  {
    id: 'libsql-wasm',
    label: 'libSQL wasm',
    description: 'The libSQL fork of SQLite as wasm, in memory.',
    ...inWorker,
    ...memory,
    driver: 'oo1',
    files: [
      {
        way: 'copied',
        folder: 'libsql-wasm',
        from: '@libsql/libsql-wasm-experimental/sqlite-wasm/jswasm',
        files: /^sqlite3(-bundler-friendly\.mjs|\.wasm|-opfs-async-proxy\.js)$/,
      },
    ],
  },
  {
    id: 'libsql',
    label: 'libSQL native',
    description: 'The libSQL fork of SQLite in Node, on a file.',
    ...inProcess,
    ...file,
    driver: 'third-party',
    files: [{ way: 'packages', main: 'libsql', folders: ['libsql', '@libsql', '@neon-rs', 'detect-libc'] }],
  },
  {
    id: 'turso',
    label: 'Turso native',
    description: 'A rewrite of SQLite in Rust, in Node, on a file.',
    ...inProcess,
    ...file,
    driver: 'third-party',
    files: [{ way: 'packages', main: '@tursodatabase/database', folders: ['@tursodatabase'] }],
  },
  {
    id: 'turso-wasm',
    label: 'Turso wasm',
    description: 'The rewrite in Rust as wasm, over OPFS.',
    ...inWorker,
    ...file,
    driver: 'turso-wasm',
    files: [
      {
        way: 'bundled',
        folder: 'turso-wasm',
        entry: 'node_modules/@tursodatabase/database-wasm/dist/promise-default.js',
      },
    ],
  },
  {
    id: 'sql-js',
    label: 'sql.js',
    description: 'The oldest build of SQLite as wasm, in memory.',
    ...inWorker,
    ...memory,
    driver: 'sql-js',
    files: [{ way: 'copied', folder: 'sql.js', from: 'sql.js/dist', files: /^sql-wasm-browser\.wasm$/ }],
  },
  {
    id: 'sqlite3',
    label: 'node-sqlite3',
    description: 'SQLite in Node through node-sqlite3, asynchronous, on a file.',
    ...inProcess,
    ...file,
    driver: 'sqlite3',
    files: [{ way: 'packages', main: 'sqlite3', folders: ['sqlite3'] }],
  },
] as const satisfies readonly EngineRow[];

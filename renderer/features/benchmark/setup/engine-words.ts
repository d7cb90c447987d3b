// Each engine in a sentence, and in which group it is looked for.
import { ENGINES } from '#shared/bench/engines.ts';
import type { EngineDefinition, EngineId } from '#shared/bench/engines.ts';

export const ENGINE_WORDS: Readonly<Record<EngineId, string>> = {
  memory: 'SQLite as wasm, a database that is gone with its window.',
  'opfs-balanced': 'What Sidelite keeps databases in: OPFS, WAL, flushed at checkpoints.',
  'opfs-full': 'The same, flushed at each commit.',
  sahpool: 'SQLite’s own pool of OPFS files with the journal it comes with.',
  'opfs-vfs': 'SQLite’s OPFS file system with locks between tabs.',
  'opfs-wl': 'The same with the Web Locks API.',
  kvvfs: 'Pages in the browser’s local storage: a few megabytes at most.',
  'native-memory': 'SQLite in Node through better-sqlite3, in memory: what ratios in memory are over.',
  'native-balanced': 'better-sqlite3 on a file with WAL and NORMAL: what ratios in balanced are over.',
  'native-full': 'better-sqlite3 on a file with WAL and FULL: what ratios in full are over.',
  'node-sqlite-memory': 'The SQLite that is built into Node, in memory.',
  'node-sqlite-balanced': 'The SQLite that is built into Node, on a file, balanced.',
  'node-sqlite-full': 'The SQLite that is built into Node, on a file, full.',
  'wa-sqlite-memory': 'Another build of SQLite as wasm, in memory.',
  'wa-sqlite-pool': 'wa-sqlite over a pool of OPFS access handles.',
  'wa-sqlite-coop': 'wa-sqlite over OPFS, shared between tabs by passing handles on.',
  'wa-sqlite-write-ahead': 'wa-sqlite over OPFS with a write-ahead log of its own.',
  'wa-sqlite-idb': 'wa-sqlite in IndexedDB, batches as transactions.',
  'pglite-memory': 'PostgreSQL as wasm, in memory: another product, not another SQLite.',
  'pglite-idb': 'PostgreSQL as wasm, kept in IndexedDB: each statement outside a transaction stores whole files.',
  'pglite-idb-relaxed': 'The same, answering before it is kept.',
  'pglite-opfs': 'PostgreSQL as wasm over a pool of OPFS access handles.',
  'pglite-opfs-relaxed': 'The same, answering before it is kept.',
  'libsql-wasm': 'The libSQL fork of SQLite as wasm, in memory.',
  libsql: 'The libSQL fork of SQLite in Node, on a file.',
  turso: 'A rewrite of SQLite in Rust, in Node, on a file.',
  'turso-wasm': 'The rewrite in Rust as wasm, over OPFS.',
  'sql-js': 'The oldest build of SQLite as wasm, in memory.',
  sqlite3: 'SQLite in Node through node-sqlite3, asynchronous, on a file.',
};

export interface EngineGroup {
  readonly title: string;
  /** Closed until one of it is chosen. */
  readonly isFolded: boolean;
  readonly engines: readonly EngineDefinition[];
}

/** Of SQLite's wasm build only what the product itself opens has a profile of its own. */
const isSidelite = ({ kind, profile }: EngineDefinition): boolean => kind === 'wasm' && profile !== null;

export const ENGINE_GROUPS: readonly EngineGroup[] = [
  { title: 'Sidelite', isFolded: false, engines: ENGINES.filter(isSidelite) },
  { title: 'Native SQLite in Node', isFolded: false, engines: ENGINES.filter(({ kind }) => kind === 'native') },
  {
    title: 'SQLite’s wasm build, other storage',
    isFolded: true,
    engines: ENGINES.filter((engine) => engine.kind === 'wasm' && !isSidelite(engine)),
  },
  { title: 'Other products', isFolded: true, engines: ENGINES.filter(({ kind }) => kind === 'peer') },
];

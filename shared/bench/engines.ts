// The engines that can be measured: what they are, where they run, and which one each is compared with.
import type { ProfileName } from './profile.ts';

/** Words of the command line and of results: never rename. */
export type EngineId =
  | 'memory'
  | 'opfs-balanced'
  | 'opfs-full'
  | 'sahpool'
  | 'opfs-vfs'
  | 'opfs-wl'
  | 'kvvfs'
  | 'native-memory'
  | 'native-balanced'
  | 'native-full'
  | 'node-sqlite-memory'
  | 'node-sqlite-balanced'
  | 'node-sqlite-full'
  | 'wa-sqlite-memory'
  | 'wa-sqlite-pool'
  | 'wa-sqlite-coop'
  | 'wa-sqlite-write-ahead'
  | 'wa-sqlite-idb'
  | 'pglite-memory'
  | 'pglite-idb'
  | 'pglite-idb-relaxed'
  | 'pglite-opfs'
  | 'pglite-opfs-relaxed'
  | 'libsql-wasm'
  | 'libsql'
  | 'turso'
  | 'turso-wasm'
  | 'sql-js'
  | 'sqlite3';

export interface EngineDefinition {
  readonly id: EngineId;
  /** For column heads: “Sidelite, OPFS, balanced”. */
  readonly label: string;
  /** `wasm`: SQLite's own wasm build, `native`: SQLite inside Node; a `peer` is somebody else's product. */
  readonly kind: 'wasm' | 'native' | 'peer';
  readonly storage: 'memory' | 'file';
  /** `worker`: a worker of the host page; `process`: a thread of the bench process. */
  readonly place: 'worker' | 'process';
  /** What it is opened with. Null: whatever the run is measured with. */
  readonly profile: ProfileName | null;
  readonly dialect: 'sqlite' | 'postgres';
  /** Too slow or too small for more: larger sizes are skipped and say so. */
  readonly maxSize?: number;
}

const sqlite = { dialect: 'sqlite' } as const;
const wasm = { ...sqlite, kind: 'wasm', place: 'worker' } as const;
const native = { ...sqlite, kind: 'native', place: 'process' } as const;
const peer = { ...sqlite, kind: 'peer', place: 'worker', profile: null } as const;
const memory = { storage: 'memory', profile: 'memory' } as const;
const file = { storage: 'file' } as const;
const balanced = { ...file, profile: 'balanced' } as const;
const full = { ...file, profile: 'full' } as const;
const postgres = { ...peer, dialect: 'postgres' } as const;

export const ENGINES: readonly EngineDefinition[] = [
  { id: 'memory', label: 'Sidelite, memory', ...wasm, ...memory },
  { id: 'opfs-balanced', label: 'Sidelite, OPFS, balanced', ...wasm, ...balanced },
  { id: 'opfs-full', label: 'Sidelite, OPFS, full', ...wasm, ...full },
  { id: 'sahpool', label: 'sqlite-wasm, opfs-sahpool as it comes', ...wasm, ...file, profile: null },
  { id: 'opfs-vfs', label: 'sqlite-wasm, opfs', ...wasm, ...file, profile: null },
  { id: 'opfs-wl', label: 'sqlite-wasm, opfs-wl', ...wasm, ...file, profile: null },
  { id: 'kvvfs', label: 'sqlite-wasm, kvvfs', ...wasm, ...file, profile: null, maxSize: 25_000 },
  { id: 'native-memory', label: 'better-sqlite3, memory', ...native, ...memory },
  { id: 'native-balanced', label: 'better-sqlite3, file, balanced', ...native, ...balanced },
  { id: 'native-full', label: 'better-sqlite3, file, full', ...native, ...full },
  { id: 'node-sqlite-memory', label: 'node:sqlite, memory', ...native, ...memory },
  { id: 'node-sqlite-balanced', label: 'node:sqlite, file, balanced', ...native, ...balanced },
  { id: 'node-sqlite-full', label: 'node:sqlite, file, full', ...native, ...full },
  { id: 'wa-sqlite-memory', label: 'wa-sqlite, memory', ...peer, ...memory },
  { id: 'wa-sqlite-pool', label: 'wa-sqlite, AccessHandlePool', ...peer, ...file },
  { id: 'wa-sqlite-coop', label: 'wa-sqlite, OPFSCoopSync', ...peer, ...file },
  { id: 'wa-sqlite-write-ahead', label: 'wa-sqlite, OPFSWriteAhead', ...peer, ...file },
  { id: 'wa-sqlite-idb', label: 'wa-sqlite, IDBBatchAtomic', ...peer, ...file },
  { id: 'pglite-memory', label: 'PGlite, memory', ...postgres, ...memory },
  { id: 'pglite-idb', label: 'PGlite, IndexedDB', ...postgres, ...file },
  { id: 'pglite-idb-relaxed', label: 'PGlite, IndexedDB, relaxed', ...postgres, ...file },
  { id: 'pglite-opfs', label: 'PGlite, OPFS pool', ...postgres, ...file },
  { id: 'pglite-opfs-relaxed', label: 'PGlite, OPFS pool, relaxed', ...postgres, ...file },
  { id: 'libsql-wasm', label: 'libSQL wasm', ...peer, ...memory },
  { id: 'libsql', label: 'libSQL native', ...peer, place: 'process', ...file },
  { id: 'turso', label: 'Turso native', ...peer, place: 'process', ...file },
  { id: 'turso-wasm', label: 'Turso wasm', ...peer, ...file },
  { id: 'sql-js', label: 'sql.js', ...peer, ...memory },
  { id: 'sqlite3', label: 'node-sqlite3', ...peer, place: 'process', ...file },
];

export function engineOf(id: string): EngineDefinition | null {
  return ENGINES.find((engine) => engine.id === id) ?? null;
}

/** What it is opened with in a run of `run`. */
export function profileOf(engine: EngineDefinition, run: ProfileName): ProfileName {
  if (engine.storage === 'memory') return 'memory';
  // Nothing that is kept in files can be measured against memory.
  return engine.profile ?? (run === 'memory' ? 'balanced' : run);
}

/** better-sqlite3 of the same storage and profile: what a ratio of 1 is. */
export function referenceOf(engine: EngineDefinition, run: ProfileName): EngineId {
  return `native-${profileOf(engine, run)}`;
}

/** Words that mean an engine of the run's profile. */
const SHORT: Readonly<Record<string, Readonly<Record<ProfileName, EngineId>>>> = {
  sidelite: { memory: 'memory', balanced: 'opfs-balanced', full: 'opfs-full' },
  opfs: { memory: 'opfs-balanced', balanced: 'opfs-balanced', full: 'opfs-full' },
  native: { memory: 'native-memory', balanced: 'native-balanced', full: 'native-full' },
  'better-sqlite3': { memory: 'native-memory', balanced: 'native-balanced', full: 'native-full' },
  'node-sqlite': { memory: 'node-sqlite-memory', balanced: 'node-sqlite-balanced', full: 'node-sqlite-full' },
};

/** An id, or a word that means one: `opfs`, `native`. Null for a word nobody knows. */
export function engineNamed(word: string, run: ProfileName): EngineDefinition | null {
  return engineOf(Object.hasOwn(SHORT, word) ? SHORT[word]![run] : word);
}

/** What is measured when nobody says otherwise: the product's path and what it is compared with. */
export function usualEngines(run: ProfileName): readonly EngineDefinition[] {
  return ['sidelite', 'native'].map((word) => engineNamed(word, run)!);
}

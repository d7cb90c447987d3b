// The engines that can be measured, and lookups: by name, the profile of an engine, and its reference.
import type { EngineRow } from './engine-table.ts';
import { ENGINE_TABLE } from './engine-table.ts';
import type { ProfileName } from './profile.ts';

type Row = (typeof ENGINE_TABLE)[number];

export type EngineId = Row['id'];

/** Drivers of the engines that run in `Where`. */
export type DriverName<Where extends EngineRow['runsIn']> = Extract<Row, { readonly runsIn: Where }>['driver'];

export interface EngineDefinition extends EngineRow {
  readonly id: EngineId;
}

export const ENGINES: readonly EngineDefinition[] = ENGINE_TABLE;

export function engineOf(id: string): EngineDefinition | null {
  return ENGINES.find((engine) => engine.id === id) ?? null;
}

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

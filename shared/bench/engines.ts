// The engines that can be measured, and questions about them: which one a word means, what it is opened with, which one it is compared with.
import type { EngineRow } from './engine-row.ts';
import { ENGINE_TABLE } from './engine-table.ts';
import type { ProfileName } from './profile.ts';

type Row = (typeof ENGINE_TABLE)[number];

export type EngineId = Row['id'];

/** Drivers of the engines that run in one place. */
export type DriverName<Where extends EngineRow['runsIn']> = Extract<Row, { readonly runsIn: Where }>['driver'];

export interface EngineDefinition extends EngineRow {
  readonly id: EngineId;
}

export const ENGINES: readonly EngineDefinition[] = ENGINE_TABLE;

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

/** An engine id, or an alias for one: `opfs`, `native`. Null for an unknown word. */
export function engineNamed(word: string, run: ProfileName): EngineDefinition | null {
  return engineOf(Object.hasOwn(SHORT, word) ? SHORT[word]![run] : word);
}

/** Measured by default: the product's path and what it is compared with. */
export function usualEngines(run: ProfileName): readonly EngineDefinition[] {
  return ['sidelite', 'native'].map((word) => engineNamed(word, run)!);
}

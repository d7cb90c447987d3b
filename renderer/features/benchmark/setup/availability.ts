// What can be chosen here and now, and why the rest cannot.
import { engineOf } from '#shared/bench/engines.ts';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import type { SuiteDefinition } from '#shared/bench/suites.ts';

export interface Availability {
  readonly isDesktop: boolean;
  /** Suites of the window that exist. */
  readonly appSuites: readonly string[];
  /** Database that the user's own query would read; null when none is open. */
  readonly databaseName: string | null;
  /** Engines that a run of this window could not start, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
}

/** Null: it can be chosen. */
export function whyNoEngine({ id, runsIn }: EngineDefinition, { isDesktop, refused }: Availability): string | null {
  if (runsIn === 'process' && !isDesktop) return 'A browser cannot run native engines. Use the desktop app.';
  return refused[id] ?? null;
}

export function whyNoSuite({ id, where }: SuiteDefinition, availability: Availability): string | null {
  if (where === 'app' && !availability.appSuites.includes(id)) return 'This version cannot measure it here.';
  if (id === 'own-query' && availability.databaseName === null) return 'Open the database to run it on.';
  return null;
}

/** Engines of which no cell could be measured because they do not exist here. */
export function refusedEngines({ cells }: Pick<BenchResult, 'cells'>): Readonly<Record<string, string>> {
  const refused: Record<string, string> = {};
  for (const id of new Set(cells.map(({ engine }) => engine))) {
    const own = cells.filter(({ engine }) => engine === id);
    const [first] = own;
    if (own.every(({ engineIsMissing }) => engineIsMissing) && engineOf(id)) refused[id] = first?.why ?? '';
  }
  return refused;
}

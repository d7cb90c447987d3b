// What can be chosen here, and the choices as a plan: what is measured, what prevents it, and how long it may take.
import type { EngineGroup } from '#shared/bench/engines.ts';
import { engineOf, ENGINES } from '#shared/bench/engines.ts';
import type { EngineDefinition } from '#shared/bench/engines.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import type { SuiteDefinition, SuiteId } from '#shared/bench/suites.ts';
import type { BenchSetup } from '../choice.ts';
import type { RunFacts } from '../runs/run-facts.ts';

interface ShownGroup {
  readonly title: string;
  /** Collapsed until one of its engines is chosen. */
  readonly isFolded: boolean;
  readonly engines: readonly EngineDefinition[];
}

const GROUPS: Readonly<Record<EngineGroup, Omit<ShownGroup, 'engines'>>> = {
  sidelite: { title: 'Sidelite', isFolded: false },
  native: { title: 'Native SQLite in Node', isFolded: false },
  'sqlite-wasm': { title: 'SQLite’s wasm build, other storage', isFolded: true },
  others: { title: 'Other products', isFolded: true },
};

export const ENGINE_GROUPS: readonly ShownGroup[] = Object.entries(GROUPS).map(([id, group]) => ({
  ...group,
  engines: ENGINES.filter((engine) => engine.group === id),
}));

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

/** The same data in every run, so that runs can be compared. */
const SEED = 20_260_101;

/** The sizes of a suite: those that were chosen, or the usual ones. */
export function sizesOf({ sizes, quick }: BenchSetup, id: SuiteId): readonly number[] {
  const suite = suiteOf(id)!;
  return sizes[id] ?? (quick ? [suite.quickSize] : suite.usualSizes);
}

/** The plan with what is both chosen and possible. */
export function planOf(setup: BenchSetup, availability: Availability): BenchPlan {
  const suites = setup.suites.filter((id) => whyNoSuite(suiteOf(id)!, availability) === null);
  const chosen = suites.flatMap((id) => (setup.sizes[id] ? [[id, setup.sizes[id]] as const] : []));
  return {
    suites,
    engines: setup.engines.filter((id) => whyNoEngine(engineOf(id)!, availability) === null),
    sizes: chosen.length > 0 ? Object.fromEntries(chosen) : null,
    rounds: setup.rounds,
    profile: setup.profile,
    quick: setup.quick,
    seed: SEED,
    tests: null,
  };
}

/** A sentence about what is missing; null if the run can begin. */
export function whyNotYet(setup: BenchSetup, plan: BenchPlan): string | null {
  if (plan.suites.length === 0) return 'Choose at least one suite.';
  if (plan.engines.length === 0) return 'Choose at least one engine.';
  const empty = plan.suites.find((id) => sizesOf(setup, id).length === 0);
  if (empty) return `Choose a size for “${suiteOf(empty)!.title}”.`;
  if (plan.suites.includes('own-query') && setup.sql.trim() === '') return 'Enter the query to measure.';
  return null;
}

/** Facts about a run that was measured on this machine. */
type MeasuredRun = Pick<RunFacts, 'seconds' | 'cells' | 'tests' | 'quick'>;

/**
 * Seconds, based on the newest similar run's cells of these suites; null if there is none. A quick suite is cut off at
 * about a minute, so no run is needed for that.
 */
export function estimateSeconds(
  setup: BenchSetup,
  engines: number,
  suites: readonly SuiteId[],
  runs: readonly MeasuredRun[],
): number | null {
  let seconds = 0;
  for (const id of suites) {
    const like = runs.find(({ tests, quick, cells }) => tests[id] !== undefined && quick === setup.quick && cells > 0);
    if (like) seconds += (like.seconds / like.cells) * like.tests[id]! * sizesOf(setup, id).length * engines;
    else if (setup.quick && setup.rounds === null) seconds += 60;
    else return null;
  }
  return seconds;
}

// Turns the choices into a plan: what is measured, what prevents it, and how long it may take.
import { engineOf } from '#shared/bench/engines.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import type { SuiteId } from '#shared/bench/suites.ts';
import type { BenchSetup } from '../choice.ts';
import type { RunFacts } from '../runs/run-facts.ts';
import { whyNoEngine, whyNoSuite } from './availability.ts';
import type { Availability } from './availability.ts';

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
export type MeasuredRun = Pick<RunFacts, 'seconds' | 'cells' | 'tests' | 'quick'>;

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

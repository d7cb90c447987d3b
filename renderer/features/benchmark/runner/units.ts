// Plans a run: what is measured together, in which order engines come, how often, and how many times at once.
import { engineOf, referenceOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { SuiteDefinition } from '#shared/bench/suites.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import type { Random } from '#shared/random.ts';
import type { AppSuite, BenchUnit } from './target.ts';

/** Minimum length of a sample, in steps of the clock. */
const STEPS = 100;
/** Steps for a latency test, which has thousands of samples: each may be coarse, and the errors even out. */
const LATENCY_STEPS = 10;
const MAX_BATCH = 10_000;
const SHORT_MS = 100;
/** How long one unit may take, unless the user set the number of rounds. */
const UNIT_BUDGET_MS = 180_000;
const QUICK_BUDGET_MS = 36_000;
const FEWEST_ROUNDS = 3;
const QUICK_ROUNDS = 7;
const MOST_WARM_ROUNDS = 3;
/** Two medians this close are stable. */
const STABLE = 0.05;

type Chosen = Pick<BenchPlan, 'sizes' | 'quick' | 'tests'>;

const isList = (sizes: NonNullable<BenchPlan['sizes']>): sizes is readonly number[] => Array.isArray(sizes);

/** The chosen sizes that the test has; at least one if none were chosen. */
function sizesOf(suite: SuiteDefinition, test: TestFacts, plan: Chosen): readonly number[] {
  const own = test.sizes ?? suite.sizes;
  const chosen = plan.sizes && (isList(plan.sizes) ? plan.sizes : (plan.sizes[suite.id] ?? null));
  const wanted: readonly number[] = chosen ?? (plan.quick ? [suite.quickSize] : suite.usualSizes);
  const both = own.filter((size) => wanted.includes(size));
  return both.length > 0 || chosen !== null ? both : own.slice(0, 1);
}

/** Sizes ascending, tests in the order of the suite; parts of a sequence and concurrent sides stay together. */
export function unitsOf(suite: SuiteDefinition, all: readonly TestFacts[], plan: Chosen): readonly BenchUnit[] {
  const chosen = all.filter(
    (test) => plan.tests === null || plan.tests.includes(test.id) || sharesSequence(test, all, plan.tests),
  );
  return suite.sizes.flatMap((size) => {
    const units: { suite: SuiteDefinition['id']; size: number; tests: TestFacts[]; sequence: string | null }[] = [];
    for (const test of chosen) {
      if (!sizesOf(suite, test, plan).includes(size)) continue;
      const known = units.find(({ sequence, tests: [first] }) =>
        sequence === null ? first?.side && test.side : sequence === test.sequence,
      );
      if (known) known.tests.push(test);
      else units.push({ suite: suite.id, size, tests: [test], sequence: test.sequence });
    }
    return units;
  });
}

/** A part of a sequence cannot be measured without those before it. */
function sharesSequence(test: TestFacts, all: readonly TestFacts[], wanted: readonly string[]): boolean {
  return test.sequence !== null && all.some(({ id, sequence }) => sequence === test.sequence && wanted.includes(id));
}

/** The engines of a plan and the reference engines. */
export function enginesOf(plan: Pick<BenchPlan, 'engines' | 'profile'>): readonly EngineId[] {
  const references = plan.engines.map((id) => referenceOf(engineOf(id)!, plan.profile));
  return [...new Set([...plan.engines, ...references])];
}

/** Tests of the app as a whole are measured once, with the first engine that the app has. */
export function enginesOfUnit(
  plan: Pick<BenchPlan, 'engines' | 'profile'>,
  { tests }: Pick<BenchUnit, 'tests'>,
  app: Pick<AppSuite, 'engines'> | null,
): readonly EngineId[] {
  const engines = enginesOf(plan);
  if (!tests.every(({ scope }) => scope === 'app')) return engines;
  return [engines.find((engine) => app?.engines.includes(engine)) ?? engines[0]!];
}

/** A B B A: every second round runs in reverse order, so that drift affects all engines alike. */
export function orderOfRounds<T>(engines: readonly T[], rounds: number, random: Random): readonly (readonly T[])[] {
  const orders: (readonly T[])[] = [];
  for (let round = 0; round < rounds; round++) {
    orders.push(round % 2 === 1 ? [...orders[round - 1]!].reverse() : shuffled(engines, random));
  }
  return orders;
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  const mixed = [...items];
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random.between(0, at);
    [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
  }
  return mixed;
}

/** Batch size that makes the shortest sample long enough to measure; the same for all engines. */
export function batchFor(shortestMs: number, timerStepMs: number, kind: TestFacts['kind'] = 'throughput'): number {
  if (shortestMs <= 0) return MAX_BATCH;
  const steps = kind === 'latency' ? LATENCY_STEPS : STEPS;
  return Math.min(MAX_BATCH, Math.max(1, Math.ceil((steps * timerStepMs) / shortestMs)));
}

export interface RoundLengths {
  /** Time one round of all engines takes, including preparation. */
  readonly roundMs: number;
  /** Timed part of the slowest engine. */
  readonly timedMs: number;
  /** Number of units in the run. */
  readonly units: number;
}

export function roundsFor(
  plan: Pick<BenchPlan, 'rounds' | 'quick'>,
  { roundMs, timedMs, units }: RoundLengths,
): number {
  if (plan.rounds !== null) return plan.rounds;
  const wanted = plan.quick ? QUICK_ROUNDS : timedMs < SHORT_MS ? 20 : Math.max(10, Math.ceil(3_000 / timedMs));
  const budget = plan.quick ? QUICK_BUDGET_MS / units : UNIT_BUDGET_MS;
  const fewest = plan.quick && roundMs > budget ? 1 : FEWEST_ROUNDS;
  return Math.max(fewest, Math.min(wanted, Math.floor(budget / Math.max(roundMs, 0.1))));
}

/** If one more round would take the whole time that a quick run has for the unit, it is measured once, without warming up. */
export function isTooLong(plan: Pick<BenchPlan, 'rounds' | 'quick'>, roundMs: number, units: number): boolean {
  return plan.quick && plan.rounds === null && roundMs > QUICK_BUDGET_MS / units;
}

/** Warm: two rounds in a row agree, or there were enough. `times` are those of the engine that settles last. */
export function isWarm(times: readonly number[], quick: boolean): boolean {
  if (times.length >= (quick ? 1 : MOST_WARM_ROUNDS)) return true;
  const [before, last] = times.slice(-2);
  return before !== undefined && last !== undefined && Math.abs(last - before) <= STABLE * before;
}

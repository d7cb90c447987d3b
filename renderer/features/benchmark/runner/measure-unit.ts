// Plans what is measured together, and measures a unit on all its engines: first use, comparison, warming up, then rounds in which each engine
// runs once.
import { median } from '#shared/bench/statistics.ts';
import type { BenchEvent } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { engineOf, referenceOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { createRandom } from '#shared/random.ts';
import type { Random } from '#shared/random.ts';
import type { BenchUnit, Target, FailedPart, PartSample, RoundKind, RunControl, AppSuite } from './target.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { SuiteDefinition } from '#shared/bench/suites.ts';

export interface UnitRecord {
  readonly engine: EngineId;
  first: readonly PartSample[];
  deep: readonly PartSample[];
  readonly timed: (readonly PartSample[])[];
  failure: FailedPart | null;
  stopped: boolean;
  /** Timed rounds in which the window was hidden. */
  hiddenRounds: number;
  /** A round that took far longer than those before it. */
  readonly slowRounds: BenchEvent[];
}

export interface UnitRun {
  readonly records: readonly UnitRecord[];
  readonly batch: number;
}

interface MeasureOptions {
  readonly plan: BenchPlan;
  readonly control: RunControl;
  /** Coarsest step of the clocks in use. */
  readonly timerStepMs: number;
  /** Units of the whole run, for a quick one. */
  readonly units: number;
  /** Milliseconds since the run began. */
  readonly clock: () => number;
  readonly tell: (what: string, share: number) => void;
}

const SLOW = 5;

/** Never throws: what fails or is stopped says so in its record. */
export async function measureUnit(
  unit: BenchUnit,
  targets: readonly Target[],
  options: MeasureOptions,
): Promise<UnitRun> {
  const race = new UnitRace(unit, targets, options);
  try {
    await race.run();
  } catch {
    for (const record of race.records) record.stopped = true;
  }
  return { records: race.records, batch: race.batch };
}

class UnitRace {
  readonly records: readonly UnitRecord[];
  batch = 1;
  readonly #unit: BenchUnit;
  readonly #options: MeasureOptions;
  readonly #targets: ReadonlyMap<EngineId, Target>;

  constructor(unit: BenchUnit, targets: readonly Target[], options: MeasureOptions) {
    this.#unit = unit;
    this.#options = options;
    this.#targets = new Map(targets.map((target) => [target.engine, target]));
    this.records = targets.map(({ engine }) => ({
      engine,
      first: [],
      deep: [],
      timed: [],
      failure: null,
      stopped: false,
      hiddenRounds: 0,
      slowRounds: [],
    }));
  }

  async run(): Promise<void> {
    const { plan, tell } = this.#options;
    const random = createRandom(plan.seed ^ this.#unit.size);
    tell('first use', 0);
    await this.#everyone('first', (record, parts) => (record.first = parts));
    tell('verifying results', 0.03);
    const compared = this.#options.clock();
    await this.#everyone('deep', (record, parts) => (record.deep = parts));
    const roundMs = this.#options.clock() - compared;
    tell('warming up', 0.06);
    const lengths = isTooLong(plan, roundMs, this.#options.units)
      ? { ...lengthsOf(this.records.map(({ first }) => first)), roundMs }
      : await this.#warmUp();
    const { kind } = this.#unit.tests[0]!;
    this.batch = this.#unit.sequence === null ? batchFor(lengths.shortestMs, this.#options.timerStepMs, kind) : 1;
    const rounds = roundsFor(plan, { ...lengths, roundMs: this.#roundMs(lengths), units: this.#options.units });
    for (const [round, order] of orderOfRounds(this.#able(), rounds, random).entries()) {
      tell(`round ${round + 1} of ${rounds}`, 0.1 + (0.9 * round) / rounds);
      for (const record of order) await this.#one(record, 'timed', (parts) => this.#keep(record, parts));
    }
  }

  /** A larger batch takes longer than the rounds so far. */
  #roundMs({ roundMs, shortestMs }: { readonly roundMs: number; readonly shortestMs: number }): number {
    const isRepeated = this.#unit.tests[0]!.kind === 'throughput';
    return roundMs + (isRepeated ? shortestMs * (this.batch - 1) * this.records.length : 0);
  }

  async #warmUp(): Promise<{ readonly shortestMs: number; readonly timedMs: number; readonly roundMs: number }> {
    const { quick } = this.#options.plan;
    const slowest: number[] = [];
    let roundMs = 0;
    let shortestMs = Infinity;
    do {
      const began = this.#options.clock();
      const rounds: (readonly PartSample[])[] = [];
      await this.#everyone('warm', (_record, parts) => void rounds.push(parts));
      const lengths = lengthsOf(rounds);
      shortestMs = Math.min(shortestMs, lengths.shortestMs);
      roundMs = this.#options.clock() - began;
      slowest.push(lengths.timedMs);
    } while (!isWarm(slowest, quick));
    return { shortestMs, timedMs: slowest.at(-1)!, roundMs };
  }

  #able(): readonly UnitRecord[] {
    return this.records.filter(({ failure }) => failure === null || this.#unit.sequence !== null);
  }

  async #everyone(kind: RoundKind, take: (record: UnitRecord, parts: readonly PartSample[]) => void): Promise<void> {
    for (const record of this.#able()) await this.#one(record, kind, (parts) => take(record, parts));
  }

  async #one(record: UnitRecord, kind: RoundKind, take: (parts: readonly PartSample[]) => void): Promise<void> {
    const { control } = this.#options;
    const target = this.#targets.get(record.engine)!;
    await control.checkpoint();
    control.takeHidden();
    const { parts, failure } = await target.round(kind, this.batch);
    // A target that needs the screen takes care of that itself.
    const isTouched = target.needsScreen === undefined && kind === 'timed';
    if (control.takeHidden() && isTouched) record.hiddenRounds++;
    record.failure ??= failure;
    if (failure === null || this.#unit.sequence !== null) take(parts);
  }

  #keep(record: UnitRecord, parts: readonly PartSample[]): void {
    record.timed.push(parts);
    const length = (round: readonly PartSample[]): number => round.reduce((sum, { timedMs }) => sum + timedMs, 0);
    const usual = median(record.timed.map(length));
    if (length(parts) > SLOW * usual) {
      const what = `A round of ${this.#unit.tests[0]!.id} on ${record.engine} took ${Math.round(length(parts) / usual)} times as long as usual.`;
      record.slowRounds.push({ kind: 'slow-round', atMs: this.#options.clock(), what });
    }
  }
}

/** Length of the shortest sample, and of the slowest engine's round, given one round of each engine. */
function lengthsOf(rounds: readonly (readonly PartSample[])[]): {
  readonly shortestMs: number;
  readonly timedMs: number;
} {
  const lengths = rounds.map((parts) => ({
    ms: parts.reduce((sum, { timedMs }) => sum + timedMs, 0),
    samples: parts[0]?.samples.length || 1,
  }));
  return {
    shortestMs: Math.min(...lengths.map(({ ms, samples }) => ms / samples)),
    timedMs: Math.max(0, ...lengths.map(({ ms }) => ms)),
  };
}

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

interface RoundLengths {
  /** Time one round of all engines takes, including preparation. */
  readonly roundMs: number;
  /** Timed part of the slowest engine. */
  readonly timedMs: number;
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

// Measures one unit on all its engines: first use, comparison, warming up, then rounds in which each engine runs once.
import { median } from '#shared/bench/statistics.ts';
import type { BenchEvent } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { createRandom } from '#shared/random.ts';
import type { BenchUnit, Target, FailedPart, PartSample, RoundKind } from './target.ts';
import type { RunControl } from './control.ts';
import { batchFor, isTooLong, isWarm, orderOfRounds, roundsFor } from './units.ts';

/** Results of one engine in all rounds of a unit. */
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

export interface MeasureOptions {
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

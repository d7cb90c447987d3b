// All faults there are for the workload, in an order that any part of is a fair sample of: run by number, again and again.
import { createRandom } from '#shared/random.ts';
import { canHappenTo, EFFECTS } from './fault.test-suite.ts';
import type { Effect, Kept } from './fault.test-suite.ts';
import { FaultLab } from './lab.test-suite.ts';
import type { TrialSpec, Verdict } from './trial-spec.test-suite.ts';

/** Ends at the fault itself, so nothing can be tried after it. */
const FINAL: readonly Effect[] = ['drop', 'cut', 'tear-cut', 'kill'];
const POWER_CUTS: readonly Kept[] = ['some', 'none'];
const ANY_END: readonly Kept[] = ['all', 'some', 'none'];

/** Writes and flushes a recovery can be cut short at, taken in turn; a prime, so that each fault meets another. */
const RECOVERY = 23;

export interface Entry {
  readonly spec: TrialSpec;
  readonly verdict: Verdict;
}

export class Campaign {
  readonly lab: FaultLab;
  readonly specs: readonly TrialSpec[];

  static async open(seed: number): Promise<Campaign> {
    return new Campaign(await FaultLab.open(), seed);
  }

  private constructor(lab: FaultLab, seed: number) {
    this.lab = lab;
    this.specs = shuffled([...allSpecs(lab, seed)], seed);
  }

  /** The same for the same trials. */
  get signature(): string {
    return `${this.specs.length} ${this.lab.sqlite.package.version.sourceId} ${JSON.stringify(this.specs[0])}`;
  }

  try(index: number): Entry {
    const spec = this.specs[index]!;
    return { spec, verdict: this.lab.try(spec) };
  }
}

function* allSpecs(lab: FaultLab, seed: number): Generator<TrialSpec> {
  let number = 0;
  for (const durability of ['full', 'balanced'] as const) {
    for (const [at, operation] of lab.rehearsal(durability).operations.entries()) {
      for (const effect of EFFECTS) {
        if (!canHappenTo(effect, operation)) continue;
        for (const after of FINAL.includes(effect) ? (['crash'] as const) : (['crash', 'go on'] as const))
          for (const kept of endsOf(effect))
            yield {
              fault: { at, effect },
              durability,
              after,
              kept,
              recoveryCut: number++ % RECOVERY,
              seed: (Math.imul(seed, 0x9e3779b1) ^ at) >>> 0,
            };
      }
    }
  }
}

function endsOf(effect: Effect): readonly Kept[] {
  if (effect === 'kill') return ['all'];
  return FINAL.includes(effect) ? POWER_CUTS : ANY_END;
}

function shuffled<T>(items: T[], seed: number): T[] {
  const random = createRandom(seed);
  for (let last = items.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}

// One cell as it is looked at: its time in the engine, until the window has it, or the very first time.
import { median, quantile, roundMeans } from '#shared/bench/statistics.ts';
import type { BenchCell } from '#shared/bench/result.ts';

/** `engine`: where SQLite runs; `delivered`: as the window sees it; `first`: before anything was warm. */
export type Timing = 'engine' | 'delivered' | 'first';

export const TIMINGS: readonly { readonly id: Timing; readonly label: string; readonly meaning: string }[] = [
  { id: 'engine', label: 'Engine', meaning: 'The work itself, measured next to the engine.' },
  { id: 'delivered', label: 'Delivered', meaning: 'From the window’s request until every row has arrived.' },
  {
    id: 'first',
    label: 'First use',
    meaning: 'The very first execution, before any warm-up. One sample, so no interval.',
  },
];

export interface Ratio {
  readonly value: number;
  /** Null if there is only one sample. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface Shown {
  readonly samples: readonly number[];
  readonly median: number | null;
  readonly p95: number | null;
  readonly ratio: Ratio | null;
}

const NOTHING: Shown = { samples: [], median: null, p95: null, ratio: null };

/** @param reference the cell that a ratio of 1 stands for; null if there is none */
export function shownOf(cell: BenchCell, timing: Timing, reference: BenchCell | null): Shown {
  if (cell.status !== 'ok') return NOTHING;
  if (timing === 'engine') {
    const { samples, median, p95 } = cell;
    return { samples, median, p95, ratio: ratioOf(cell.ratio, cell.ratioLow, cell.ratioHigh) };
  }
  if (timing === 'delivered') {
    const { delivered, deliveredRatio, deliveredRatioLow, deliveredRatioHigh } = cell;
    if (delivered.length === 0) return NOTHING;
    const [middle, p95] = [median(delivered), quantile(delivered, 0.95)];
    return {
      samples: delivered,
      median: middle,
      p95,
      ratio: ratioOf(deliveredRatio, deliveredRatioLow, deliveredRatioHigh),
    };
  }
  const { firstUse } = cell;
  if (firstUse === null) return NOTHING;
  const base = reference !== cell && reference?.status === 'ok' ? reference.firstUse : null;
  const ratio = base ? { value: firstUse / base, low: null, high: null } : null;
  return { samples: [firstUse], median: firstUse, p95: null, ratio };
}

/** Samples by round, for intervals: a disturbance of a round affects all of its samples. */
export function roundsOf(cell: BenchCell, timing: Timing): readonly number[] {
  if (timing === 'engine') return roundMeans(cell.samples, cell.perRound);
  if (timing === 'first') return cell.firstUse === null ? [] : [cell.firstUse];
  const rounds = Math.floor(cell.samples.length / Math.max(1, cell.perRound));
  const perRound = rounds > 0 && cell.delivered.length % rounds === 0 ? cell.delivered.length / rounds : 1;
  return roundMeans(cell.delivered, perRound);
}

function ratioOf(value: number | null, low: number | null, high: number | null): Ratio | null {
  return value === null ? null : { value, low, high };
}

/** How it compares with the other. */
export type Standing = 'faster' | 'slower' | 'same' | 'unknown';

export function standingOf(ratio: Ratio | null): Standing {
  if (!ratio) return 'unknown';
  if (ratio.low === null || ratio.high === null) return 'unknown';
  if (ratio.high < 1) return 'faster';
  return ratio.low > 1 ? 'slower' : 'same';
}

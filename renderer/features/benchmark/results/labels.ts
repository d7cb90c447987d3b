// Words and numbers of cells as people read them, and which of its three timings a cell shows.
import { median, quantile, roundMeans } from '#shared/bench/statistics.ts';
import type { BenchCell, CellUnit } from '#shared/bench/result.ts';
import { engineOf } from '#shared/bench/engines.ts';
import type { PublishedFigure } from '#shared/bench/published.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import { formatBytes, formatCount, formatFixed } from '../../../ui/format.ts';

/** `engine`: where SQLite runs; `delivered`: as the window sees it; `first`: before anything was warm. */
export type Timing = 'engine' | 'delivered' | 'first';

export const TIMINGS: readonly { readonly id: Timing; readonly label: string; readonly title: string }[] = [
  { id: 'engine', label: 'Engine', title: 'The work itself, measured next to the engine.' },
  { id: 'delivered', label: 'Delivered', title: 'From the window’s request until every row has arrived.' },
  {
    id: 'first',
    label: 'First use',
    title: 'The very first execution, before any warm-up. One sample, so no interval.',
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

export type Standing = 'faster' | 'slower' | 'same' | 'unknown';

export function standingOf(ratio: Ratio | null): Standing {
  if (!ratio) return 'unknown';
  if (ratio.low === null || ratio.high === null) return 'unknown';
  if (ratio.high < 1) return 'faster';
  return ratio.low > 1 ? 'slower' : 'same';
}

/** Three significant digits, in a suitable unit: “843 ns”, “12.4 µs”, “3.10 ms”, “1.24 s”; “84.2 MB” of memory. */
export function formatTime(value: number, unit: CellUnit): string {
  if (unit === 'bytes') return formatBytes(value);
  const us = unit === 'us' ? value : value * 1_000;
  if (us === 0) return '0 µs';
  if (us < 1) return `${threeDigits(us * 1_000)} ns`;
  if (us < 1_000) return `${threeDigits(us)} µs`;
  if (us < 1_000_000) return `${threeDigits(us / 1_000)} ms`;
  return `${threeDigits(us / 1_000_000)} s`;
}

/** “p95 12.0 ms” for a test of single waits, otherwise empty. */
export const tailText = ({ cell, shown }: { readonly cell: BenchCell; readonly shown: Shown }): string =>
  cell.kind === 'latency' && shown.p95 !== null ? `p95 ${formatTime(shown.p95, cell.unit)}` : '';

/** “0.84×” */
export const formatRatio = (ratio: number): string => `${threeDigits(ratio)}×`;

/** A published figure: “3.20×”, or a time. */
export const figureText = ({ kind, value }: Pick<PublishedFigure, 'kind' | 'value'>): string =>
  kind === 'ratio' ? formatRatio(value) : formatTime(value, 'ms');

/** “0.84× (0.80 to 0.89)” */
export function formatInterval({ value, low, high }: Ratio): string {
  return low === null || high === null
    ? formatRatio(value)
    : `${formatRatio(value)} (${threeDigits(low)} to ${threeDigits(high)})`;
}

const STANDINGS = {
  faster: ['faster than better-sqlite3', 'less than better-sqlite3'],
  slower: ['slower than better-sqlite3', 'more than better-sqlite3'],
  same: ['no difference', 'no difference'],
  unknown: ['', ''],
} as const;

export const standingText = (ratio: Ratio | null, unit: CellUnit): string =>
  STANDINGS[standingOf(ratio)][unit === 'bytes' ? 1 : 0];

const STATUS_WORDS: Readonly<Record<BenchCell['status'], string>> = {
  ok: 'measured',
  failed: 'failed',
  skipped: 'not possible',
  void: 'void',
  stopped: 'stopped',
};

export const statusWord = (status: BenchCell['status']): string => STATUS_WORDS[status];

export const engineLabel = (id: string): string => engineOf(id)?.label ?? id;

export const suiteTitle = (id: string): string => suiteOf(id)?.title ?? id;

/** “100,000 rows”, “size 25”. */
export function sizeText(suite: string, size: number): string {
  const unit = suiteOf(suite)?.sizeUnit ?? '';
  return unit === 'size'
    ? `size ${formatCount(size)}`
    : `${formatCount(size)} ${size === 1 ? unit.replace(/s$/, '') : unit}`;
}

/** Formats a number for a column of numbers: 1.23, 12.3, 123, 1,230. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return formatCount(Math.round(value));
  if (size >= 9.995) return formatFixed(value, 1);
  return formatFixed(value, 2);
}

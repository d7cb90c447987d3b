// Times, ratios and states of cells as people read them.
import { engineOf } from '#shared/bench/engines.ts';
import type { PublishedFigure } from '#shared/bench/published.ts';
import type { BenchCell, CellUnit } from '#shared/bench/result.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import { formatBytes, formatCount, formatFixed } from '../../../ui/format.ts';
import { standingOf } from './timing.ts';
import type { Ratio } from './timing.ts';

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

export function engineLabel(id: string): string {
  return engineOf(id)?.label ?? id;
}

export function suiteTitle(id: string): string {
  return suiteOf(id)?.title ?? id;
}

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

// Labels for an index in the index lab.
import type { IndexCandidate, IndexMeasurement } from '#shared/protocol/index.ts';
import { formatBytes, formatCount, formatDuration, formatFixed } from '../../../ui/format.ts';

/** “1,240 → 38, 33 times less”. */
export function costText(before: number, after: number): string {
  const [from, to] = [Math.round(before), Math.round(after)];
  const times = before / Math.max(1, after);
  const gain =
    times >= 10
      ? `, ${formatCount(Math.round(times))} times less`
      : times > 1.05
        ? `, ${formatFixed(times, 1)} times less`
        : '';
  return `${formatCount(from)} → ${formatCount(to)}${gain}`;
}

/** Note to show before the index is created; null if there is none. */
export function noteOn({ isUsed, isUsedNow, servedBy }: IndexCandidate): string | null {
  if (servedBy !== null) return `${servedBy} already does everything this index would do.`;
  if (!isUsed && !isUsedNow) return 'SQLite would not use this index for the statement.';
  if (!isUsedNow)
    return 'SQLite uses this index only after ANALYZE: without statistics about it, another plan looks cheaper. To run ANALYZE, choose Show Health.';
  if (!isUsed)
    return 'SQLite would use this index only until ANALYZE runs: statistics show that another plan is cheaper.';
  return null;
}

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
};

/** A fitting index makes statements faster than durations elsewhere can show. */
const timeText = (ms: number): string => (ms < 1 ? `${Math.max(1, Math.round(ms * 1000))} µs` : formatDuration(ms));

const spread = (values: readonly number[]): string => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.length > 1 ? ` (${timeText(least)} to ${timeText(most)})` : '';
};

export function measuredText({ beforeMs, afterMs, buildMs, bytes }: IndexMeasurement): string {
  const side = (values: readonly number[]): string => `${timeText(median(values))}${spread(values)}`;
  return `Measured in a copy: ${side(beforeMs)} without it, ${side(afterMs)} with it. It takes ${formatBytes(bytes)} and ${timeText(buildMs)} to build.`;
}

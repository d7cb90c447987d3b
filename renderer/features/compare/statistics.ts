// Statistics of repeated times: the median, the spread, and whether two series differ at all.

export interface Spread {
  readonly median: number;
  /** Half of all times are in this range. */
  readonly low: number;
  readonly high: number;
  readonly runs: number;
}

export function spreadOf(times: readonly number[]): Spread | null {
  if (times.length === 0) return null;
  const sorted = [...times].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), low: at(sorted, 0.25), high: at(sorted, 0.75), runs: times.length };
}

/** Interpolates linearly between the two nearest values. */
function at(sorted: readonly number[], share: number): number {
  const rank = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return below + (above - below) * (rank - Math.floor(rank));
}

/** How much longer the slower one takes, as a ratio; null if the spreads overlap, so that the difference is not significant. */
export function ratioOf(a: Spread, b: Spread): { readonly faster: 'first' | 'second'; readonly times: number } | null {
  if (a.low <= b.high && b.low <= a.high) return null;
  const [less, more] = a.median < b.median ? [a, b] : [b, a];
  return { faster: less === a ? 'first' : 'second', times: more.median / Math.max(less.median, Number.EPSILON) };
}

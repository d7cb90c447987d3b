// Statistics of samples: the median, the spread, the confidence of a ratio, and the smallest step of the clock that takes them.
import type { Random } from '../random.ts';

const RESAMPLES = 2_000;

export interface Interval {
  readonly value: number;
  /** 95 of 100 resamples lie between these. */
  readonly low: number;
  readonly high: number;
}

const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** Interpolates linearly between the two nearest values. */
function quantileOf(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = (sorted.length - 1) * share;
  const below = Math.floor(rank);
  const low = sorted[below]!;
  return below + 1 < sorted.length ? low + (sorted[below + 1]! - low) * (rank - below) : low;
}

/** @param share 0.5 is the median. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  return quantileOf(ascending(values), share);
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function summarize(values: readonly number[]) {
  const sorted = ascending(values);
  const middle = quantileOf(sorted, 0.5);
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  const variance =
    sorted.length < 2 ? 0 : sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sorted.length - 1);
  return {
    count: sorted.length,
    mean,
    median: middle,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
    p90: quantileOf(sorted, 0.9),
    p95: quantileOf(sorted, 0.95),
    p99: quantileOf(sorted, 0.99),
    /** Median of the distances from the median. */
    mad: median(Array.from(sorted, (value) => Math.abs(value - middle))),
    /** Standard deviation over mean. */
    cv: mean === 0 ? 0 : Math.sqrt(variance) / mean,
    outliers: countOutliers(sorted),
  };
}

/** Further from the quartiles than 1.5 (mild) or 3 (severe) times their distance. */
function countOutliers(sorted: Float64Array) {
  const [low, high] = [quantileOf(sorted, 0.25), quantileOf(sorted, 0.75)];
  const reach = high - low;
  let [mild, severe] = [0, 0];
  for (const value of sorted) {
    const beyond = Math.max(low - value, value - high);
    if (beyond > 3 * reach) severe++;
    else if (beyond > 1.5 * reach) mild++;
  }
  return { mild, severe };
}

/** The median, with its bootstrap confidence interval. */
export function medianInterval(values: readonly number[], random: Random): Interval {
  return interval(median(values), resample(medianDrawer(values, random)));
}

/** Times of two engines in the same rounds, in the same order. */
export interface Pairs {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

/**
 * Ratio of the medians. Rounds are resampled as pairs: a disturbance in a round affects both engines, and cancels out. Rounds that only one
 * of them has are left out; null without any.
 */
export function pairedRatio(pairs: Pairs, random: Random): Interval | null {
  const draw = ratioDrawer(pairs, random);
  return draw && interval(median(draw.ours) / median(draw.theirs), resample(draw.next));
}

/** Ratio of the medians of two unrelated runs: each is resampled by itself, without what interrupted it. Null without samples. */
export function independentRatio(runs: Pairs, random: Random): Interval | null {
  const { ours, theirs } = withoutInterruptions(runs);
  if (ours.length === 0 || theirs.length === 0) return null;
  const [left, right] = [medianDrawer(ours, random), medianDrawer(theirs, random)];
  return interval(
    median(ours) / median(theirs),
    resample(() => left() / right()),
  );
}

/** A round that takes so many times as long as the median round was interrupted by something else. */
const INTERRUPTED = 3;

/**
 * An interrupted round takes as long as the longest of the others. Otherwise, of six rounds or fewer, that round alone would be among the
 * medians drawn, and a change of 50 times could not be told from none. If rounds take as much less than the median, most of them may have
 * been interrupted, and nothing is known of either run.
 */
function withoutInterruptions({ ours, theirs }: Pairs): Pairs {
  const isKnown = (rounds: readonly number[]): boolean =>
    rounds.length > 2 && Math.min(...rounds) * INTERRUPTED >= median(rounds);
  if (!isKnown(ours) || !isKnown(theirs)) return { ours, theirs };
  return { ours: capped(ours), theirs: capped(theirs) };
}

function capped(rounds: readonly number[]): readonly number[] {
  const limit = median(rounds) * INTERRUPTED;
  const longest = Math.max(...rounds.filter((value) => value <= limit));
  return rounds.map((value) => Math.min(value, longest));
}

/** Geometric mean of the ratios of several tests, resampled together. */
export function geometricMean(tests: readonly Pairs[], random: Random): Interval | null {
  const draws = tests.map((pairs) => ratioDrawer(pairs, random)).filter((draw) => draw !== null);
  if (draws.length === 0) return null;
  const mean = (ratios: readonly number[]): number =>
    Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return centered(
    mean(draws.map(({ ours, theirs }) => median(ours) / median(theirs))),
    resample(() => mean(draws.map((draw) => draw.next()))),
  );
}

/** Whether the interval includes 1, so that “no difference” cannot be excluded. */
export function spansOne({ low, high }: Pick<Interval, 'low' | 'high'>): boolean {
  return low <= 1 && high >= 1;
}

/** How time grows with size: the slope of time over size on logarithmic axes; 1 is linear. */
export function growthExponent(points: readonly { readonly size: number; readonly time: number }[]): number | null {
  const logs = points
    .filter(({ size, time }) => size > 0 && time > 0)
    .map(({ size, time }) => [Math.log(size), Math.log(time)]);
  if (new Set(logs.map(([x]) => x)).size < 2) return null;
  const meanX = logs.reduce((sum, [x]) => sum + x!, 0) / logs.length;
  const meanY = logs.reduce((sum, [, y]) => sum + y!, 0) / logs.length;
  const over = logs.reduce((sum, [x, y]) => sum + (x! - meanX) * (y! - meanY), 0);
  const under = logs.reduce((sum, [x]) => sum + (x! - meanX) ** 2, 0);
  return over / under;
}

/** One number per round: the mean of its samples. Not the median, which with a coarse clock is always one of its steps. */
export function roundMeans(samples: readonly number[], perRound: number): readonly number[] {
  if (perRound <= 1) return samples;
  const rounds = Math.floor(samples.length / perRound);
  return Array.from(
    { length: rounds },
    (_, round) =>
      samples.slice(round * perRound, (round + 1) * perRound).reduce((sum, value) => sum + value, 0) / perRound,
  );
}

/** Draws at most this many of them, at equal distances and in order: any quantile of the sample is close to that of all. */
export function drawEvenly<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, at) => values[Math.floor(((at + 0.5) * values.length) / most)]!);
}

/** The median of as many values as there are, drawn from them. */
function medianDrawer(values: readonly number[], random: Random): () => number {
  const drawn = new Float64Array(values.length);
  return () => {
    for (let at = 0; at < drawn.length; at++) drawn[at] = values[Math.floor(random.next() * values.length)]!;
    return medianInPlace(drawn);
  };
}

function ratioDrawer({ ours, theirs }: Pairs, random: Random) {
  const count = Math.min(ours.length, theirs.length);
  if (count === 0) return null;
  const left = new Float64Array(count);
  const right = new Float64Array(count);
  return {
    ours: ours.slice(0, count),
    theirs: theirs.slice(0, count),
    next(): number {
      for (let at = 0; at < count; at++) {
        const round = Math.floor(random.next() * count);
        left[at] = ours[round]!;
        right[at] = theirs[round]!;
      }
      return medianInPlace(left) / medianInPlace(right);
    },
  };
}

function medianInPlace(values: Float64Array): number {
  values.sort();
  return quantileOf(values, 0.5);
}

function resample(draw: () => number): Float64Array {
  return Float64Array.from({ length: RESAMPLES }, draw).sort();
}

/**
 * Resampled medians of few rounds are slightly biased if rounds are skewed. In a single ratio this is hidden by its width; in the mean of
 * many only the bias remains, and the value would lie outside its own interval.
 */
function centered(value: number, sorted: Float64Array): Interval {
  const { low, high } = interval(value, sorted);
  const shift = value / quantileOf(sorted, 0.5);
  return { value, low: low * shift, high: high * shift };
}

function interval(value: number, sorted: Float64Array): Interval {
  return { value, low: quantileOf(sorted, 0.025), high: quantileOf(sorted, 0.975) };
}

declare const performance: { now(): number };

const LOOKS = 20;

export function timerStepMs(): number {
  let step = Infinity;
  for (let look = 0; look < LOOKS; look++) {
    const from = performance.now();
    let to = performance.now();
    while (to === from) to = performance.now();
    step = Math.min(step, to - from);
  }
  return step;
}

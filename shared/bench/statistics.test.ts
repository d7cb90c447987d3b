import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import {
  drawEvenly,
  geometricMean,
  growthExponent,
  median,
  medianInterval,
  pairedRatio,
  quantile,
  roundMeans,
  spansOne,
  summarize,
} from './statistics.ts';

const times = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
const SEED = { seed: 5 };

describe('quantiles', () => {
  test('known values, as R computes them by default', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.95)).toBeCloseTo(9.55, 10);
    expect(quantile([15, 20, 35, 40, 50], 0.4)).toBe(29);
    expect(median([])).toBeNaN();
  });

  test('grow with the share and stay between smallest and largest', () => {
    fc.assert(
      fc.property(
        times,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (all, a, b) => {
          const [low, high] = [quantile(all, Math.min(a, b)), quantile(all, Math.max(a, b))];
          expect(low).toBeLessThanOrEqual(high + 1e-9);
          expect(low).toBeGreaterThanOrEqual(Math.min(...all));
          expect(high).toBeLessThanOrEqual(Math.max(...all) + 1e-9);
        },
      ),
      { ...SEED, numRuns: seedCount(100) },
    );
  });
});

describe('summaries', () => {
  test('known values', () => {
    const summary = summarize([2, 4, 4, 4, 5, 5, 7, 9]);
    expect(summary).toMatchObject({ count: 8, mean: 5, median: 4.5, min: 2, max: 9, mad: 0.5 });
    expect(summary.cv).toBeCloseTo(Math.sqrt(32 / 7) / 5, 12);
  });

  test('outliers are counted by how far out they are', () => {
    const quiet = [10, 10.5, 11, 11.5, 12, 12.5, 13];
    expect(summarize(quiet).outliers).toEqual({ mild: 0, severe: 0 });
    expect(summarize([...quiet, 16.5, 99]).outliers).toEqual({ mild: 1, severe: 1 });
    expect(summarize([1, 2, 3, 4, 5, 6, 7, 8, 15]).outliers).toEqual({ mild: 1, severe: 0 });
  });
});

describe('ratios', () => {
  test('half the time in every round is a ratio of a half, and sure', () => {
    const theirs = [10, 12, 11, 13, 50, 12, 10];
    const ratio = pairedRatio({ ours: theirs.map((time) => time / 2), theirs }, createRandom(1))!;
    expect(ratio).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
    expect(spansOne(ratio)).toBe(false);
  });

  test('pairs cancel what disturbs both: the interval is far smaller than that of the times', () => {
    const random = createRandom(3);
    const weather = Array.from({ length: 30 }, () => 1 + random.next() * 4);
    const ours = weather.map((factor) => 10 * factor * (1 + random.next() * 0.01));
    const theirs = weather.map((factor) => 11 * factor * (1 + random.next() * 0.01));
    const ratio = pairedRatio({ ours, theirs }, random)!;
    const alone = medianInterval(ours, random);
    expect(ratio.high).toBeLessThan(1);
    expect(ratio.high - ratio.low).toBeLessThan((alone.high - alone.low) / alone.value / 5);
  });

  test('the same distribution twice spans 1 nearly always', () => {
    let spanning = 0;
    for (let seed = 0; seed < 100; seed++) {
      const random = createRandom(seed);
      const draw = (): number[] => Array.from({ length: 25 }, () => 5 + random.next() + random.next());
      if (spansOne(pairedRatio({ ours: draw(), theirs: draw() }, random)!)) spanning++;
    }
    expect(spanning).toBeGreaterThanOrEqual(88);
  });

  test('the other way round it is the reciprocal, and the value lies in its interval', () => {
    fc.assert(
      fc.property(times, times, (ours, theirs) => {
        const there = pairedRatio({ ours, theirs }, createRandom(9))!;
        const back = pairedRatio({ ours: theirs, theirs: ours }, createRandom(9))!;
        expect(there.value * back.value).toBeCloseTo(1, 6);
        expect(there.low).toBeLessThanOrEqual(there.value * (1 + 1e-9));
        expect(there.high).toBeGreaterThanOrEqual(there.value * (1 - 1e-9));
      }),
      { ...SEED, numRuns: seedCount(20) },
    );
  });

  test('nothing to compare with is null, and the same seed the same interval', () => {
    expect(pairedRatio({ ours: [1], theirs: [] }, createRandom(1))).toBeNull();
    const once = (): unknown => pairedRatio({ ours: [1, 2, 3], theirs: [2, 3, 5] }, createRandom(4));
    expect(once()).toEqual(once());
  });

  test('the geometric mean of 2 and 8 is 4', () => {
    const mean = geometricMean(
      [
        { ours: [2, 2], theirs: [1, 1] },
        { ours: [8, 8], theirs: [1, 1] },
        { ours: [], theirs: [1] },
      ],
      createRandom(1),
    )!;
    expect(mean.value).toBeCloseTo(4, 12);
    expect(mean.low).toBeCloseTo(4, 12);
    expect(geometricMean([], createRandom(1))).toBeNull();
  });

  test('the mean of many skewed tests lies in its own interval', () => {
    const skewed = { ours: [10, 10.1, 10.2, 10.3, 25, 26, 30], theirs: [10, 12, 14, 16, 16.1, 16.2, 16.3] };
    const { value, low, high } = geometricMean(
      Array.from({ length: 64 }, () => skewed),
      createRandom(1),
    )!;
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
  });
});

test('the exponent of growth is found', () => {
  const points = (power: number) => [1_000, 10_000, 100_000].map((size) => ({ size, time: 0.003 * size ** power }));
  expect(growthExponent(points(1))).toBeCloseTo(1, 10);
  expect(growthExponent(points(2))).toBeCloseTo(2, 10);
  expect(growthExponent([{ size: 10, time: 1 }])).toBeNull();
});

test('a round of many samples counts by its mean', () => {
  expect(roundMeans([1, 2, 30, 4, 5, 60, 7], 3)).toEqual([11, 23]);
  expect(roundMeans([1, 2], 1)).toEqual([1, 2]);
});

test('what is drawn evenly is in order, as many as asked for, and has about the same quantiles', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 500 }), (count, most) => {
      const drawn = drawEvenly(
        Array.from({ length: count }, (_, at) => at),
        most,
      );
      expect(drawn).toHaveLength(Math.min(count, most));
      expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
      expect(new Set(drawn).size).toBe(drawn.length);
      for (const share of [0.01, 0.5, 0.99])
        expect(Math.abs(quantile(drawn, share) - share * (count - 1))).toBeLessThanOrEqual(count / drawn.length);
    }),
    { seed: 5, numRuns: seedCount(100) },
  );
});

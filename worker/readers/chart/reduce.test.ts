// Reduction of many rows for drawing: exact extremes, exact counts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PlaneCells, binEdges, binOf, Categories } from './chart-data.ts';
import { PointBuckets, sortedPoints } from './point-buckets.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
const finite = (values: Float64Array): number[] => [...values].filter((value) => !Number.isNaN(value));

test('each step of a line keeps the least and the greatest value of each series, and its first and last X', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 10, noNaN: true }), fc.option(number), fc.option(number)), {
        minLength: 1,
        maxLength: 200,
      }),
      fc.integer({ min: 1, max: 20 }),
      (rows, steps) => {
        const buckets = new PointBuckets(0, 10, steps, 2);
        const stepOf = rows.map(([x, ...ys]) => {
          const step = buckets.addX(x);
          ys.forEach((y, series) => y !== null && buckets.addY(series, step, x, y));
          return step;
        });
        const { x, y } = buckets.finish();
        expect([...x]).toEqual([...x].sort((a, b) => a - b));
        const used = [...new Set(stepOf)].sort((a, b) => a - b);
        expect(x.length).toBe(used.length * 2);
        used.forEach((step, place) => {
          const inside = rows.filter((_, row) => stepOf[row] === step);
          const xs = inside.map(([at]) => at);
          expect([x[place * 2], x[place * 2 + 1]]).toEqual([Math.min(...xs), Math.max(...xs)]);
          for (const series of [0, 1] as const) {
            const values = inside
              .map((row) => row[series + 1])
              .filter((value) => value !== null && value !== undefined);
            const kept = finite(y[series]!.subarray(place * 2, place * 2 + 2));
            expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...values), Math.max(...values)]);
          }
        });
      },
    ),
    { seed: 15, numRuns: seedCount(200) },
  );
});

test('the extremes of a step are in the order in which they occur', () => {
  const buckets = new PointBuckets(0, 2, 2, 1);
  for (const [x, y] of [
    [0.1, 5],
    [0.2, -1],
    [0.3, 3],
    [1.5, 0],
    [1.2, 9],
  ] as const)
    buckets.addY(0, buckets.addX(x), x, y);
  expect(buckets.finish()).toEqual({ x: Float64Array.of(0.1, 0.3, 1.2, 1.5), y: [Float64Array.of(5, -1, 9, 0)] });
});

test('few points are put in the order of X, and equal ones stay in the order of the rows', () => {
  const { x, y } = sortedPoints([3, 1, 3, 2], [[10, 20, 30, 40]]);
  expect([[...x], [...y[0]!]]).toEqual([
    [1, 2, 3, 3],
    [20, 40, 10, 30],
  ]);
});

test('every value is in one bin, and the edges are round', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(number, fc.integer()), { minLength: 1, maxLength: 300 }), (values) => {
      const [least, greatest] = [Math.min(...values), Math.max(...values)];
      const edges = binEdges(least, greatest, values.length, values.every(Number.isInteger));
      for (const value of values) {
        const bin = binOf(edges, value);
        expect(value).toBeGreaterThanOrEqual(edges[bin]!);
        if (bin < edges.length - 2) expect(value).toBeLessThan(edges[bin + 1]!);
        else expect(value).toBeLessThanOrEqual(edges[bin + 1]!);
      }
      expect(edges.length).toBeLessThan(60);
    }),
    { seed: 15, numRuns: seedCount(500) },
  );
  expect([...binEdges(0, 10, 1000, true)]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect([...binEdges(0.1, 0.9, 27, false)]).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect([...binEdges(7, 7, 3, true)]).toEqual([6.5, 7.5]);
});

test('bars combine the numbers of their rows, and only the first categories have one', () => {
  const categories = new Categories(1);
  for (const [key, value] of [
    ['a', 0.1],
    ['b', 5],
    ['a', 0.2],
    ['a', -4],
  ] as const)
    categories.add(
      categories.bar(key, () => key),
      0,
      value,
    );
  categories.bar('empty', () => null);
  expect(categories.labels).toEqual(['a', 'b', null]);
  const all = (['sum', 'mean', 'least', 'greatest'] as const).map((combine) => [...categories.values(0, combine)]);
  expect(all).toEqual([
    [-3.7, 5, NaN],
    [-3.7 / 3, 5, NaN],
    [-4, 5, NaN],
    [0.2, 5, NaN],
  ]);
  for (let each = 0; each < 100; each++) categories.bar(String(each), () => '');
  expect([
    categories.labels.length,
    categories.isCut,
    categories.bar('b', () => ''),
    categories.bar('99', () => ''),
  ]).toEqual([60, true, 1, -1]);
});

test('of the points in one square the first is drawn, for each series', () => {
  const cells = new PlaneCells({ from: 0, to: 30 }, { from: 0, to: 30 }, 30, 30, 2);
  for (const [series, x, y] of [
    [0, 5, 5],
    [0, 5.1, 5],
    [1, 5.2, 5],
    [0, 30, 30],
    [0, 0, 0],
  ] as const)
    cells.add(series, x, y);
  const { x, y } = cells.finish();
  expect([...x]).toEqual([0, 5, 5.2, 30]);
  expect(y.map((series) => [...series])).toEqual([
    [0, 5, NaN, 30],
    [NaN, NaN, 5, NaN],
  ]);
  expect(cells.covered).toBe(1);
});

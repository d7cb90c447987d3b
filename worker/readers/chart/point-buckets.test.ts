import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { binEdges, binOf } from './chart-data.ts';
import { EqualSteps } from './point-buckets.ts';

const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
const extremes = fc.oneof(
  doubles,
  fc.constantFrom(-Number.MAX_VALUE, Number.MAX_VALUE, 5e-324, -5e-324, 0, 1e308, -1e308),
);
const sorted = fc.array(extremes, { minLength: 3, maxLength: 20 }).map((all) => [...all].sort((a, b) => a - b));

test('every number has a step, in order, whatever the bounds', () => {
  fc.assert(
    fc.property(sorted, fc.integer({ min: 1, max: 500 }), (numbers, count) => {
      const steps = new EqualSteps(numbers[0]!, numbers.at(-1)!, count);
      const places = numbers.map((number) => steps.at(number));
      expect(places.every((place) => Number.isInteger(place) && place >= 0 && place < count)).toBe(true);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }),
    { seed: 31, numRuns: seedCount(100) },
  );
});

test('the steps go on where the difference is beyond a double', () => {
  const steps = new EqualSteps(-1.5e308, 1.5e308, 4);
  expect([-1.5e308, -1e308, -1e307, 1e307, 1e308, 1.5e308].map((value) => steps.at(value))).toEqual([0, 0, 1, 2, 3, 3]);
});

test('every number has a bin that holds it, and bins are many where numbers are far apart', () => {
  fc.assert(
    fc.property(sorted, (numbers) => {
      const edges = binEdges(numbers[0]!, numbers.at(-1)!, numbers.length, false);
      expect([...edges].every((edge) => Number.isFinite(edge))).toBe(true);
      for (const number of numbers) {
        const bin = binOf(edges, number);
        expect(edges[bin]!).toBeLessThanOrEqual(number);
        expect(edges[bin + 1]!).toBeGreaterThanOrEqual(number);
      }
    }),
    { seed: 32, numRuns: seedCount(100) },
  );
  expect(binEdges(-1.7e308, 1.7e308, 1000, false).length).toBeGreaterThan(5);
});

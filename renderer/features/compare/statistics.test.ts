import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { ratioOf, spreadOf } from './statistics.ts';

test('the middle half of five times is what lies between the second and the fourth', () => {
  expect(spreadOf([5, 1, 3, 2, 90])).toEqual({ median: 3, low: 2, high: 5, runs: 5 });
  expect(spreadOf([4])).toEqual({ median: 4, low: 4, high: 4, runs: 1 });
  expect(spreadOf([])).toBeNull();
});

test('no order of the times changes what they come to', () => {
  const times = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(times, (some) => {
      const spread = spreadOf(some)!;
      expect(spreadOf([...some].reverse())).toEqual(spread);
      expect(spread.low).toBeLessThanOrEqual(spread.median);
      expect(spread.median).toBeLessThanOrEqual(spread.high);
      expect(ratioOf(spread, spread)).toBeNull();
    }),
    { seed: 7, numRuns: seedCount(100) },
  );
});

test('what overlaps is no difference; what does not says how many times', () => {
  const quick = spreadOf([1, 1.1, 0.9, 1, 1.05])!;
  const slow = spreadOf([2, 2.1, 1.9, 2, 2.05])!;
  const wild = spreadOf([0.5, 3, 1, 2, 2.5])!;
  expect(ratioOf(quick, slow)).toEqual({ faster: 'first', times: 2 });
  expect(ratioOf(slow, quick)).toEqual({ faster: 'second', times: 2 });
  expect(ratioOf(quick, wild)).toBeNull();
});

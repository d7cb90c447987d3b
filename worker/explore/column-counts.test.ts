import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { firstOf } from './column-profile.ts';

test('gives what ordering all of them would, equal ones as they came', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 12 }), (numbers, count) => {
      const items = numbers.map((number, at) => ({ number, at }));
      const all = [...items].sort((a, b) => a.number - b.number).slice(0, count);
      expect(firstOf(items, count, (a, b) => a.number - b.number)).toEqual(all);
    }),
    { seed: 109, numRuns: seedCount(100) },
  );
});

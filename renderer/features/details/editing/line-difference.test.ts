import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { lineDifference } from './line-difference.ts';

const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));

test('both texts can be read from their sides, and what is marked as the same is', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pairs = lineDifference(before, after);
      const side = (name: 'before' | 'after'): string => pairs.flatMap((pair) => pair[name] ?? []).join('\n');
      expect(side('before')).toBe(before);
      expect(side('after')).toBe(after);
      for (const { before: then, after: now, isSame } of pairs) if (isSame) expect(then).toBe(now);
    }),
    { seed: 21, numRuns: seedCount(2000) },
  );
});

test('a line in between is the only one that differs', () => {
  expect(lineDifference('a\nb\nc', 'a\nx\nb\nc').filter(({ isSame }) => !isSame)).toEqual([
    { before: null, after: 'x', isSame: false },
  ]);
  expect(lineDifference('a\nb\nc\nd', 'a\nc\nX\nd').filter(({ isSame }) => isSame)).toHaveLength(3);
});

test('many lines take no longer than they should', () => {
  const lines = (mark: string): string => Array.from({ length: 100_000 }, (_, at) => `${mark}${at}`).join('\n');
  expect(lineDifference(lines('a'), lines('b'))).toHaveLength(100_000);
});

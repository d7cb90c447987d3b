import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { alignLines } from './aligned-lines.ts';

test('equal lines are on the same level', () => {
  const shown = alignLines('a\nb\nc\nd', 'a\nx\ny\nc\nz\nd').map(({ left, right, isSame }) =>
    [left ?? '–', isSame ? '=' : '≠', right ?? '–'].join(' '),
  );
  expect(shown).toEqual(['a = a', 'b ≠ x', '– ≠ y', 'c = c', '– ≠ z', 'd = d']);
});

test('each side keeps all its lines in order, and lines that are the same are', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (left, right) => {
      const lines = alignLines(left, right);
      const side = (name: 'left' | 'right'): string => lines.flatMap((line) => line[name] ?? []).join('\n');
      expect([side('left'), side('right')]).toEqual([left, right]);
      for (const line of lines) if (line.isSame) expect(line.left).toBe(line.right);
      if (left === right) expect(lines.every(({ isSame }) => isSame)).toBe(true);
    }),
    { seed: 884, numRuns: seedCount(100) },
  );
});

test('a line in between is the only one that differs', () => {
  expect(alignLines('a\nb\nc', 'a\nx\nb\nc').filter(({ isSame }) => !isSame)).toEqual([
    { left: null, right: 'x', isSame: false },
  ]);
  expect(alignLines('a\nb\nc\nd', 'a\nc\nX\nd').filter(({ isSame }) => isSame)).toHaveLength(3);
});

test.each([
  ['many lines that all differ', 100_000],
  ['one line and many', 1],
])('%s are compared without memory for each pair', (_title, count) => {
  const lines = (mark: string, length: number): string => Array.from({ length }, (_, at) => `${mark}${at}`).join('\n');
  expect(alignLines(lines('a', count), lines('b', 200_000))).toHaveLength(200_000);
});

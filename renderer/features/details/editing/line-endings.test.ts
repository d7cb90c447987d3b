import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { asEdited, asSaved, lineEndingsOf } from './line-endings.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', '\r', '\n', '\r\n'), { maxLength: 14 })
  .map((pieces) => pieces.join(''));

test('a text that was not changed is saved as it was, whatever its line endings', () => {
  fc.assert(
    fc.property(text, (each) => {
      expect(asSaved(asEdited(each), each, lineEndingsOf(each))).toBe(each);
    }),
    { seed: 1, numRuns: seedCount(2000) },
  );
});

test('whatever is typed is saved, with line endings that the text had', () => {
  fc.assert(
    fc.property(text, text, (before, typed) => {
      const saved = asSaved(asEdited(typed), before, lineEndingsOf(before));
      expect(asEdited(saved)).toBe(asEdited(typed));
      const had: readonly string[] = before.match(/\r\n|\r|\n/g) ?? ['\n'];
      for (const ending of saved.match(/\r\n|\r|\n/g) ?? []) expect(had).toContain(ending);
    }),
    { seed: 2, numRuns: seedCount(2000) },
  );
});

test('lines that were not touched keep their own endings', () => {
  expect(asSaved('a\nB\nc\nd', 'a\r\nb\nc\rd', 'mixed')).toBe('a\r\nB\nc\rd');
  expect(asSaved('a\nx\ny\nc\nd', 'a\r\nb\nc\rd', 'mixed')).toBe('a\r\nx\ny\nc\rd');
  expect(asSaved('c\nd', 'a\r\nb\nc\rd', 'mixed')).toBe('c\rd');
  expect(asSaved('a\nb', 'a\rb', 'cr')).toBe('a\rb');
  expect(lineEndingsOf('one line')).toBeNull();
});

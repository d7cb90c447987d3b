import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { quoted } from './clipboard.ts';
import { parseBlock, transposed, transposedCopy } from './text-block.ts';

test('rows and fields, with either line end, and none after the last', () => {
  expect(parseBlock('a\tb\r\nc\t\r\n')).toEqual([
    ['a', 'b'],
    ['c', ''],
  ]);
  expect(parseBlock('one')).toEqual([['one']]);
  expect(parseBlock('a\n\nb')).toEqual([['a'], [''], ['b']]);
});

test('a quoted field may hold anything; a quote inside of a field is itself', () => {
  expect(parseBlock('"two\nlines"\t"say ""hi"""')).toEqual([['two\nlines', 'say "hi"']]);
  expect(parseBlock('5" pipe\t"open')).toEqual([['5" pipe', '"open']]);
  expect(parseBlock('"a" b\tc')).toEqual([['"a" b', 'c']]);
});

test('what is copied comes back', () => {
  const field = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '"', '\t', '\n', '\r', '😀') });
  const block = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }))
    // An empty only field at the end is what a final line end leaves.
    .filter((rows) => rows.at(-1)!.join('') !== '');
  fc.assert(
    fc.property(block, (rows) => {
      expect(parseBlock(rows.map((row) => row.map(quoted).join('\t')).join('\n'))).toEqual(rows);
    }),
    { seed: 7, numRuns: seedCount(100) },
  );
});

test('turns rows into columns, and keeps what is quoted and what is empty at the end', () => {
  expect(transposedCopy('a\t"b\nc"\n1\t2', 2)).toBe('a\t1\n"b\nc"\t2');
  expect(transposedCopy('a\n\n', 3)).toBe('a\t\t');
  expect(transposedCopy(transposedCopy('1\t2\t3\n4\t5\t6', 2), 3)).toBe('1\t2\t3\n4\t5\t6');
});

test('turns rows of any format into columns, and leaves every field as it is written', () => {
  const semicolons = { delimiter: ';', quote: "'" };
  expect(transposed("a;'b;c'\r\n;''\r\nd\r\n", semicolons, 3)).toBe("a;;d\n'b;c';'';");
  expect(transposed("a;'b;c'\r\n;''\r\nd\r\n", semicolons, 2)).toBeNull();
  expect(transposed('a||"b\nc||d', { delimiter: '||', quote: '' }, 9)).toBe('a||c\n"b||d');
});

test('a text that is nothing but delimiters is refused before it fills the memory', () => {
  const message = /more than 5,000,000 cells/;
  expect(() => parseBlock('\t'.repeat(5_000_001))).toThrow(message);
  // A long row, and many rows that would become as long.
  const uneven = `${'\t'.repeat(10_000)}${'\n'.repeat(1999)}`;
  expect(() => transposed(uneven, { delimiter: '\t', quote: '"' }, 2000)).toThrow(message);
  expect(transposed(`${'\t'.repeat(100)}\na`, { delimiter: '\t', quote: '"' }, 2000)?.split('\n')).toHaveLength(101);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { processorMsOf } from '../processor-time.test-suite.ts';
import { AppError } from '../protocol/errors.ts';
import { RegularExpressions, regularExpressionProblem } from './regular-expressions.ts';

const CHARS = ['a', 'b', 'A', '0', '_', ' ', '\n', '-', 'é', 'É', '€', '𝒳'];
const atom = fc.constantFrom(
  'a',
  'b',
  '0',
  '_',
  ' ',
  'é',
  '𝒳',
  '.',
  '\\d',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '[ab]',
  '[^a]',
  '[a-z0]',
  '[\\d_-]',
  '^',
  '$',
  '\\b',
  '\\B',
  '\\u{e9}',
  '\\x41',
);
const counts = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?');
const pattern = fc.letrec<{ readonly any: string; readonly all: string; readonly one: string }>((tie) => ({
  any: fc.array(tie('all'), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('|')),
  all: fc.array(tie('one'), { maxLength: 3 }).map((parts) => parts.join('')),
  one: fc
    .tuple(
      fc.oneof(
        { maxDepth: 2 },
        atom,
        tie('any').map((inner) => `(${inner})`),
        tie('any').map((inner) => `(?:${inner})`),
      ),
      counts,
    )
    .map(([part, count]) => (/^(?:\^|\$|\\b|\\B)$/i.test(part) ? part : part + count)),
})).any;
const text = fc.array(fc.constantFrom(...CHARS), { maxLength: 7 }).map((chars) => chars.join(''));

test('matches what JavaScript matches, with and without case', () => {
  const expressions = new RegularExpressions();
  fc.assert(
    fc.property(pattern, text, fc.boolean(), (source, value, ignoresCase) => {
      // V8 finds \B between the two halves of a surrogate pair too, which is no place in a text.
      fc.pre(!source.includes('\\B') || !/[\u{10000}-\u{10ffff}]/u.test(value));
      const expected = new RegExp(source, ignoresCase ? 'iu' : 'u').test(value);
      expect([source, value, expressions.test(ignoresCase ? `(?i)${source}` : source, value)]).toEqual([
        source,
        value,
        expected,
      ]);
    }),
    { numRuns: seedCount(1000), seed: 20_261 },
  );
});

test('takes time linear in the text for patterns that make other engines hang', () => {
  const expressions = new RegularExpressions();
  const long = 'a'.repeat(200_000);
  for (const source of ['(a+)+b', '(a|a)*b', '(a*)*(a*)*b', '(.*)(.*)(.*)(.*)b', 'a{0,50}a{50}b', '(x+x+)+y|(a?){60}b'])
    expect([source, expressions.test(source, long)]).toEqual([source, false]);
  // More sets of states than are remembered.
  const random = fc
    .sample(fc.array(fc.constantFrom('a', 'b'), { minLength: 5000, maxLength: 5000 }), { numRuns: 1, seed: 7 })[0]!
    .join('');
  expect(expressions.test('a[ab]{40}c', random)).toBe(false);
  expect(expressions.test('a[ab]{40}', random)).toBe(true);
});

test('takes no time for repetitions of nothing, however deep they are', async () => {
  const spentMs = await processorMsOf(() => {
    for (const nothing of ['()', '(?:)', 'a{0}', '(()())'])
      expect(new RegularExpressions().test(`^${'('.repeat(8)}${nothing}${'){1000}'.repeat(8)}b$`, 'b')).toBe(true);
  });
  expect(spentMs).toBeLessThan(2000);
});

test('calls back in long texts, which can end the search', () => {
  const stop = () => {
    throw new AppError({ code: 'stopped', message: 'Stopped.' });
  };
  expect(() => new RegularExpressions().test('b', 'a'.repeat(100_000), stop)).toThrow('Stopped.');
  // Sooner where each character leads to another set of many states.
  const random = fc
    .sample(fc.array(fc.constantFrom('a', 'b'), { minLength: 2000, maxLength: 2000 }), { numRuns: 1, seed: 7 })[0]!
    .join('');
  expect(() => new RegularExpressions().test('a[ab]{900}c', random, stop)).toThrow('Stopped.');
});

test('says what is wrong with a pattern, and where', () => {
  const problems = [
    '(a',
    'a)',
    '[a',
    '*a',
    'a**',
    'a{2,1}',
    '\\q',
    '\\1',
    '(?=a)',
    'a{5000}',
    '((a{900}){900})',
    '[z-a]',
    '\\',
    '\\u{110000}',
    '^*',
    '{1}',
  ];
  for (const source of problems) {
    let failure: unknown = null;
    try {
      new RegularExpressions().test(source, 'a');
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(AppError);
    expect([source, (failure as AppError).message]).toEqual([source, expect.stringMatching(/regular expression/)]);
  }
});

test('the longest expression is read soon, and a longer one is refused in words', () => {
  const classes = `(?i)[${Array.from({ length: 4990 }, (_, at) => String.fromCodePoint(0x3000 + at * 2)).join('')}]`;
  expect(new RegularExpressions().test(classes, 'x\u3002')).toBe(true);
  expect(regularExpressionProblem('a'.repeat(10_001))).toBe(
    'A regular expression can have at most 10,000 characters, and this one has 10,001.',
  );
});

import { expect, test } from 'vitest';
import { patternsIn, slowText } from './slow-patterns.ts';

const slowTextOf = (pattern: RegExp): string | null =>
  slowText({ where: '', source: pattern.source, flags: pattern.flags });

test.each([
  ['a quantifier in a quantifier', /^(?:a+)+$/],
  ['alternatives that match the same', /^(?:\w|\d)+!$/],
  ['two quantifiers that match the same', /^"\s*(.*)\s*"$/],
  ['a run that is searched again from each of its characters', /\s+$/],
  ['a beginning that is repeated', /<!--[^]*?-->/],
  ['the same behind a lead', /^between\s+(.+?)\s+and/],
  ['replacing', /\[[^\]]*\]/g],
])('finds %s', (_, pattern) => {
  expect(slowTextOf(pattern)).not.toBeNull();
});

test.each([
  /^\s+|x/,
  /^"(?:[^"\\]|\\.)*"$/,
  /^\d+(?!\d)\S*$/,
  /\s+/g,
  /\[[^[\]]*\]/g,
  /x{1,40}$/,
  /(?:^|,)[^,]*(?=,)/y,
])('passes %s', (pattern) => {
  expect(slowTextOf(pattern)).toBeNull();
});

test('reads patterns from sources', () => {
  const text = 'const a = 1;\nconst b = "/x/".replace(/\\/+[/)]$/giu, `/y/`) / 2 / a; // /z/';
  expect(patternsIn('x.ts', text)).toEqual([{ where: 'x.ts:2', source: '\\/+[/)]$', flags: 'giu' }]);
});

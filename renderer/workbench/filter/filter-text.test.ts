import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { FILTER_OPERATORS } from '#shared/filter-operators.ts';
import type { FilterEntry, FilterTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { filterText, readFilterText, sameEntries, type FieldColumn } from './filter-text.ts';

const NUMBER: FieldColumn = { name: 'n', declaredType: 'INTEGER' };
const TEXT: FieldColumn = { name: 't', declaredType: 'TEXT' };
const ANY: FieldColumn = { name: null, declaredType: '' };

const term = (column: FieldColumn, operator: FilterTerm['operator'], value: Value = null): FilterTerm => ({
  column: column.name,
  operator,
  value,
});

it.each<readonly [string, FieldColumn, readonly FilterEntry[]]>([
  ['', NUMBER, []],
  ['> 10', NUMBER, [term(NUMBER, '>', 10)]],
  ['≤ 2.5', NUMBER, [term(NUMBER, '<=', 2.5)]],
  ['7', NUMBER, [term(NUMBER, '=', 7)]],
  ['7', TEXT, [term(TEXT, 'contains', '7')]],
  ['7', ANY, [term(ANY, 'contains', '7')]],
  ['=abc', TEXT, [term(TEXT, '=', 'abc')]],
  ['=', TEXT, [term(TEXT, '=', '')]],
  ['= 9007199254740993', NUMBER, [term(NUMBER, '=', 9007199254740993n)]],
  ['null', TEXT, [term(TEXT, 'is-null')]],
  ['"null"', TEXT, [term(TEXT, 'contains', 'null')]],
  ['!null', TEXT, [term(TEXT, 'is-not-null')]],
  ['abc*', TEXT, [term(TEXT, 'starts-with', 'abc')]],
  ['*abc', TEXT, [term(TEXT, 'ends-with', 'abc')]],
  ['!abc', TEXT, [term(TEXT, 'not-contains', 'abc')]],
  ['rock and roll', TEXT, [term(TEXT, 'contains', 'rock and roll')]],
  ['1..5', NUMBER, [{ ...term(NUMBER, 'between', 1), to: 5 }]],
  ['between a and b', TEXT, [{ ...term(TEXT, 'between', 'a'), to: 'b' }]],
  ['in (1, null, 3)', NUMBER, [{ ...term(NUMBER, 'in'), values: [1, null, 3] }]],
  ['1,2, 3.5', NUMBER, [{ ...term(NUMBER, 'in'), values: [1, 2, 3.5] }]],
  ['7, null', NUMBER, [{ ...term(NUMBER, 'in'), values: [7, null] }]],
  ['!=1,2', NUMBER, [{ ...term(NUMBER, 'not-in'), values: [1, 2] }]],
  ['1,x', NUMBER, [term(NUMBER, 'contains', '1,x')]],
  ['1,2', TEXT, [term(TEXT, 'contains', '1,2')]],
  ['1,2', ANY, [term(ANY, 'contains', '1,2')]],
  ['1,2 || > 9', NUMBER, [{ any: [[{ ...term(NUMBER, 'in'), values: [1, 2] }], [term(NUMBER, '>', 9)]] }]],
  ['not in ("a, b", c)', TEXT, [{ ...term(TEXT, 'not-in'), values: ['a, b', 'c'] }]],
  ['length > 3', TEXT, [term(TEXT, 'length>', 3)]],
  ['like a_c%', TEXT, [term(TEXT, 'like', 'a_c%')]],
  ['>1 && <5', NUMBER, [term(NUMBER, '>', 1), term(NUMBER, '<', 5)]],
  ['null || >1 && <5', NUMBER, [{ any: [[term(NUMBER, 'is-null')], [term(NUMBER, '>', 1), term(NUMBER, '<', 5)]] }]],
])('reads %j', (text, column, entries) => {
  expect(readFilterText(text, column)).toEqual({ entries });
});

it.each(['> ', 'a &&', '|| b', '<='])('says what is missing in %j', (text) => {
  expect(readFilterText(text, TEXT)).toHaveProperty('problem');
});

it('reads any text without failing, and what it reads has a text that means the same', () => {
  const pieces = fc.constantFrom(
    'null',
    '>',
    '<=',
    '=',
    '!',
    '*',
    '"',
    '&&',
    '||',
    'in (',
    ')',
    ',',
    '..',
    ' ',
    '1',
    'é',
    'like ',
  );
  const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom(NUMBER, TEXT, ANY), (typed, column) => {
      const read = readFilterText(typed, column);
      if ('problem' in read) return;
      const shown = filterText(read.entries, column);
      if (shown === null) return;
      expect(readFilterText(shown, column)).toEqual(read);
    }),
    { numRuns: seedCount(2000), seed: 15 },
  );
});

it('never shows a text that means something else than the filter', () => {
  const value = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.integer(),
    fc
      .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
      .map((big) => (BigInt.asIntN(53, big) === big ? Number(big) : big)),
    fc.double({ noNaN: true }).map((real): Value => (Number.isInteger(real) ? { real } : real)),
    fc.uint8Array({ maxLength: 3 }),
    fc.constant(null),
  );
  const oneTerm = fc.record({
    column: fc.constant('t'),
    operator: fc.constantFrom(...FILTER_OPERATORS.map(({ id }) => id)),
    value,
    to: value,
    values: fc.array(value, { maxLength: 3 }),
  });
  let shown = 0;
  fc.assert(
    fc.property(
      fc.array(oneTerm, { minLength: 1, maxLength: 2 }),
      fc.constantFrom('', 'TEXT', 'INTEGER'),
      (terms, type) => {
        const column = { name: 't', declaredType: type };
        const text = filterText(terms, column);
        if (text === null) return;
        shown++;
        const read = readFilterText(text, column);
        expect('entries' in read && sameEntries(read.entries, terms)).toBe(true);
      },
    ),
    { numRuns: seedCount(3000), seed: 15 },
  );
  expect(shown).toBeGreaterThan(seedCount(3000) / 30);
});

it.each<readonly [FilterTerm, string]>([
  [term(TEXT, '=', '12'), '=12'],
  [term(TEXT, 'contains', 'null'), '"null"'],
  [{ ...term(TEXT, 'in'), values: ['a', 'b, c', null] }, 'in ("a", "b, c", null)'],
])('shows %j as %j', (entry, text) => {
  expect(filterText([entry], TEXT)).toBe(text);
});

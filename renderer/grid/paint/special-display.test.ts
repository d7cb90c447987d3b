import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { momentText, groupedDigits, hexBegin, isDateType, momentOf } from './special-display.ts';

test.each([
  ['1234567', '1,234,567'],
  ['-1234.5678', '-1,234.5678'],
  ['999', '999'],
  ['1.0e+25', '1.0e+25'],
  ['Inf', 'Inf'],
  ['-9223372036854775808', '-9,223,372,036,854,775,808'],
])('%s is shown as %s', (text, shown) => expect(groupedDigits(text)).toBe(shown));

test('grouping changes nothing but the commas', () => {
  fc.assert(
    fc.property(fc.oneof(fc.bigInt().map(String), fc.double().map(String)), (text) => {
      expect(groupedDigits(text).replaceAll(',', '')).toBe(text);
    }),
    { seed: 270, numRuns: seedCount(100) },
  );
});

test('seconds, milliseconds, and Julian days are told apart by their size; other numbers are no dates', () => {
  const at = Date.UTC(2026, 2, 9, 14, 2, 11);
  expect(momentText(momentOf(at / 1000)!, 'utc')).toBe('2026-03-09 14:02:11 UTC');
  expect(momentText(momentOf(at)!, 'utc')).toBe('2026-03-09 14:02:11 UTC');
  expect(momentText(momentOf(at / 86_400_000 + 2_440_587.5)!, 'utc')).toBe('2026-03-09 14:02:11 UTC');
  expect(momentText(at + 5, 'utc')).toBe('2026-03-09 14:02:11.005 UTC');
  for (const number of [0, 1, 2026, 20260309, 1e15, Number.NaN, Infinity]) expect(momentOf(number)).toBeNull();
});

test('local time names its offset, and means the same moment', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e9 }), (seconds) => {
      const text = momentText(seconds * 1000, 'local');
      expect(Date.parse(text.replace(' ', 'T').replace(' ', ''))).toBe(seconds * 1000);
    }),
    { seed: 271, numRuns: seedCount(100) },
  );
});

test('the first bytes of a blob, and which declared types are dates', () => {
  expect(hexBegin(new Uint8Array([0, 10, 255]), 3)).toBe('00 0A FF');
  expect(hexBegin(new Uint8Array(12), 13)).toBe(`${'00 '.repeat(12)}…`);
  const types = ['DATE', 'datetime', 'TIMESTAMP WITH TIME ZONE', 'INTEGER', 'UPDATED', 'TIME', ''];
  expect(types.map(isDateType)).toEqual([true, true, true, false, false, false, false]);
});

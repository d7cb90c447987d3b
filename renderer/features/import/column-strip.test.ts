// Tests how readings of a column are called.
import { expect, test, it } from 'vitest';
import type { Reading, ColumnFacts } from '#shared/protocol/index.ts';
import { plainChoice } from '#shared/import/column-choices.ts';
import { exampleOf, labelOf, columnReason } from './column-strip.tsx';

const date = { kind: 'dates', first: 'day', separator: '/', yearDigits: 4, clock: 'none' } as const;
const number = { kind: 'numbers', thousands: '.', point: ',', isWhole: false } as const;

test.each<readonly [Reading, string, string]>([
  [date, 'Day first: 31/12/2026', '31/12/2026 is 2026-12-31'],
  [{ ...date, first: 'month', separator: '.' }, 'Month first: 12.31.2026', '12.31.2026 is 2026-12-31'],
  [{ ...date, first: 'year' }, 'Year first: 2026/12/31', '2026/12/31 is 2026-12-31'],
  [{ ...date, clock: 24 }, 'Day first, with time', '31/12/2026 14:05 is 2026-12-31 14:05'],
  [{ ...date, first: 'month', clock: 12 }, 'Month first, with time', '12/31/2026 2:05 PM is 2026-12-31 14:05'],
  [
    { ...date, yearDigits: 2, clock: 24 },
    'Day first, 1970–2069',
    '31/12/26 14:05 is 2026-12-31 14:05; years are those from 1970 to 2069',
  ],
  [number, '1.234,5 is 1234.5', '1.234,5 is 1234.5'],
  [{ ...number, isWhole: true }, '1.234 is 1234', '1.234 is 1234'],
  [{ ...number, thousands: null }, '1,234 is 1.234', '1,234 is 1.234'],
])('%o is called %s: %s', (reading, label, example) => {
  expect(labelOf(reading)).toBe(label);
  expect(exampleOf(reading)).toBe(example);
});

const NOTHING: ColumnFacts = {
  name: 'a', absent: 0, empty: 0, quotedEmpty: 0, nulls: 0, integers: 0, beyond53: 0, beyond64: 0, leadingZeros: 0, plusSigns: 0, hex: 0,
  reals: 0, inexactReals: 0, booleans: 0, dates: {}, thousands: {}, texts: 0, json: 0, blobs: 0, longest: 0, suggested: 'TEXT',
  content: 'only NULL', reason: 'only NULL: TEXT', readings: [],
}; // prettier-ignore
const choice = plainChoice('a', 'a');
const MIXED: ColumnFacts = { ...NOTHING, reals: 1, texts: 1, content: '1 real, 1 other text', reason: '…: TEXT' };

it('a new table has the suggested type and its reason', () => {
  expect(columnReason({ choice, facts: MIXED }, undefined, false)).toEqual({ text: '…: TEXT', isWarning: false });
  expect(columnReason({ choice, facts: null }, undefined, true).text).toBe('Reading the whole file…');
});

it('a column of an existing table has its own type, which may not fit', () => {
  expect(columnReason({ choice, facts: MIXED }, 'REAL', false)).toEqual({
    text: '1 real, 1 other text. Not all of them are stored as REAL.',
    isWarning: true,
  });
  for (const declared of ['TEXT', '', 'VARCHAR(9)', 'ANY'])
    expect(columnReason({ choice, facts: MIXED }, declared, false).isWarning).toBe(false);
  expect(columnReason({ choice, facts: NOTHING }, 'REAL', false).text).toBe('only NULL');
  const dates = { ...NOTHING, dates: { 'YYYY-MM-DD': 1 } };
  expect(columnReason({ choice, facts: dates }, 'INTEGER', false).isWarning).toBe(true);
});

it('an expression leaves what was counted', () => {
  const computed = { ...choice, expression: 'trim(value)' };
  expect(columnReason({ choice: computed, facts: MIXED }, 'REAL', false).text).toBe('1 real, 1 other text');
  expect(columnReason({ choice: { ...computed, isAdded: true }, facts: null }, 'REAL', false).text).toBe(
    '= trim(value)',
  );
});

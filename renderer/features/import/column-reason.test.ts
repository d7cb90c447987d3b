// What is said about the values of a column, for a new table and for one that exists.
import { expect, it } from 'vitest';
import type { ColumnFacts } from '#shared/protocol/index.ts';
import { plainChoice } from '#shared/import/column-choices.ts';
import { columnReason } from './column-reason.ts';

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

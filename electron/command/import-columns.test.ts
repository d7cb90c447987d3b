import { expect, it } from 'vitest';
import type { ColumnFacts, ColumnType } from '#shared/protocol/import.ts';
import { mergedFacts } from './import-columns.ts';

const NOTHING = {
  absent: 0, empty: 0, quotedEmpty: 0, nulls: 0, integers: 0, beyond53: 0, beyond64: 0, leadingZeros: 0, plusSigns: 0, hex: 0,
  reals: 0, inexactReals: 0, booleans: 0, dates: {}, thousands: {}, texts: 0, json: 0, blobs: 0, longest: 0, content: '', reason: '', readings: [],
}; // prettier-ignore

const column = (name: string, suggested: ColumnType, facts: Partial<ColumnFacts> = {}): ColumnFacts => ({
  ...NOTHING,
  name,
  suggested,
  ...facts,
});

const typesOf = (...files: (readonly ColumnFacts[])[]): readonly ColumnType[] =>
  mergedFacts(files).map(({ suggested }) => suggested);

it('what is a number in one file and text in another stays text: 007 is not 7', () => {
  const first = [column('a', 'INTEGER', { integers: 5 }), column('b', 'REAL', { reals: 1 })];
  const second = [column('b', 'REAL', { reals: 2 }), column('a', 'TEXT', { leadingZeros: 1 })];
  expect(typesOf(first, second)).toEqual(['TEXT', 'REAL']);
});

it('numbers with thousands separators in one file are text in all', () => {
  const grouped = [column('a', 'TEXT', { thousands: { ',': 2 } })];
  expect(typesOf([column('a', 'INTEGER', { integers: 1 })], grouped)).toEqual(['TEXT']);
});

it('whole numbers and others have no number type that prints both as they are written', () => {
  expect(typesOf([column('a', 'INTEGER', { integers: 1 })], [column('a', 'REAL', { reals: 1 })])).toEqual(['TEXT']);
});

it('a column that is empty in one file has the type of the others', () => {
  const empty = [column('a', 'TEXT', { empty: 3 })];
  const full = [column('a', 'INTEGER', { integers: 3 })];
  expect(typesOf(empty, full)).toEqual(['INTEGER']);
  expect(typesOf(full, empty, [])).toEqual(['INTEGER']);
  expect(typesOf(empty, empty)).toEqual(['TEXT']);
});

import { expect, it } from 'vitest';
import type { Column, ForeignKey, Value } from '#shared/protocol/index.ts';
import { matchingTerms } from './matching-terms.ts';

const column = (name: string, primaryKeyIndex = 0, references: ForeignKey | null = null): Column => ({
  name,
  declaredType: '',
  notNull: false,
  defaultSql: null,
  primaryKeyIndex,
  generated: 'no',
  references,
});
const TO_SHELF: ForeignKey = {
  table: 'Shelf',
  columns: [
    { from: 'room', to: 'r' },
    { from: 'number', to: 'n' },
  ],
};
const BOOK = { name: 'book', columns: [column('id', 1), column('room', 0, TO_SHELF), column('number', 0, TO_SHELF)] };
const SHELF = { name: 'shelf', columns: [column('r', 1), column('n', 2)] };
const valuesOf =
  (row: Readonly<Record<string, Value>>) =>
  (name: string): Value | undefined =>
    row[name];

it('follows a composite key up and down', () => {
  expect(matchingTerms(BOOK, SHELF, valuesOf({ id: 5, room: 'A', number: 2 }))).toEqual([
    { column: 'r', operator: '=', value: 'A' },
    { column: 'n', operator: '=', value: 2 },
  ]);
  expect(matchingTerms(SHELF, BOOK, valuesOf({ r: 'A', n: 2 }))).toEqual([
    { column: 'room', operator: '=', value: 'A' },
    { column: 'number', operator: '=', value: 2 },
  ]);
  expect(matchingTerms(BOOK, SHELF, valuesOf({ id: 5, room: 'A', number: null }))).toBeNull();
});

it('otherwise compares columns that are called like the key', () => {
  const note = { name: 'note', columns: [column('id'), column('text')] };
  expect(matchingTerms(note, { name: 'other', columns: [column('id', 1)] }, valuesOf({ id: 7, text: '' }))).toEqual([
    { column: 'id', operator: '=', value: 7 },
  ]);
  expect(matchingTerms(note, SHELF, valuesOf({ id: 7, text: '' }))).toBeNull();
});

import { expect, test } from 'vitest';
import type { MergeQuestion } from '#shared/protocol/index.ts';
import { answerOf, answerRow, answerTable, choicesOf, NO_ANSWERS, openRows } from './merge-answers.ts';
import { mergedLabel, planLabel, questionLabel } from './merge-labels.ts';

const counts = (table: string, updated: number) => ({ table, inserted: 0, updated, deleted: 0 });
const question = (id: number, table: string, change: Partial<MergeQuestion> = {}): MergeQuestion => ({
  id,
  table,
  kind: 'updated',
  key: [id],
  columns: ['v'],
  base: ['b'],
  mine: ['m'],
  theirs: ['t'],
  message: null,
  ...change,
});
const asked = [counts('a', 3), counts('b', 2)];

test('what is open is counted whatever was decided for rows, tables and all', () => {
  expect(openRows(NO_ANSWERS, asked)).toBe(5);
  const row = answerRow(NO_ANSWERS, question(1, 'a'), 'mine');
  expect(openRows(row, asked)).toBe(4);
  const table = answerTable(row, 'b', 'theirs');
  expect(openRows(table, asked)).toBe(2);
  expect(openRows(answerTable(table, null, 'later'), asked)).toBe(0);
});

test('the nearest answer counts; one for a table overrules its rows', () => {
  const rowInTable = answerRow(answerTable(NO_ANSWERS, 'a', 'theirs'), question(1, 'a'), 'mine');
  expect([answerOf(rowInTable, question(1, 'a')), answerOf(rowInTable, question(2, 'a'))]).toEqual(['mine', 'theirs']);
  expect(answerOf(rowInTable, question(9, 'b'))).toBeNull();
  expect(choicesOf(rowInTable)).toEqual({ rows: { 1: 'mine' }, tables: { a: 'theirs' } });
  expect(answerOf(answerTable(rowInTable, 'a', 'later'), question(1, 'a'))).toBe('later');
  expect(choicesOf(answerTable(rowInTable, null, 'mine'))).toEqual({ rows: {}, tables: {}, all: 'mine' });
});

test('words say who changed what', () => {
  const plan = {
    way: 'three-way',
    why: null,
    taken: [{ table: 'a', inserted: 1, updated: 2, deleted: 0 }],
    kept: [counts('a', 1)],
    questions: [counts('a', 1)],
    notes: [],
  } as const;
  expect(planLabel(plan)).toEqual([
    '3 rows that only the file changed are taken over (1 new, 2 changed).',
    '1 row that only you changed stays as it is.',
    '1 row that both changed: decide which to keep.',
  ]);
  expect(
    planLabel({ ...plan, way: 'two-way', why: 'Nobody knows.', taken: [], kept: [], questions: [counts('a', 2)] }),
  ).toEqual(['Nobody knows. So Sidelite can’t tell who changed what: 2 rows differ, and you decide about them.']);
  expect(planLabel({ ...plan, taken: [], kept: [], questions: [] })).toEqual(['No rows differ.']);
  expect(questionLabel(question(1, 'a', { mine: null }))).toBe('deleted here, changed in the file');
  expect(questionLabel(question(1, 'a', { base: undefined, theirs: null }))).toBe('only here');
  expect(mergedLabel('n.db', 3, 1)).toBe('Merged “n.db”: 3 rows changed here. 1 row left for later.');
});

// The user's decisions about the rows of a merge: that for a row beats that for its table, which beats that for all. Pure.
import type { MergeChoice, MergeChoices, MergeQuestion, TableCounts } from '#shared/protocol/index.ts';
import type { MergeAnswers } from '../../state/slices/sources.ts';
import { rowsOf } from './merge-labels.ts';

export const NO_ANSWERS: MergeAnswers = { rows: {}, tables: {}, all: null };

export function answerOf(
  { rows, tables, all }: MergeAnswers,
  { id, table }: Pick<MergeQuestion, 'id' | 'table'>,
): MergeChoice | null {
  return rows[id]?.choice ?? tables[table] ?? all;
}

export function answerRow(answers: MergeAnswers, { id, table }: MergeQuestion, choice: MergeChoice): MergeAnswers {
  return { ...answers, rows: { ...answers.rows, [id]: { table, choice } } };
}

/** @param table null: all of them. Overrides earlier decisions for single rows. */
export function answerTable(answers: MergeAnswers, table: string | null, choice: MergeChoice): MergeAnswers {
  if (table === null) return { rows: {}, tables: {}, all: choice };
  const rows = Object.fromEntries(Object.entries(answers.rows).filter(([, row]) => row.table !== table));
  return { ...answers, rows, tables: { ...answers.tables, [table]: choice } };
}

export function openRows({ rows, tables, all }: MergeAnswers, questions: readonly TableCounts[]): number {
  if (all !== null) return 0;
  const left = questions.filter(({ table }) => tables[table] === undefined);
  const names = new Set(left.map(({ table }) => table));
  return rowsOf(left) - Object.values(rows).filter(({ table }) => names.has(table)).length;
}

export function choicesOf({ rows, tables, all }: MergeAnswers): MergeChoices {
  const byRow = Object.fromEntries(Object.entries(rows).map(([id, { choice }]) => [id, choice]));
  return { rows: byRow, tables, ...(all !== null && { all }) };
}

// A file that a program has written that found no rows: its only line has the names of the columns, and is no row of the table with them.
import { fieldTexts } from '../records/field-texts.ts';
import type { RecordBatch } from '../records/record-batch.ts';
import type { ResolvedTarget } from './import-target.ts';

export const NAMES_ONLY = 'The only line of the file has names of columns of the table, so there is no row to add.';

/** @param batch the first one of a file that is read without a header row */
export function hasNamesOnly(batch: RecordBatch, { shape }: ResolvedTarget): boolean {
  if (batch.records !== 1 || shape === null) return false;
  const names = new Set(shape.columns.map(({ name }) => name.toLowerCase()));
  const texts = fieldTexts(batch, 0).map((text) => text.toLowerCase());
  return new Set(texts).size === texts.length && texts.every((text) => names.has(text));
}

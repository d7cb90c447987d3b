// Finds the rows of a title above the table of a sheet.
import type { ImportOptions } from '#shared/protocol/import.ts';
import type { ByteSource, RecordBatch } from '../../records/record-batch.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import { titleLines, type TitleLines } from '../csv/title-lines.ts';
import type { TitleRows } from '../import-format.ts';
import { openSheet } from './sheet-reader.ts';

const SAMPLE_ROWS = 500;

/** Null: the table begins with the first row. */
export async function detectTitle(source: ByteSource, options: ImportOptions): Promise<TitleRows | null> {
  const reader = await openSheet(source, { ...options, hasHeader: false, skipLines: 0 });
  const batch = await reader.next();
  const { count } = batch ? titleOf(batch) : { count: 0 };
  if (count === 0) return null;
  const rows = count === 1 ? 'row has' : `${count} rows have`;
  const reason = `The first ${rows} text in one cell at most, or fewer cells than the others.`;
  return { skipLines: count, evidence: { option: 'skipLines', reason, line: count + 1 } };
}

function titleOf(batch: RecordBatch): TitleLines {
  const records = Array.from({ length: Math.min(batch.records, SAMPLE_ROWS) }, (_, at) => ({
    line: batch.lines[at]!,
    texts: fieldTexts(batch, at),
    quoted: [],
  }));
  const counts = new Map<number, number>();
  for (const { texts } of records) counts.set(texts.length, (counts.get(texts.length) ?? 0) + 1);
  const [usual, agreeing] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
  return titleLines({ records, usual, agreeing, delimiter: '\t' });
}

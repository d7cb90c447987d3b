// Reads where the table of a sheet begins, below the rows of a title, and what its columns are.
import type { ImportOptions } from '#shared/protocol/import.ts';
import type { ByteSource, RecordBatch } from '../../records/record-batch.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import { titleLines, type TitleLines } from '../csv/title-lines.ts';
import type { Beginning } from '../import-format.ts';
import { openTexts, readSheet } from './sheet-reader.ts';

const SAMPLE_ROWS = 500;

/** The texts of all sheets may be most of the file, so they are read once for both. */
export async function readBeginning(source: ByteSource, options: ImportOptions): Promise<Beginning> {
  const opened = await openTexts(source);
  const rows = await readSheet(opened, { ...options, hasHeader: false, skipLines: 0 }, SAMPLE_ROWS);
  const batch = await rows.next();
  const title = batch === null ? null : titleIn(batch);
  const table = await readSheet(opened, { ...options, skipLines: title?.skipLines ?? 0 });
  await table.next();
  return { title, columns: [...table.columns] };
}

/** Null: the table begins with the first row. */
function titleIn(batch: RecordBatch): Beginning['title'] {
  const { count } = titleOf(batch);
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

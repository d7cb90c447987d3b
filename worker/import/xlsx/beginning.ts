// Reads where the table of a sheet begins, below the rows of a title, whether its first row names the columns, and what they are.
import type { Evidence, ImportOptions } from '#shared/protocol/import.ts';
import type { ByteSource, RecordBatch } from '../../records/record-batch.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import { headerOf } from '../csv/detect-header.ts';
import { headerReadings } from '../csv/near-readings.ts';
import type { SampleRecord } from '../csv/sample-records.ts';
import { titleLines } from '../csv/title-lines.ts';
import type { Beginning } from '../import-format.ts';
import type { ReadingLimits } from '../reading-limits.ts';
import { openTexts, readSheet } from './sheet-reader.ts';

const SAMPLE_ROWS = 500;

/** The texts of all sheets may be most of the file, so they are read once for all of this. */
export async function readBeginning(
  source: ByteSource,
  options: ImportOptions,
  given: Partial<ImportOptions>,
  limits?: ReadingLimits,
): Promise<Beginning> {
  const opened = await openTexts(source, limits);
  const from = given.skipLines ?? 0;
  const rows = await readSheet(opened, { ...options, hasHeader: false, skipLines: from }, SAMPLE_ROWS);
  const batch = await rows.next();
  const records = batch === null ? [] : recordsOf(batch);
  const above = given.skipLines === undefined ? titleOf(records) : 0;
  const inTable = records.filter(({ line }) => line > above);
  const header = headerOf(inTable);
  const found = {
    skipLines: from + above,
    hasHeader: given.hasHeader ?? header.value,
  };
  const table = await readSheet(opened, { ...options, ...found });
  await table.next();
  return {
    options: found,
    evidence: [...header.evidence, ...(above > 0 ? [titleEvidence(above)] : [])],
    columns: [...table.columns],
    readings: given.hasHeader === undefined ? headerReadings(inTable, header) : [],
  };
}

function titleEvidence(count: number): Evidence {
  const rows = count === 1 ? 'row has' : `${count} rows have`;
  const reason = `The first ${rows} text in one cell at most, or fewer cells than the others.`;
  return { option: 'skipLines', reason, line: count + 1 };
}

const recordsOf = (batch: RecordBatch): readonly SampleRecord[] =>
  Array.from({ length: Math.min(batch.records, SAMPLE_ROWS) }, (_, at) => ({
    line: batch.lines[at]!,
    texts: fieldTexts(batch, at),
    quoted: [],
  }));

/** @returns rows above the table */
function titleOf(records: readonly SampleRecord[]): number {
  const counts = new Map<number, number>();
  for (const { texts } of records) counts.set(texts.length, (counts.get(texts.length) ?? 0) + 1);
  const [usual, agreeing] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0]);
  return titleLines({ records, usual, agreeing, delimiter: '\t' }).count;
}

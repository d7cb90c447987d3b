// The fields of a record as strings: for the few that are displayed.
import type { RecordBatch } from './record-batch.ts';

/** Keeps a BOM, which is text in the middle of a file. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The number of the first field of a record. */
export const firstField = (batch: RecordBatch, record: number): number =>
  record === 0 ? 0 : batch.recordEnds[record - 1]!;

/** Texts of one record of the batch; a field without text is ''. Invalid UTF-8 becomes U+FFFD. */
export function fieldTexts(batch: RecordBatch, record: number): string[] {
  const texts: string[] = [];
  for (let at = firstField(batch, record); at < batch.recordEnds[record]!; at++)
    texts.push(decoder.decode(batch.bytes.subarray(batch.starts[at], batch.ends[at])));
  return texts;
}

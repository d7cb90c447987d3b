// The first records of a file one at a time, so that the result of each can be checked before the next.
import type { RecordBatch, RecordReader } from '../records/record-batch.ts';
import { firstField } from '../records/field-texts.ts';
import type { Remarks } from './record-feed.ts';

export interface FirstRecords {
  /** Batches of one record each. */
  readonly records: readonly RecordBatch[];
  /** Problems of these records and of those between them that could not be read. */
  readonly remarks: Remarks;
}

/** @throws what the reader throws */
export async function readFirst(reader: RecordReader, count: number): Promise<FirstRecords> {
  const single: RecordBatch[] = [];
  let isWhole = false;
  while (single.length < count) {
    const batch = await reader.next();
    isWhole = batch === null;
    if (batch === null) break;
    for (let record = 0; record < batch.records && single.length < count; record++) single.push(copyOf(batch, record));
  }
  const lastLine = isWhole ? Infinity : (single.at(-1)?.lines[0] ?? Infinity);
  const problems = reader.takeProblems().filter(({ line }) => line <= lastLine);
  const notices = (reader.takeNotices?.() ?? []).filter(({ line }) => line <= lastLine);
  return { records: single, remarks: { takeProblems: () => problems.splice(0), takeNotices: () => notices.splice(0) } };
}

/** One record as a batch of its own, which stays valid. */
export function copyOf(batch: RecordBatch, record: number): RecordBatch {
  const first = firstField(batch, record);
  const end = batch.recordEnds[record]!;
  const starts = batch.starts.slice(first, end);
  const ends = batch.ends.slice(first, end);
  const from = starts.reduce((least, at) => Math.min(least, at), ends[0] ?? 0);
  const to = ends.reduce((most, at) => Math.max(most, at), from);
  return {
    bytes: batch.bytes.slice(from, to),
    // The range of fields without text can be anything.
    starts: starts.map((at) => at - from),
    ends: ends.map((at) => at - from),
    kinds: batch.kinds.slice(first, end),
    records: 1,
    recordEnds: Uint32Array.of(end - first),
    lines: batch.lines.slice(record, record + 1),
  };
}

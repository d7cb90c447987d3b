// The first records of a file, each by itself, so that what becomes of it can be looked at before the next one.
import type { RecordBatch, RecordReader } from '../records/record-batch.ts';
import { firstField } from '../records/field-texts.ts';

/** @throws what the reader throws */
export async function readFirst(reader: RecordReader, count: number): Promise<readonly RecordBatch[]> {
  const single: RecordBatch[] = [];
  while (single.length < count) {
    const batch = await reader.next();
    if (batch === null) break;
    for (let record = 0; record < batch.records && single.length < count; record++) single.push(copyOf(batch, record));
  }
  return single;
}

function copyOf(batch: RecordBatch, record: number): RecordBatch {
  const first = firstField(batch, record);
  const end = batch.recordEnds[record]!;
  const starts = batch.starts.slice(first, end);
  const ends = batch.ends.slice(first, end);
  const from = starts.reduce((least, at) => Math.min(least, at), ends[0] ?? 0);
  const to = ends.reduce((most, at) => Math.max(most, at), from);
  return {
    bytes: batch.bytes.slice(from, to),
    // Of fields without text the range may be anywhere.
    starts: starts.map((at) => at - from),
    ends: ends.map((at) => at - from),
    kinds: batch.kinds.slice(first, end),
    records: 1,
    recordEnds: Uint32Array.of(end - first),
    lines: batch.lines.slice(record, record + 1),
  };
}

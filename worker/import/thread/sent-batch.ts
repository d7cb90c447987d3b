// A batch of records in one piece of memory, which is passed between threads without a copy and comes back to be filled again.
import type { RecordBatch } from '../../records/record-batch.ts';

/** The arrays follow each other: lines, starts, ends, ends of records, kinds, bytes. */
export interface SentBatch {
  readonly memory: ArrayBuffer;
  /** Where the first one begins: a multiple of 8. */
  readonly at: number;
  readonly records: number;
  readonly fields: number;
  readonly bytes: number;
}

/** Memory larger than its content by this factor is released, so that one huge batch does not occupy it to the end. */
const MOST_SPARE = 8;
const LEAST_BYTES = 1 << 20;
const BYTES_OF_RECORD = 8 + 4;
const BYTES_OF_FIELD = 4 + 4 + 1;

/** Copies the used part. @param memory reused where it fits */
export function packBatch(batch: RecordBatch, memory: ArrayBuffer | null): SentBatch {
  const used = usedPart(batch);
  return copyBatch(batch, used, fitting(memory, used.length), 0);
}

/** What of a batch is copied, and how long the copy is. */
interface UsedPart {
  readonly fields: number;
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

export function usedPart(batch: RecordBatch): UsedPart {
  const { records } = batch;
  const fields = records === 0 ? 0 : batch.recordEnds[records - 1]!;
  const { from, to } = usedRange(batch, fields);
  return { fields, from, to, length: records * BYTES_OF_RECORD + fields * BYTES_OF_FIELD + to - from };
}

/** @param memory has room for {@link usedPart} from `at` on */
export function copyBatch(batch: RecordBatch, used: UsedPart, memory: ArrayBuffer, at: number): SentBatch {
  const { records } = batch;
  const { fields, from, to } = used;
  const sent = { memory, at, records, fields, bytes: to - from };
  const copy = unpackBatch(sent);
  copy.lines.set(batch.lines.subarray(0, records));
  copy.recordEnds.set(batch.recordEnds.subarray(0, records));
  copy.kinds.set(batch.kinds.subarray(0, fields));
  copy.bytes.set(batch.bytes.subarray(from, to));
  for (let field = 0; field < fields; field++) {
    copy.starts[field] = batch.starts[field]! - from;
    copy.ends[field] = batch.ends[field]! - from;
  }
  return sent;
}

/** Views of its memory. */
export function unpackBatch({ memory, at, records, fields, bytes }: SentBatch): RecordBatch {
  const starts = at + records * 8;
  const ends = starts + fields * 4;
  const recordEnds = ends + fields * 4;
  const kinds = recordEnds + records * 4;
  return {
    records,
    lines: new Float64Array(memory, at, records),
    starts: new Uint32Array(memory, starts, fields),
    ends: new Uint32Array(memory, ends, fields),
    recordEnds: new Uint32Array(memory, recordEnds, records),
    kinds: new Uint8Array(memory, kinds, fields),
    bytes: new Uint8Array(memory, kinds + fields, bytes),
  };
}

/** Range of all fields; the range of those without text may be anywhere. */
function usedRange({ starts, ends }: RecordBatch, fields: number): { readonly from: number; readonly to: number } {
  let from = fields === 0 ? 0 : Infinity;
  let to = 0;
  for (let field = 0; field < fields; field++) {
    if (starts[field]! < from) from = starts[field]!;
    if (ends[field]! > to) to = ends[field]!;
  }
  return { from, to: Math.max(from, to) };
}

/** Memory of at least so many bytes. @param memory reused where it fits */
export function fitting(memory: ArrayBuffer | null, needed: number): ArrayBuffer {
  const least = Math.max(needed, LEAST_BYTES);
  if (memory !== null && memory.byteLength >= needed && memory.byteLength <= MOST_SPARE * least) return memory;
  return new ArrayBuffer(least + (least >> 2));
}

// The first records of a file one at a time, so that the result of each can be checked before the next.
import { FIELD } from '../records/record-batch.ts';
import type { RecordBatch, RecordNotice, RecordProblem, RecordReader } from '../records/record-batch.ts';
import { firstField } from '../records/field-texts.ts';
import { sizeText } from './reading-limits.ts';
import type { Remarks } from './record-feed.ts';

/** After so many records that cannot be read, or so much of their text, no others are looked for. */
const MOST_PROBLEMS = 10_000;
const MOST_CHARACTERS = 4_000_000;
/** After so many batches in a row without a record or a problem, neither: each is megabytes of a file. */
const MOST_EMPTY = 8;
/** The engine writes the first records twice for a preview, reads them, and does nothing else meanwhile. */
const MOST_BYTES = 8 << 20;
/** Memory of a field besides its text. */
const FIELD_BYTES = 9;

interface FirstRecords {
  /** Batches of one record each. */
  readonly records: readonly RecordBatch[];
  /** Problems of these records and of those between them that could not be read. */
  readonly remarks: Remarks;
}

/**
 * Fewer than `count` where they take more than `mostBytes`; one at least, if there is any. Long fields of a record that alone takes more
 * are cut, and a notice says so.
 *
 * @throws what the reader throws
 */
export async function readFirst(reader: RecordReader, count: number, mostBytes = MOST_BYTES): Promise<FirstRecords> {
  const single: RecordBatch[] = [];
  const problems: RecordProblem[] = [];
  const notices: RecordNotice[] = [];
  let bytes = 0;
  let characters = 0;
  let empty = 0;
  const isEnough = (): boolean => single.length >= count || bytes >= mostBytes;
  let isWhole = false;
  const isGivenUp = (): boolean =>
    problems.length >= MOST_PROBLEMS || characters >= MOST_CHARACTERS || empty >= MOST_EMPTY;
  while (!isEnough() && !isGivenUp()) {
    const batch = await reader.next();
    const found = reader.takeProblems();
    problems.push(...found);
    characters += found.reduce((sum, { text }) => sum + text.length, 0);
    notices.push(...(reader.takeNotices?.() ?? []));
    isWhole = batch === null;
    if (batch === null) break;
    empty = batch.records + found.length > 0 ? 0 : empty + 1;
    for (let record = 0; record < batch.records && !isEnough(); record++) {
      const copy = shortened(copyOf(batch, record), mostBytes, notices);
      single.push(copy);
      bytes += copy.bytes.length + copy.kinds.length * FIELD_BYTES;
    }
  }
  const lastLine = isWhole || !isEnough() ? Infinity : (single.at(-1)?.lines[0] ?? Infinity);
  const before = ({ line }: { readonly line: number }): boolean => line <= lastLine;
  const [told, noted] = [problems.filter(before), notices.filter(before)];
  return { records: single, remarks: { takeProblems: () => told.splice(0), takeNotices: () => noted.splice(0) } };
}

const CUT_KINDS: ReadonlySet<number> = new Set([FIELD.text, FIELD.quoted, FIELD.json, FIELD.blob]);

/** A record of 60 MB would keep the engine busy for half a second of processor time. Numbers are never cut. */
function shortened(record: RecordBatch, mostBytes: number, notices: RecordNotice[]): RecordBatch {
  if (record.bytes.length <= mostBytes) return record;
  const { bytes, starts, ends, kinds, lines } = record;
  const most = Math.floor(mostBytes / kinds.length);
  const shorter = ends.map((end, at) => {
    const start = starts[at]!;
    if (end - start <= most || !CUT_KINDS.has(kinds[at]!)) return end;
    const cut = start + most;
    return kinds[at] === FIELD.blob ? cut : characterStart(bytes, cut);
  });
  const cut = shorter.reduce((count, end, at) => count + (end < ends[at]! ? 1 : 0), 0);
  if (cut === 0) return record;
  const fields = cut === 1 ? 'A long field is' : `${cut.toLocaleString('en-US')} long fields are`;
  const text = `${fields} cut to ${sizeText(most)} in this preview: the import stores all of the text.`;
  notices.push({ line: lines[0]!, text });
  return { ...record, ends: shorter };
}

/** The start of the UTF-8 character that the byte belongs to. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (at - start < 3 && (bytes[start]! & 0xc0) === 0x80) start--;
  return start;
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

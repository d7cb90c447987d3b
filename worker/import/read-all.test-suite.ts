// Helpers for tests of all formats: a file in memory, and everything that is read from one.
import type { ByteSource, RecordNotice, RecordProblem, RecordReader } from '../records/record-batch.ts';
import { FIELD } from '../records/record-batch.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function bytesSource(content: Uint8Array | string, fileName = 'file'): ByteSource {
  // `slice` of a Buffer would be a view, but a reader may free the memory of the bytes it gets.
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  return {
    fileName,
    sizeBytes: bytes.length,
    read: (offset, length) => Promise.resolve(bytes.slice(offset, offset + length)),
  };
}

const KIND_NAMES = Object.keys(FIELD) as (keyof typeof FIELD)[];

export interface ReadRecord {
  readonly line: number;
  /** `number 1`, `quoted some text`, `null`; of a blob its bytes in hex. */
  readonly fields: readonly string[];
}

export interface ReadFile {
  readonly columns: readonly string[];
  readonly records: readonly ReadRecord[];
  readonly problems: readonly RecordProblem[];
  readonly notices: readonly RecordNotice[];
}

/** Trailing absent fields are left out: a column that comes later makes earlier records shorter than later ones. */
export async function readAll(reader: RecordReader): Promise<ReadFile> {
  const records: ReadRecord[] = [];
  const problems: RecordProblem[] = [];
  const notices: RecordNotice[] = [];
  for (let batch = await reader.next(); batch !== null; batch = await reader.next()) {
    let field = 0;
    for (let record = 0; record < batch.records; record++) {
      const fields: string[] = [];
      for (; field < batch.recordEnds[record]!; field++) {
        const kind = KIND_NAMES[batch.kinds[field]!]!;
        const bytes = batch.bytes.subarray(batch.starts[field], batch.ends[field]);
        const text = kind === 'blob' ? Buffer.from(bytes).toString('hex') : decoder.decode(bytes);
        fields.push(['absent', 'null', 'true', 'false'].includes(kind) ? kind : `${kind} ${text}`);
      }
      while (fields.at(-1) === 'absent') fields.pop();
      records.push({ line: batch.lines[record]!, fields });
    }
    problems.push(...reader.takeProblems());
    notices.push(...(reader.takeNotices?.() ?? []));
  }
  problems.push(...reader.takeProblems());
  notices.push(...(reader.takeNotices?.() ?? []));
  return { columns: reader.columns, records, problems, notices };
}

/** A few bytes changed, left out or put in. Made of numbers below 1 so that a property test can shrink them. */
export function mutated(
  bytes: Uint8Array,
  changes: readonly { readonly at: number; readonly byte: number; readonly kind: number }[],
): Uint8Array {
  const result = [...bytes];
  for (const { at, byte, kind } of changes) {
    const index = Math.floor(at * (result.length + 1));
    if (kind === 0) result[index] = byte;
    else if (kind === 1) result.splice(index, 1);
    else if (kind === 2) result.splice(index, 0, byte);
    else result.length = Math.min(result.length, index);
  }
  return Uint8Array.from(result);
}

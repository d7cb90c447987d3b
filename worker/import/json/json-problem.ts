// Problems of pieces of a file that are not records.
import type { RecordProblem } from '../../records/record-batch.ts';

const MAX_CHARS = 10_000;
/** UTF-8 has at most four bytes for a character. */
const MAX_BYTES = MAX_CHARS * 4;

export function jsonProblem(
  line: number,
  reason: string,
  bytes: Uint8Array,
  start: number,
  end: number,
): RecordProblem {
  const text = new TextDecoder().decode(bytes.subarray(start, Math.min(end, start + MAX_BYTES))).trimEnd();
  return { line, reason, text: text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text };
}

export const number = (value: number): string => value.toLocaleString('en-US');

// Rows as JSON objects, in which no value loses anything: as `sidelite diff` and `sidelite merge` write them (worker/diff/json-writer.ts).
import type { Value } from './protocol/values.ts';

export interface ExactRow {
  readonly columns: readonly string[];
  readonly values: readonly Value[];
  /** Each value as it is written: equal values have equal texts. */
  readonly texts: readonly string[];
}

const INTEGER = /^-?\d{1,19}$/;
const REAL = /^-?\d{1,400}(?:\.\d{1,400})?(?:e[-+]?\d{1,4})?$/i;
const HEX = /^(?:[0-9a-f]{2})*$/i;

/** Null for a text that is not a row in exactly this form. */
export function readExactRow(text: string): ExactRow | null {
  const row: { columns: string[]; values: Value[]; texts: string[] } = { columns: [], values: [], texts: [] };
  const end = text.length - 1;
  if (text[0] !== '{' || text[end] !== '}') return null;
  for (let at = 1; at < end; at++) {
    const nameEnd = stringEnd(text, at);
    const name = text[nameEnd] === ':' ? stringOf(text.slice(at, nameEnd)) : null;
    const valueEnd = endOfValue(text, nameEnd + 1);
    const written = text.slice(nameEnd + 1, valueEnd);
    const value = valueOf(written);
    const isFollowed = text[valueEnd] === ',' && valueEnd + 1 < end;
    if (name === null || value === undefined || (!isFollowed && valueEnd !== end)) return null;
    row.columns.push(name);
    row.values.push(value);
    row.texts.push(written);
    at = valueEnd;
  }
  return row;
}

/** Where the string that begins at `start` ends; `start` if none does. */
function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return start;
  for (let at = start + 1; ; at++) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return start;
    let escapes = 0;
    while (text[quote - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return quote + 1;
    at = quote;
  }
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start);
  if (text[start] === '{') return text.indexOf('}', start) + 1;
  const comma = text.indexOf(',', start);
  return comma < 0 ? text.length - 1 : comma;
}

function valueOf(written: string): Value | undefined {
  if (written === 'null') return null;
  if (written.startsWith('"')) return stringOf(written) ?? undefined;
  if (written.startsWith('{')) return bytesOf(written);
  if (INTEGER.test(written)) return integerOf(BigInt(written));
  if (!REAL.test(written)) return undefined;
  const real = Number(written);
  return Number.isInteger(real) ? { real } : real;
}

/** SQLite's integers have 64 bits. */
function integerOf(big: bigint): Value | undefined {
  if (BigInt.asIntN(64, big) !== big) return undefined;
  const number = Number(big);
  return Number.isSafeInteger(number) ? number : big;
}

function bytesOf(written: string): Value | undefined {
  const kind = ['blob', 'text'].find((each) => written.startsWith(`{"${each}":"`) && written.endsWith('"}'));
  const hex = written.slice('{"blob":"'.length, -'"}'.length);
  if (kind === undefined || !HEX.test(hex)) return undefined;
  const bytes = Uint8Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(at * 2, at * 2 + 2), 16));
  return kind === 'blob' ? bytes : { textBytes: bytes };
}

function stringOf(written: string): string | null {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

// The order of values in SQLite, with the collation BINARY (sqlite.org/datatype3.html#sort_order).
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';

const encoder = new TextEncoder();

/** Negative if `a` comes first. NULL comes before numbers, numbers before texts, and texts before blobs. */
export function compareStored(a: Value, b: Value): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0 || a === null || b === null) return rank;
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  const [oneNumber, otherNumber] = [numeric(a), numeric(b)];
  if (oneNumber !== null && otherNumber !== null) return oneNumber < otherNumber ? -1 : oneNumber > otherNumber ? 1 : 0;
  return compareBytes(bytesOf(a), bytesOf(b));
}

function rankOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === 'number' || typeof value === 'bigint' || isReal(value)) return 1;
  return typeof value === 'string' || isRawText(value) ? 2 : 3;
}

const numeric = (value: Value): number | bigint | null =>
  typeof value === 'number' || typeof value === 'bigint' ? value : isReal(value) ? value.real : null;

/** SQLite compares the bytes of UTF-8. UTF-16 has the same order, except that surrogates come before U+E000 … U+FFFF. */
function compareTexts(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return codeRank(one) - codeRank(other);
  }
  return a.length - b.length;
}

const codeRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return encoder.encode(value);
  return isRawText(value) ? value.textBytes : new Uint8Array();
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let at = 0; at < end; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return a.length - b.length;
}

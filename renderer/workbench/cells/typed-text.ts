// Exact values of numbers and BLOBs that the user types.
import type { Value } from '#shared/protocol/values.ts';

const INTEGER = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const BLOB_LITERAL = /^x'((?:[0-9a-f]{2})*)'$/i;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** Null if the text is no integer, or needs more than 64 bits. */
export function integerFrom(text: string): number | bigint | null {
  if (!INTEGER.test(text)) return null;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value < MIN_INTEGER || value > MAX_INTEGER) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** @param mayBeInfinite accepts `Inf` and `-Inf` too, as SQLite prints them */
export function realFrom(text: string, mayBeInfinite: boolean): Value | null {
  if (mayBeInfinite && /^[+-]?inf$/i.test(text)) return { real: text.startsWith('-') ? -Infinity : Infinity };
  if (!NUMBER.test(text)) return null;
  const value = Number(text);
  return Number.isInteger(value) ? { real: value } : value;
}

/** Parses a literal `X'…'`. */
export function blobFrom(text: string): Uint8Array | null {
  const hex = BLOB_LITERAL.exec(text.trim())?.[1];
  if (hex === undefined) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

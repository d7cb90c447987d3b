// Values as text for copying and editing. NULL and empty text are both '' here: callers that need the difference check the value.
import { formatReal } from '#shared/packed-rows/reader.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';

const lenient = new TextDecoder();
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase());
const HEX_PIECE_BYTES = 8192;

export function valueText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : formatReal(value);
  if (isReal(value)) return formatReal(value.real);
  if (isRawText(value)) return lenient.decode(value.textBytes);
  return blobLiteral(value);
}

/** SQLite's own spelling: `X'0A1B'`. */
export function blobLiteral(bytes: Uint8Array): string {
  const parts: string[] = [];
  // Build the text in pieces: building it from millions of single bytes takes many times the memory.
  for (let at = 0; at < bytes.length; at += HEX_PIECE_BYTES)
    parts.push(Array.from(bytes.subarray(at, at + HEX_PIECE_BYTES), (byte) => HEX[byte]).join(''));
  return `X'${parts.join('')}'`;
}

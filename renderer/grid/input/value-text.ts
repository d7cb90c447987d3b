// Values as the text people copy and edit. NULL and empty text are both '' here: who needs the difference asks for the value.
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
  // In pieces: a text put together of millions of bytes takes many times the memory.
  for (let at = 0; at < bytes.length; at += HEX_PIECE_BYTES)
    parts.push(Array.from(bytes.subarray(at, at + HEX_PIECE_BYTES), (byte) => HEX[byte]).join(''));
  return `X'${parts.join('')}'`;
}

// Text as Excel writes it into XML: characters that XML does not allow are written as `_xHHHH_` (ECMA-376 part 1, 22.4.2.4).
import { encodeText } from '../../records/batch-writer.ts';

const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;
const ESCAPE_BYTES = 7;
const UNDERSCORE = 0x5f;
const LOWER_X = 0x78;

export const excelText = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPE, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Where the first text is that may be an escape; -1: nowhere. */
export function firstEscape(bytes: Uint8Array, start: number, end: number): number {
  // Not with `indexOf`, which would look at all texts that the array has room for.
  for (let at = start; at + ESCAPE_BYTES <= end; at++)
    if (bytes[at] === UNDERSCORE && bytes[at + 1] === LOWER_X) return at;
  return -1;
}

/** Undoes the escapes in place, as {@link excelText} does. Returns the new end; -1 where one is a half of a surrogate pair, before anything is changed. */
export function withoutEscapes(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (bytes[at] === UNDERSCORE && isSurrogate(codeAt(bytes, at, end))) return -1;
  let to = start;
  for (let at = start; at < end;) {
    const code = bytes[at] === UNDERSCORE ? codeAt(bytes, at, end) : -1;
    if (code < 0) bytes[to++] = bytes[at++]!;
    else {
      to = encodeText(String.fromCharCode(code), bytes, to);
      at += ESCAPE_BYTES;
    }
  }
  return to;
}

const isSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xe000;

/** -1: no escape begins there. */
function codeAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + ESCAPE_BYTES > end || bytes[at + 1] !== LOWER_X || bytes[at + 6] !== UNDERSCORE) return -1;
  let code = 0;
  for (let digit = at + 2; digit < at + 6; digit++) {
    const byte = bytes[digit]!;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) code = code * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) code = code * 16 + letter - 0x57;
    else return -1;
  }
  return code;
}

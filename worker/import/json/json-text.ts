// The text of a JSON string, made in place out of the bytes between its quotes: what escapes stand for is never longer than they are.
import { hexDigit } from './json-scanner.ts';

const BACKSLASH = 0x5c;
const SIMPLE = new Uint8Array(256);
for (const [escape, character] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}))
  SIMPLE[escape.charCodeAt(0)] = character.charCodeAt(0);

/**
 * Makes the text of a field whose escapes are known to be whole, and moves its end.
 * @returns whether there is half of a surrogate pair without the other: UTF-8 has no bytes for it, U+FFFD is written.
 */
export function unescapeInPlace(bytes: Uint8Array, starts: Uint32Array, ends: Uint32Array, field: number): boolean {
  const end = ends[field]!;
  let from = bytes.indexOf(BACKSLASH, starts[field]);
  let hasLone = false;
  let to = from;
  while (from < end) {
    const byte = bytes[from]!;
    if (byte !== BACKSLASH) {
      bytes[to++] = byte;
      from++;
      continue;
    }
    const kind = bytes[from + 1]!;
    if (kind !== 0x75) {
      bytes[to++] = SIMPLE[kind]!;
      from += 2;
      continue;
    }
    let code = codeAt(bytes, from);
    from += 6;
    if (code >= 0xd800 && code <= 0xdfff) {
      const isPair = code <= 0xdbff && from + 6 <= end && bytes[from] === BACKSLASH && bytes[from + 1] === 0x75;
      const low = isPair ? codeAt(bytes, from) : 0;
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        from += 6;
      } else {
        code = 0xfffd;
        hasLone = true;
      }
    }
    to = writeUtf8(bytes, to, code);
  }
  ends[field] = to;
  return hasLone;
}

const codeAt = (bytes: Uint8Array, at: number): number =>
  (hexDigit(bytes[at + 2]!) << 12) |
  (hexDigit(bytes[at + 3]!) << 8) |
  (hexDigit(bytes[at + 4]!) << 4) |
  hexDigit(bytes[at + 5]!);

function writeUtf8(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  if (code < 0x10000) {
    bytes[at] = 0xe0 | (code >> 12);
    bytes[at + 1] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (code & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (code >> 18);
  bytes[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}

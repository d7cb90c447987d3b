// The texts of the cells of a row, as consecutive UTF-8, assembled from the pieces in their XML.
import { encodeText, grown } from '../../records/batch-writer.ts';
import { utf8End } from '../csv/odd-bytes.ts';
import { READING_LIMITS } from '../reading-limits.ts';
import { writeXmlText } from './xml-text.ts';

const LARGE_BYTES = 32 << 20;
const LARGER = 1.4;

const LONE_SURROGATE = /\p{Surrogate}/u;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class CellBytes {
  bytes = new Uint8Array(1 << 12);
  used = 0;
  /** A text had U+FFFD put in place of what is no character. */
  hasReplaced = false;
  readonly #mostBytes: number;

  constructor(mostBytes = READING_LIMITS.recordBytes) {
    this.#mostBytes = mostBytes;
  }

  /** Whether a piece of so many bytes fits: what takes more is refused before there is memory for it. */
  hasRoom(bytes: number): boolean {
    return this.used + bytes <= this.#mostBytes;
  }

  /** Adds a piece as a listener of XML receives it. */
  add(from: Uint8Array, start: number, end: number, isPlain: boolean): void {
    const to = this.used;
    this.#reserve(end - start);
    if (!isPlain) {
      this.used = writeXmlText(from, start, end, this.bytes, to);
      return;
    }
    if (end - start > 48) this.bytes.set(from.subarray(start, end), to);
    else for (let at = start, n = to; at < end; at++, n++) this.bytes[n] = from[at]!;
    this.used = to + end - start;
  }

  addText(text: string): void {
    this.#reserve(text.length * 3);
    this.used = encodeText(text, this.bytes, this.used);
  }

  /** Finishes the text that was added from `start` on: Excel's escapes are undone, and invalid UTF-8 becomes U+FFFD. */
  finishText(start: number): void {
    const { bytes, used } = this;
    const isPlain = utf8End(bytes, start, used) === used;
    const escape = firstEscape(bytes, start, used);
    if (isPlain && escape < 0) return;
    const end = isPlain ? withoutEscapes(bytes, escape, used) : -1;
    if (end >= 0) this.used = end;
    else {
      const text = excelText(decoder.decode(bytes.subarray(start, used)));
      this.hasReplaced ||= !isPlain || LONE_SURROGATE.test(text);
      this.used = start;
      this.addText(text);
    }
  }

  text(start: number, end: number): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  /** The old memory stays until the new one is filled, so a large one grows by less. */
  #reserve(more: number): void {
    const needed = this.used + more;
    if (needed <= this.bytes.length) return;
    const larger = this.bytes.length < LARGE_BYTES ? this.bytes.length * 2 : this.bytes.length * LARGER;
    this.bytes = grown(this.bytes, Math.max(needed, Math.min(Math.floor(larger), this.#mostBytes)), Uint8Array);
  }
}

// Text as Excel writes it into XML: characters that XML does not allow are written as `_xHHHH_` (ECMA-376 part 1, 22.4.2.4).
const ESCAPE = /_x([0-9A-Fa-f]{4})_/g;
const ESCAPE_BYTES = 7;
const UNDERSCORE = 0x5f;
const LOWER_X = 0x78;

export const excelText = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPE, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Where the first text is that may be an escape; -1: nowhere. */
function firstEscape(bytes: Uint8Array, start: number, end: number): number {
  // Not with `indexOf`, which would look at all texts that the array has room for.
  for (let at = start; at + ESCAPE_BYTES <= end; at++)
    if (bytes[at] === UNDERSCORE && bytes[at + 1] === LOWER_X) return at;
  return -1;
}

/** Undoes the escapes in place, as {@link excelText} does. Returns the new end; -1 where one is a half of a surrogate pair, before anything is changed. */
function withoutEscapes(bytes: Uint8Array, start: number, end: number): number {
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

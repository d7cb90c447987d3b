// SQL text in wasm memory: finds the beginning of a statement, and converts byte offsets to UTF-16 offsets.

import { SqlScanner } from '#shared/sql-scanner.ts';

/** Bytes; most statements are shorter. */
const FIRST_LOOK = 2048;
const decoder = new TextDecoder();
const TAB = 0x09;
const LINE_FEED = 0x0a;
const VERTICAL_TAB = 0x0b;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const ASTERISK = 0x2a;
const DASH = 0x2d;
const SLASH = 0x2f;
const SEMICOLON = 0x3b;

/** The first byte from `at` that is not white space, a comment or an empty statement, as SQLite's tokenizer sees it; the NUL at the end stops. */
export function skipBlank(bytes: Uint8Array, at: number): number {
  for (;;) {
    const byte = bytes[at]!;
    if (
      byte === SPACE ||
      byte === LINE_FEED ||
      byte === CARRIAGE_RETURN ||
      byte === TAB ||
      byte === FORM_FEED ||
      byte === SEMICOLON
    )
      at = byte === SEMICOLON ? at + 1 : skipVerticalTabs(bytes, at + 1);
    else if (byte === DASH && bytes[at + 1] === DASH) at = skipLine(bytes, at);
    else if (byte === SLASH && bytes[at + 1] === ASTERISK && bytes[at + 2] !== 0) at = skipBlockComment(bytes, at + 2);
    else if (byte === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) at += 3; // byte order mark
    else return at;
  }
}

/** A character that is white space only after other white space, because no token can begin with it. */
function skipVerticalTabs(bytes: Uint8Array, at: number): number {
  while (bytes[at] === VERTICAL_TAB) at++;
  return at;
}

function skipLine(bytes: Uint8Array, at: number): number {
  while (bytes[at] !== LINE_FEED && bytes[at] !== 0) at++;
  return at;
}

/** An open comment at the end of the text is a comment for SQLite too. */
function skipBlockComment(bytes: Uint8Array, at: number): number {
  while (bytes[at] !== 0) {
    if (bytes[at] === ASTERISK && bytes[at + 1] === SLASH) return at + 2;
    at++;
  }
  return at;
}

/** The first statement of the text at `from`, with its semicolon. Takes time proportional to its length, however much follows it. */
export function statementText(bytes: Uint8Array, from: number): string {
  for (let length = FIRST_LOOK; ; length *= 2) {
    const end = bytes.subarray(from, from + length).indexOf(0);
    const text = decoder.decode(bytes.subarray(from, from + (end < 0 ? length : end)));
    const scanner = new SqlScanner(text);
    // The definition of a trigger has semicolons inside: it ends here at the first, and is not looked at further.
    scanner.toSemicolon();
    const { to } = scanner;
    // What seems to end where the text was cut may be the half of a token.
    if (end >= 0 || to < text.length - 1) return text.slice(0, to);
  }
}

/** Number of UTF-16 units of the UTF-8 bytes from `from` up to `to`. */
export function utf16Length(bytes: Uint8Array, from: number, to: number): number {
  let units = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    // Continuation bytes add nothing; a lead byte of four stands for two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

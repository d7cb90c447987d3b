// Walks over JSON as bytes, exactly by its grammar (RFC 8259), and stores nothing: where a value ends, or what is wrong with it and where.
import { visibleLine } from '#shared/visible-text.ts';
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

/** The bytes end within the value. */
export const CUT = -1;
/** It is not JSON: {@link JsonScanner.reason} and {@link JsonScanner.at} say why. */
export const BAD = -2;

/** SQLite's limit: its JSON functions refuse deeper nesting (sqlite.org/json1.html). */
const MAX_DEPTH = 1000;

/** Bytes of a line up to a position that a person would count, and that are looked through for each problem. */
const MAX_COUNTED = 1 << 14;

const LINE_FEED = 0x0a;
export const QUOTE = 0x22;
const BACKSLASH = 0x5c;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const COMMA = 0x2c;
const COLON = 0x3a;

const WORDS: ReadonlyMap<number, Uint8Array> = new Map(
  ['true', 'false', 'null'].map((word) => [word.charCodeAt(0), new TextEncoder().encode(word)]),
);

/** Every method takes a position and returns the one after what it walked over, or {@link CUT} or {@link BAD}. */
export class JsonScanner {
  bytes: Uint8Array = new Uint8Array();
  /** End of the bytes that may be scanned. */
  end = 0;
  /** Line breaks between values so far. A value that is scanned twice counts twice: put it back. */
  lines = 0;
  reason = '';
  at = 0;
  /** The last string holds escapes. */
  hasEscapes = false;
  /** A string since this was last false holds more than ASCII. */
  hasWide = false;
  readonly #open = new Uint8Array(MAX_DEPTH + 1);

  look(bytes: Uint8Array, end: number): void {
    this.bytes = bytes;
    this.end = end;
  }

  /** Notes what is wrong. */
  bad(at: number, reason: string): number {
    this.at = at;
    this.reason = reason;
    return BAD;
  }

  /** Never fails: returns `end` where nothing else comes. */
  space(from: number): number {
    const { bytes, end } = this;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte > 0x20) break;
      if (byte === 0x0a) this.lines++;
      else if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) break;
    }
    return at;
  }

  value(at: number): number {
    if (at >= this.end) return CUT;
    const byte = this.bytes[at]!;
    if (byte === QUOTE) return this.string(at);
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return this.nested(at);
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.number(at);
    return this.word(at);
  }

  /** `at`: the quote it begins with. */
  string(at: number): number {
    const { bytes, end } = this;
    let isWide = false;
    let hasEscapes = false;
    for (let next = at + 1; next < end; next++) {
      const byte = bytes[next]!;
      if (IN_STRING[byte] === 0) continue;
      if (byte === QUOTE) {
        this.hasEscapes = hasEscapes;
        if (isWide) this.hasWide = true;
        return next + 1;
      }
      if (byte >= 0x80) isWide = true;
      else if (byte === BACKSLASH) {
        hasEscapes = true;
        const after = this.#escape(next);
        if (after < 0) return after;
        next = after - 1;
      } else {
        return this.bad(
          next,
          byte === 0x0a || byte === 0x0d
            ? 'a string is not closed before the end of its line'
            : 'a string holds a control character',
        );
      }
    }
    return CUT;
  }

  #escape(at: number): number {
    const { bytes, end } = this;
    if (at + 1 >= end) return CUT;
    const kind = bytes[at + 1]!;
    if (kind !== 0x75) return SIMPLE_ESCAPES[kind] === 1 ? at + 2 : this.bad(at, 'a string holds an unknown escape');
    for (let next = at + 2; next < at + 6; next++) {
      if (next >= end) return CUT;
      if (hexDigit(bytes[next]!) < 0) return this.bad(at, '\\u is not followed by four hexadecimal digits');
    }
    return at + 6;
  }

  number(from: number): number {
    const { bytes, end } = this;
    let at = bytes[from] === 0x2d ? from + 1 : from;
    if (at >= end) return CUT;
    const first = bytes[at]!;
    const whole = this.#digits(at);
    if (whole === at) return this.bad(from, 'a number has no digits');
    if (first === 0x30 && whole > at + 1) return this.bad(from, 'a number begins with a zero');
    at = whole;
    if (at < end && bytes[at] === 0x2e) {
      const after = this.#digits(at + 1);
      if (after === at + 1) return after >= end ? CUT : this.bad(from, 'a number has no digits after its point');
      at = after;
    }
    if (at < end && (bytes[at]! | 0x20) === 0x65) {
      const sign = bytes[at + 1];
      const exponent = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
      const after = this.#digits(exponent);
      if (after <= exponent) return exponent >= end ? CUT : this.bad(from, 'a number has no digits in its exponent');
      at = after;
    }
    // More digits may follow what is here.
    return at >= end ? CUT : at;
  }

  #digits(from: number): number {
    const { bytes, end } = this;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte < 0x30 || byte > 0x39) break;
    }
    return at;
  }

  word(at: number): number {
    const { bytes, end } = this;
    const word = WORDS.get(bytes[at]!);
    if (!word) return this.bad(at, `${this.shown(at)} is where a value is expected`);
    for (let index = 1; index < word.length; index++) {
      if (at + index >= end) return CUT;
      if (bytes[at + index] !== word[index]) return this.bad(at, `${this.shown(at)} is where a value is expected`);
    }
    return at + word.length;
  }

  /** An object or array with everything in it, without recursion. */
  nested(from: number): number {
    const open = this.#open;
    let depth = 0;
    let at = from;
    for (;;) {
      if (at >= this.end) return CUT;
      const byte = this.bytes[at]!;
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (depth === MAX_DEPTH) return this.bad(at, `values are nested deeper than ${MAX_DEPTH} levels`);
        at = this.space(at + 1);
        if (at < this.end && this.bytes[at] === closing(byte)) {
          at++;
        } else {
          open[depth++] = byte;
          if (byte === OPEN_BRACE) at = this.key(at);
          if (at < 0) return at;
          continue;
        }
      } else {
        at = this.value(at);
        if (at < 0) return at;
      }
      // After a value, the object or array around it ends, or another value follows.
      let isOver = depth === 0;
      while (!isOver) {
        at = this.separator(at, open[depth - 1]!);
        if (at < 0) return at;
        if (this.bytes[at - 1] === COMMA) break;
        isOver = --depth === 0;
      }
      if (isOver) return at;
      at = this.space(at);
      if (open[depth - 1] === OPEN_BRACE) at = this.key(at);
      if (at < 0) return at;
    }
  }

  /** Scans what follows a value within the object or array that begins with `open`. Returns the position after its comma or its end. */
  separator(from: number, open: number): number {
    const at = this.space(from);
    if (at >= this.end) return CUT;
    const byte = this.bytes[at]!;
    if (byte === COMMA || byte === closing(open)) return at + 1;
    return this.bad(at, `${this.shown(at)} is where a comma or “${String.fromCharCode(closing(open))}” is expected`);
  }

  /** A key of an object, up to where its value begins. */
  key(at: number): number {
    const after = this.keyString(at);
    return after < 0 ? after : this.colon(after);
  }

  keyString(at: number): number {
    if (at >= this.end) return CUT;
    return this.bytes[at] === QUOTE
      ? this.string(at)
      : this.bad(at, `${this.shown(at)} is where a key in quotation marks is expected`);
  }

  /** Moves from the end of a key to the start of its value. */
  colon(from: number): number {
    const at = this.space(from);
    if (at >= this.end) return CUT;
    return this.bytes[at] === COLON
      ? this.space(at + 1)
      : this.bad(at, `${this.shown(at)} is where a colon is expected`);
  }

  /** “line 2, character 7”: of the position in a file of which `line` is the line. */
  place(line: number, at: number): string {
    const named = `line ${line.toLocaleString('en-US')}`;
    const from = Math.max(0, at - MAX_COUNTED);
    const before = from + this.bytes.subarray(from, at).lastIndexOf(LINE_FEED);
    // The line began in bytes that are not in memory any more, or is too long for a person to count.
    const isKnown = before >= from || (line === 1 && from === 0);
    if (!isKnown) return named;
    const start = before >= from ? before + 1 : 0;
    const characters = [...new TextDecoder().decode(this.bytes.subarray(start, at))].length;
    return `${named}, character ${(characters + 1).toLocaleString('en-US')}`;
  }

  /** The text at a position, for a sentence. */
  shown(at: number): string {
    const word = /^(?:[A-Za-z0-9_$.+-]+|.)/su.exec(
      new TextDecoder().decode(this.bytes.subarray(at, Math.min(this.end, at + 24))),
    );
    return word ? `“${visibleLine(word[0])}”` : 'the end';
  }
}

const closing = (open: number): number => (open === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET);

/** 1 for each byte of a string that is more than a character: its end, an escape, a part of a wide character, or wrong. */
const IN_STRING = new Uint8Array(256).fill(1, 0x80).fill(1, 0, 0x20);
IN_STRING[QUOTE] = IN_STRING[BACKSLASH] = 1;

const SIMPLE_ESCAPES = new Uint8Array(256);
for (const character of '"\\/bfnrt') SIMPLE_ESCAPES[character.charCodeAt(0)] = 1;

/** Returns -1 for a byte that is not a hexadecimal digit. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

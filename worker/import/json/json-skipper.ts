// Skips to the end of a value of any size, in pieces: it examines only brackets and strings.
import { BAD, CUT } from './json-scanner.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MAX_DEPTH = 1 << 20;

export class JsonSkipper {
  /** Line breaks in what was skipped. */
  lines = 0;
  #open = new Uint8Array(64);
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #isBegun = false;

  /** Prepares for the next value. */
  begin(): void {
    this.#depth = 0;
    this.#inString = this.#isEscaped = this.#isBegun = false;
    this.lines = 0;
  }

  /** Call after {@link begin}, to skip to the end of an object or array from within. */
  enter(bracket: number): void {
    this.#push(bracket);
    this.#isBegun = true;
  }

  /**
   * @returns the position after the value; CUT where it continues in the next piece; BAD where it is not certain where it ends: a bracket
   *   that does not match, or a string over the end of a line, which JSON has not.
   */
  skip(bytes: Uint8Array, from: number, end: number): number {
    for (let at = from; at < end; at++) {
      const byte = bytes[at]!;
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) {
          this.#inString = false;
          if (this.#depth === 0) return at + 1;
        } else if (byte === 0x0a) return BAD;
        continue;
      }
      if (byte > 0x20) {
        const after = this.#character(byte, at);
        if (after !== 0) return after > 0 ? after - 1 : after;
        this.#isBegun = true;
      } else {
        if (byte === 0x0a) this.lines++;
        // Only a bracket ends an object or array; anything else ends with the first space.
        if (this.#isBegun && this.#depth === 0) return at;
      }
    }
    return CUT;
  }

  /** @returns 0 where the value continues; otherwise the position after it plus one, or BAD. */
  #character(byte: number, at: number): number {
    if (byte === QUOTE) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) return this.#push(byte);
    else if (byte === 0x7d || byte === 0x5d) {
      if (this.#depth === 0) return this.#isBegun ? at + 1 : BAD;
      // Both pairs lie two apart: { } and [ ].
      if (this.#open[--this.#depth] !== byte - 2) return BAD;
      if (this.#depth === 0) return at + 2;
    } else if (byte === 0x2c && this.#depth === 0) return this.#isBegun ? at + 1 : BAD;
    return 0;
  }

  #push(byte: number): number {
    if (this.#depth === MAX_DEPTH) return BAD;
    if (this.#depth === this.#open.length) {
      const larger = new Uint8Array(this.#depth * 2);
      larger.set(this.#open);
      this.#open = larger;
    }
    this.#open[this.#depth++] = byte;
    return 0;
  }
}

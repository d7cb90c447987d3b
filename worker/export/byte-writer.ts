// Bytes of a file being written: numbers and markup as ASCII, text as the UTF-8 it already is.

const encoder = new TextEncoder();
const INITIAL_BYTES = 64 * 1024;
const HEX = '0123456789ABCDEF';
const HEX_PAIRS = Uint8Array.from({ length: 512 }, (_, at) => HEX.charCodeAt(at % 2 === 0 ? at >> 5 : (at >> 1) & 15));
const BASE64 = encoder.encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const EQUALS = 0x3d;
/** Larger numbers are written by the engine's own conversion. */
const MAX_SHORT = 0x7fff_ffff;
/** Below it a loop beats a call. */
const SHORT_BYTES = 32;

export class ByteWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  /** Room for `count` more bytes, at {@link length}: for loops that write by themselves and then call {@link advance}. */
  reserve(count: number): Uint8Array {
    if (this.#used + count > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + count));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    return this.#bytes;
  }

  advance(count: number): void {
    this.#used += count;
  }

  byte(value: number): void {
    this.reserve(1)[this.#used++] = value;
  }

  /** ASCII only. */
  ascii(text: string): void {
    const into = this.reserve(text.length);
    let at = this.#used;
    for (let index = 0; index < text.length; index++) into[at++] = text.charCodeAt(index);
    this.#used = at;
  }

  text(text: string): void {
    const into = this.reserve(text.length * 3);
    this.#used += encoder.encodeInto(text, into.subarray(this.#used)).written;
  }

  bytes(from: Uint8Array, start = 0, length = from.length): void {
    const into = this.reserve(length);
    if (length > SHORT_BYTES) into.set(from.subarray(start, start + length), this.#used);
    else for (let at = 0; at < length; at++) into[this.#used + at] = from[start + at]!;
    this.#used += length;
  }

  integer(value: number): void {
    if (value < 0 || value > MAX_SHORT || Object.is(value, -0)) return this.ascii(String(value));
    const into = this.reserve(10);
    let digits = 1;
    for (let limit = 10; digits < 10 && value >= limit; limit *= 10) digits++;
    let rest = value;
    for (let at = this.#used + digits - 1; at >= this.#used; at--) {
      const next = Math.floor(rest / 10);
      into[at] = 48 + rest - next * 10;
      rest = next;
    }
    this.#used += digits;
  }

  hex(from: Uint8Array, start: number, length: number): void {
    const into = this.reserve(length * 2);
    let at = this.#used;
    for (let index = start; index < start + length; index++) {
      const pair = from[index]! * 2;
      into[at++] = HEX_PAIRS[pair]!;
      into[at++] = HEX_PAIRS[pair + 1]!;
    }
    this.#used = at;
  }

  base64(from: Uint8Array, start: number, length: number): void {
    const into = this.reserve(Math.ceil(length / 3) * 4);
    let at = this.#used;
    const end = start + length;
    for (let index = start; index < end; index += 3) {
      const [a, b, c] = [from[index]!, index + 1 < end ? from[index + 1]! : 0, index + 2 < end ? from[index + 2]! : 0];
      into[at++] = BASE64[a >> 2]!;
      into[at++] = BASE64[((a & 3) << 4) | (b >> 4)]!;
      into[at++] = index + 1 < end ? BASE64[((b & 15) << 2) | (c >> 6)]! : EQUALS;
      into[at++] = index + 2 < end ? BASE64[c & 63]! : EQUALS;
    }
    this.#used = at;
  }

  /** What was written since the last time, in memory of its own. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#used);
    this.#used = 0;
    return taken;
  }
}

// Collects the bytes of a file: numbers and markup as ASCII, text copied as UTF-8.
import { formatReal } from '#shared/packed-rows/reader.ts';

const encoder = new TextEncoder();
const INITIAL_BYTES = 64 * 1024;
/** Above this, room grows by less, and is given away with its bytes. */
const LARGE_BYTES = 4 * 1024 * 1024;
const HEX = '0123456789ABCDEF';
const HEX_PAIRS = Uint8Array.from({ length: 512 }, (_, at) => HEX.charCodeAt(at % 2 === 0 ? at >> 5 : (at >> 1) & 15));
const BASE64 = encoder.encode('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const EQUALS = 0x3d;
const POINT = 0x2e;
const SCALE_DIGITS = 4;
const SCALE = 10 ** SCALE_DIGITS;
/** Larger numbers go through JavaScript's own conversion. */
const MAX_SHORT = 0x7fff_ffff;
/** Below this length a loop is faster than a call. */
const SHORT_BYTES = 32;

/**
 * Infinity is written as a number that is too large, which every reader takes for infinity. A REAL has a point or an exponent, so that 2.0
 * stays a REAL.
 */
export function realText(value: number): string {
  if (value === Infinity) return '9e999';
  if (value === -Infinity) return '-9e999';
  return formatReal(value);
}

export class ByteWriter {
  #bytes = new Uint8Array(INITIAL_BYTES);
  #used = 0;
  #taken = 0;

  /** Bytes written so far, including those already taken. */
  get total(): number {
    return this.#taken + this.#used;
  }

  get length(): number {
    return this.#used;
  }

  /** Room for `count` more bytes, at {@link length}: for loops that write by themselves and then call {@link advance}. */
  reserve(count: number): Uint8Array {
    if (this.#used + count > this.#bytes.length) {
      const times = this.#bytes.length < LARGE_BYTES ? 2 : 1.25;
      // With room for what ends a large value.
      const grown = new Uint8Array(Math.max(Math.ceil(this.#bytes.length * times), this.#used + count + INITIAL_BYTES));
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
    this.#digits(value, 0);
  }

  /** Writes the shortest text that reads back as the same REAL. */
  real(value: number): void {
    // Most have few decimals. A quotient of integers is rounded as its decimal text is, and of at most 15 digits no two texts are the
    // same number: without zeros at the end it is the shortest.
    const scaled = Math.round(value * SCALE);
    if (value <= 0 || scaled > MAX_SHORT || scaled / SCALE !== value) return this.ascii(realText(value));
    const whole = (scaled / SCALE) | 0;
    this.#digits(whole, 0);
    this.byte(POINT);
    let decimals = SCALE_DIGITS;
    let fraction = scaled - whole * SCALE;
    for (; decimals > 1 && fraction % 10 === 0; decimals--) fraction /= 10;
    this.#digits(fraction, decimals);
  }

  /** Writes the digits of a number from 0 to {@link MAX_SHORT}, at least `least` of them. */
  #digits(value: number, least: number): void {
    let count = least > 1 ? least : 1;
    for (let limit = 10 ** count; count < 10 && value >= limit; limit *= 10) count++;
    const into = this.reserve(count);
    let rest = value | 0;
    for (let at = this.#used + count - 1; at >= this.#used; at--) {
      const next = (rest / 10) | 0;
      into[at] = 48 + rest - next * 10;
      rest = next;
    }
    this.#used += count;
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

  /** Returns the bytes written since the last call, in a buffer that nobody else uses. */
  take(): Uint8Array {
    const isLarge = this.#bytes.length > LARGE_BYTES;
    const taken = isLarge ? this.#bytes.subarray(0, this.#used) : this.#bytes.slice(0, this.#used);
    if (isLarge) this.#bytes = new Uint8Array(INITIAL_BYTES);
    this.#taken += this.#used;
    this.#used = 0;
    return taken;
  }
}

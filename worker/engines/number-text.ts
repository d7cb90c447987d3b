// Parses numbers in text, without creating a string where the result is exact: integers up to 15 digits, and decimals whose digits and
// power of ten are both exact as doubles (Clinger's fast path). Other numbers go through `Number`, which rounds correctly; SQLite's own
// conversion reads at most 19 digits.
import { asciiText } from '../records/ascii-text.ts';

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const COMMA = 0x2c;
const ZERO = 0x30;
const LOWER_E = 0x65;
/** Up to this many digits are always a safe integer. */
const EXACT_DIGITS = 15;
/** The largest power of ten that is exact as a double. */
const EXACT_POWER = 22;
/** Longer numbers are rare and left to SQLite. */
const MAX_LENGTH = 400;
const POWERS = Array.from({ length: EXACT_POWER + 1 }, (_, power) => Number(`1e${power}`));

export class NumberText {
  /** Value of the last text that was a number. */
  value = 0;
  readonly #decimalComma: boolean;

  constructor(decimalComma: boolean) {
    this.#decimalComma = decimalComma;
  }

  /** `text`: not a number, or one that SQLite reads just as well (an integer beyond 15 digits). */
  read(bytes: Uint8Array, from: number, to: number): 'integer' | 'real' | 'text' {
    let at = from;
    const first = bytes[at];
    const isNegative = first === MINUS;
    if (isNegative || first === PLUS) at++;
    let mantissa = 0;
    let digits = 0;
    let significant = 0;
    let decimals = 0;
    let hasPoint = false;
    for (; at < to; at++) {
      const byte = bytes[at]!;
      const digit = byte - ZERO;
      if (digit >= 0 && digit <= 9) {
        digits++;
        if (significant > 0 || digit > 0) significant++;
        if (significant <= EXACT_DIGITS) mantissa = mantissa * 10 + digit;
        if (hasPoint) decimals++;
      } else if (!hasPoint && (byte === POINT || (byte === COMMA && this.#decimalComma))) hasPoint = true;
      else break;
    }
    if (digits === 0 || to - from > MAX_LENGTH) return 'text';
    if (at < to) return this.#withExponent(bytes, from, at, to);
    if (significant > EXACT_DIGITS) return hasPoint ? this.#exactly(bytes, from, to) : 'text';
    if (!hasPoint) {
      this.value = isNegative && mantissa > 0 ? -mantissa : mantissa;
      return 'integer';
    }
    if (decimals > EXACT_POWER) return this.#exactly(bytes, from, to);
    const value = mantissa / POWERS[decimals]!;
    this.value = isNegative ? -value : value;
    return 'real';
  }

  #withExponent(bytes: Uint8Array, from: number, at: number, to: number): 'real' | 'text' {
    if ((bytes[at]! | 0x20) !== LOWER_E) return 'text';
    let digit = at + 1;
    if (bytes[digit] === MINUS || bytes[digit] === PLUS) digit++;
    if (digit >= to) return 'text';
    for (; digit < to; digit++) if (bytes[digit]! < ZERO || bytes[digit]! > ZERO + 9) return 'text';
    return this.#exactly(bytes, from, to);
  }

  #exactly(bytes: Uint8Array, from: number, to: number): 'real' {
    const text = asciiText(bytes, from, to);
    this.value = Number(this.#decimalComma ? text.replace(',', '.') : text);
    return 'real';
  }
}

// Classifies the text of a field by its bytes: which numbers SQLite keeps, in which spelling, and what looks like a number without
// being one that can be stored as such.
import { CLASS } from './classes.ts';
import { dateClass } from './date-class.ts';
import { groupedClass, mayBeGrouped } from './grouped-class.ts';

const [OTHER, DIGIT, SIGN, POINT, WORD] = [0, 1, 2, 3, 4];
const ZERO = 48;
const NINE = 57;
const [PLUS, MINUS] = [43, 45];
/**
 * SQLite prints reals with 17 digits, and shortens that only where the last ones are zeros or nines: with 13 significant digits they always
 * are (but for 0.000976 to 0.001, where doubles are furthest apart as seen by their digits); with 14 four in ten are printed otherwise.
 */
const EXACT_DIGITS = 13;
/** Decimal digits that every double keeps (`DBL_DIG`). */
const DOUBLE_DIGITS = 15;
/** Powers of ten up to which doubles have all these digits. */
const LARGEST_EXPONENT = 290;

const FIRST = new Uint8Array(256);
FIRST.fill(DIGIT, ZERO, NINE + 1);
FIRST[43] = FIRST[45] = SIGN;
FIRST[46] = POINT;
for (const letter of 'tTfFyYnN') FIRST[letter.charCodeAt(0)] = WORD;

/** Most texts are classified by their first byte. @param point the byte of the decimal separator: `.`, or `,` which is read as one. */
export function classOf(bytes: Uint8Array, start: number, end: number, point: number): number {
  if (start >= end) return CLASS.text;
  const first = FIRST[bytes[start]!]!;
  if (first === OTHER)
    return point !== 46 && bytes[start] === point ? numberClass(bytes, start, end, point) : CLASS.text;
  if (first === WORD) return isBoolean(bytes, start, end - start) ? CLASS.boolean : CLASS.text;
  return numberClass(bytes, start, end, point);
}

/** Words of ASCII letters, in any case, as numbers: one comparison for each. */
const TRUE = wordAt(new TextEncoder().encode('true'), 0, 4);
const FALSE = wordAt(new TextEncoder().encode('fals'), 0, 4);
const YES = wordAt(new TextEncoder().encode('yes'), 0, 3);
const NO = wordAt(new TextEncoder().encode('no'), 0, 2);

function wordAt(bytes: Uint8Array, start: number, length: number): number {
  let word = 0;
  for (let n = 0; n < length; n++) word = (word << 8) | bytes[start + n]! | 32;
  return word;
}

function isBoolean(bytes: Uint8Array, start: number, length: number): boolean {
  if (length === 4) return wordAt(bytes, start, 4) === TRUE;
  if (length === 5) return wordAt(bytes, start, 4) === FALSE && (bytes[start + 4]! | 32) === 101;
  if (length === 3) return wordAt(bytes, start, 3) === YES;
  return length === 2 && wordAt(bytes, start, 2) === NO;
}

function numberClass(bytes: Uint8Array, start: number, end: number, point: number): number {
  const sign = bytes[start]!;
  const isSigned = sign === 43 || sign === 45;
  const from = isSigned ? start + 1 : start;
  let at = from;
  while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  const digits = at - from;
  if (at === end) return digits === 0 ? CLASS.text : integerClass(bytes, from, end, sign);
  const byte = bytes[at]!;
  if (byte === point) {
    let last = at + 1;
    while (last < end && bytes[last]! >= ZERO && bytes[last]! <= NINE) last++;
    if (digits === 0 && last === at + 1) return CLASS.text;
    if (last === end) return realClass(bytes, from, at, end, sign);
    if (isExponent(bytes, last, end)) return exponentClass(bytes, from, last, end, sign);
    return digits === 0 ? CLASS.text : otherClass(bytes, start, end, at, point);
  }
  if (digits === 0) return CLASS.text;
  if ((byte | 32) === 101 && isExponent(bytes, at, end))
    return bytes[at + 1] === MINUS ? exponentClass(bytes, from, at, end, sign) : CLASS.wholeExponent;
  if ((byte | 32) === 120)
    return digits === 1 && bytes[from] === ZERO && isHex(bytes, at + 1, end) ? CLASS.hex : CLASS.text;
  return otherClass(bytes, start, end, at, point);
}

/** @param at where the first digits end */
function otherClass(bytes: Uint8Array, start: number, end: number, at: number, point: number): number {
  if (mayBeGrouped(bytes, at)) {
    const grouped = groupedClass(bytes, start, end, point);
    if (grouped !== CLASS.text) return grouped;
  }
  return bytes[start] === MINUS || bytes[start] === PLUS ? CLASS.text : dateClass(bytes, start, end);
}

/** -0 would become 0, so its zero counts as a leading one. */
function integerClass(bytes: Uint8Array, from: number, end: number, sign: number): number {
  const digits = end - from;
  if (sign === 43) return CLASS.plusSign;
  if (bytes[from] === ZERO && (digits > 1 || sign === 45)) return CLASS.leadingZeros;
  if (digits < 16) return CLASS.integer;
  if (digits > 19) return CLASS.integer64;
  if (digits === 16) return isBeyond(bytes, from, LIMIT_53) ? CLASS.integer53 : CLASS.integer;
  if (digits < 19) return CLASS.integer53;
  return isBeyond(bytes, from, sign === 45 ? LIMIT_64_NEGATIVE : LIMIT_64) ? CLASS.integer64 : CLASS.integer53;
}

const LIMIT_53 = new TextEncoder().encode('9007199254740992');
const LIMIT_64 = new TextEncoder().encode('9223372036854775807');
const LIMIT_64_NEGATIVE = new TextEncoder().encode('9223372036854775808');

/** The number must have as many digits as the limit. */
function isBeyond(bytes: Uint8Array, from: number, limit: Uint8Array): boolean {
  for (let n = 0; n < limit.length; n++) {
    const difference = bytes[from + n]! - limit[n]!;
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** Digits, the separator at `at`, digits. */
function realClass(bytes: Uint8Array, from: number, at: number, end: number, sign: number): number {
  const whole = at - from;
  if (sign === 43) return CLASS.plusSign;
  if (whole > 1 && bytes[from] === ZERO) return CLASS.leadingZeros;
  const fraction = end - at - 1;
  if (whole === 0 || fraction === 0) return CLASS.respelledReal;
  let digits = whole + fraction;
  let zeros = 0;
  if (bytes[from] === ZERO) {
    while (zeros < fraction && bytes[at + 1 + zeros] === ZERO) zeros++;
    digits = fraction - zeros;
  }
  if (digits > DOUBLE_DIGITS) return CLASS.longReal;
  if (fraction === 1 && bytes[end - 1] === ZERO) {
    // -0.0 becomes 0.0.
    if (digits === 0) return sign === 45 ? CLASS.respelledReal : CLASS.wholeReal;
    return digits > EXACT_DIGITS ? CLASS.respelledReal : CLASS.wholeReal;
  }
  // Smaller ones are printed with an exponent.
  const isSmall = zeros > 3 || (zeros === 3 && bytes[at + 4] === NINE);
  const isRespelled = isSmall || bytes[end - 1] === ZERO || digits > EXACT_DIGITS;
  if (fraction === 3 && whole <= 3 && bytes[from] !== ZERO)
    return isRespelled ? CLASS.threeRespelled : CLASS.threeDecimals;
  return isRespelled ? CLASS.respelledReal : CLASS.real;
}

/** Digits, with or without a separator among them, up to `last`, where the exponent begins. */
function exponentClass(bytes: Uint8Array, from: number, last: number, end: number, sign: number): number {
  if (sign === PLUS) return CLASS.plusSign;
  let digits = 0;
  for (let at = from; at < last; at++) if (bytes[at]! >= ZERO && (digits > 0 || bytes[at] !== ZERO)) digits++;
  let exponent = 0;
  for (let at = last + 1; at < end && exponent <= LARGEST_EXPONENT; at++)
    if (bytes[at]! >= ZERO) exponent = exponent * 10 + bytes[at]! - ZERO;
  return digits > DOUBLE_DIGITS || exponent > LARGEST_EXPONENT ? CLASS.longReal : CLASS.respelledReal;
}

function isExponent(bytes: Uint8Array, start: number, end: number): boolean {
  if ((bytes[start]! | 32) !== 101) return false;
  let at = start + 1;
  if (bytes[at] === 43 || bytes[at] === 45) at++;
  if (at >= end) return false;
  for (; at < end; at++) if (bytes[at]! < ZERO || bytes[at]! > NINE) return false;
  return true;
}

function isHex(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const isDigit = (byte >= ZERO && byte <= NINE) || ((byte | 32) >= 97 && (byte | 32) <= 102);
    if (!isDigit) return false;
  }
  return true;
}

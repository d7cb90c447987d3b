// Classifies the text of a field by its bytes: which numbers SQLite keeps, in which spelling, and what looks like a number without
// being one that can be stored as such.
import { CLASS, FIRST_YEAR_LAST, FORMAT, ORDER, yearLastIndex } from './classes.ts';
import { groupedClass, mayBeGrouped } from './grouped-class.ts';

// Recognizes dates and times by their bytes.

const ZERO = 48;
const NINE = 57;
const [SPACE, DOT, COLON, COMMA] = [32, 46, 58, 44];
const SEPARATOR_BYTES = [47, 45, DOT];

/** The number that `length` digits make; -1 if they are not digits. */
function digitsAt(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let n = 0; n < length; n++) {
    const digit = bytes[start + n]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most;

/** Class of a text that begins with a digit. */
function dateClass(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 4 || length > 35) return CLASS.text;
  if (bytes[start + 2] === 58 || bytes[start + 1] === 58) {
    const colon = bytes[start + 1] === 58 ? start + 1 : start + 2;
    return isTime(bytes, colon, start, end) ? FORMAT['HH:MM'] : CLASS.text;
  }
  const isoSeparator = bytes[start + 4]!;
  if (length < 10 || (isoSeparator !== 45 && isoSeparator !== 47) || bytes[start + 7] !== isoSeparator)
    return yearLast(bytes, start, end);
  const isDate =
    digitsAt(bytes, start, 4) >= 0 &&
    isBetween(digitsAt(bytes, start + 5, 2), 1, 12) &&
    isBetween(digitsAt(bytes, start + 8, 2), 1, 31);
  if (!isDate) return CLASS.text;
  if (length === 10) return isoSeparator === 45 ? FORMAT['YYYY-MM-DD'] : FORMAT['YYYY/MM/DD'];
  if (isoSeparator !== 45) return clockAfter(bytes, start + 10, end) === 1 ? FORMAT['YYYY/MM/DD HH:MM'] : CLASS.text;
  const gap = bytes[start + 10]!;
  if ((gap !== SPACE && gap !== 84) || !isTime(bytes, start + 13, start + 11, end)) return CLASS.text;
  return gap === SPACE ? FORMAT['YYYY-MM-DD HH:MM'] : FORMAT['YYYY-MM-DDTHH:MM'];
}

/** How many digits there are from `at` on, counted up to five. */
function digitsFrom(bytes: Uint8Array, at: number, end: number): number {
  let count = 0;
  while (count < 5 && at + count < end && bytes[at + count]! >= ZERO && bytes[at + count]! <= NINE) count++;
  return count;
}

/** Day and month of one or two digits in either order, then the year of two or four, then perhaps a time. */
function yearLast(bytes: Uint8Array, start: number, end: number): number {
  const one = digitsFrom(bytes, start, end);
  const mark = bytes[start + one]!;
  const separator = SEPARATOR_BYTES.indexOf(mark);
  const second = start + one + 1;
  const two = digitsFrom(bytes, second, end);
  const year = second + two + 1;
  const digits = digitsFrom(bytes, year, end);
  if (separator < 0 || one > 2 || two === 0 || two > 2 || bytes[second + two] !== mark) return CLASS.text;
  const isShort = digits === 2;
  // 1.2.26 is a version or a section at least as often, and 1-2-26 a number of a part.
  if ((digits !== 4 && !isShort) || (isShort && mark !== 47 && one + two < 4)) return CLASS.text;
  const [first, other] = [digitsAt(bytes, start, one), digitsAt(bytes, second, two)];
  if (!isBetween(first, 1, 31) || !isBetween(other, 1, 31) || (first > 12 && other > 12)) return CLASS.text;
  const clock = clockAfter(bytes, year + digits, end);
  if (clock < 0) return CLASS.text;
  const order = first > 12 ? ORDER.day : other > 12 ? ORDER.month : ORDER.either;
  return FIRST_YEAR_LAST + yearLastIndex(separator, order, isShort, clock);
}

/** Index in `CLOCKS` of what follows a date after a space, or a comma and a space; -1: something else. */
function clockAfter(bytes: Uint8Array, at: number, end: number): number {
  if (at === end) return 0;
  const gap = bytes[at] === COMMA ? at + 1 : at;
  return gap + 1 < end && bytes[gap] === SPACE ? clockOf(bytes, gap + 1, end) : -1;
}

/** `14:05`, `2:05 PM`, either with seconds and their fraction: index in `CLOCKS`; -1: something else. */
function clockOf(bytes: Uint8Array, start: number, end: number): number {
  const width = digitsFrom(bytes, start, end);
  const hour = digitsAt(bytes, start, width);
  let at = start + width;
  if (width === 0 || width > 2 || !isSixty(bytes, at, end)) return -1;
  at += 3;
  if (isSixty(bytes, at, end)) {
    at += 3;
    if (bytes[at] === DOT && at < end) {
      const from = ++at;
      while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
      if (at === from) return -1;
    }
  }
  if (at === end) return hour < 24 ? 1 : -1;
  if (bytes[at] === SPACE) at++;
  // A narrow no-break space, which browsers write there.
  else if (bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && bytes[at + 2] === 0xaf) at += 3;
  const isHalf = (bytes[at]! | 32) === 97 || (bytes[at]! | 32) === 112;
  return end - at === 2 && isHalf && (bytes[at + 1]! | 32) === 109 && isBetween(hour, 1, 12) ? 2 : -1;
}

/** A colon and a number below 60. */
const isSixty = (bytes: Uint8Array, at: number, end: number): boolean =>
  at + 3 <= end && bytes[at] === COLON && isBetween(digitsAt(bytes, at + 1, 2), 0, 59);

/** `H:MM`, then perhaps seconds, their fraction and a zone. @param colon where the first colon must be. */
function isTime(bytes: Uint8Array, colon: number, start: number, end: number): boolean {
  if (colon + 3 > end || bytes[colon] !== 58) return false;
  if (!isBetween(digitsAt(bytes, start, colon - start), 0, 24) || !isBetween(digitsAt(bytes, colon + 1, 2), 0, 59))
    return false;
  let at = colon + 3;
  if (at + 3 <= end && bytes[at] === 58 && isBetween(digitsAt(bytes, at + 1, 2), 0, 60)) {
    at += 3;
    if (at + 1 < end && (bytes[at] === 46 || bytes[at] === 44)) {
      at++;
      while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
    }
  }
  if (at === end) return true;
  const zone = bytes[at]!;
  if (zone === 90) return at + 1 === end;
  if (zone !== 43 && zone !== 45) return false;
  const rest = end - at - 1;
  return (
    (rest === 2 || rest === 4 || (rest === 5 && bytes[at + 3] === 58)) &&
    digitsAt(bytes, at + 1, 2) >= 0 &&
    (rest === 2 || digitsAt(bytes, end - 2, 2) >= 0)
  );
}

const [OTHER, DIGIT, SIGN, POINT, WORD] = [0, 1, 2, 3, 4];
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

// Classifies the text of a field by its bytes: which numbers SQLite keeps, in which spelling, and what looks like a number without
// being one that can be stored as such.

/** Each has its own counter. From `date` on, there is one for each format of {@link DATE_FORMATS}. */
export const CLASS = {
  text: 0,
  integer: 1,
  /** Beyond ±2^53, within 64 bits. */
  integer53: 2,
  integer64: 3,
  leadingZeros: 4,
  plusSign: 5,
  hex: 6,
  /** The fraction is not zero, and the number is given back as it is. */
  real: 7,
  /** `1.0`: a column of reals gives it back, one of numbers makes it 1. */
  wholeReal: 8,
  /** The same number is printed in another way: `1.50`, `.5`, `1.5e-3`. */
  respelledReal: 9,
  /** The number has more digits, or is further from zero, than a double holds for certain: its value changes, not only its spelling. */
  longReal: 10,
  /** Digits, an `e` and digits: a number, or a code like `2E10` that happens to look like one. */
  wholeExponent: 11,
  boolean: 12,
  date: 13,
} as const;

export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'YYYY-MM-DD HH:MM',
  'YYYY-MM-DDTHH:MM',
  'YYYY/MM/DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY or MM/DD/YYYY',
  'DD-MM-YYYY',
  'HH:MM',
] as const;
export const CLASSES = CLASS.date + DATE_FORMATS.length;

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
    return digits === 0 ? CLASS.text : dateClass(bytes, start, end);
  }
  if (digits === 0) return CLASS.text;
  if ((byte | 32) === 101 && isExponent(bytes, at, end))
    return bytes[at + 1] === MINUS ? exponentClass(bytes, from, at, end, sign) : CLASS.wholeExponent;
  if ((byte | 32) === 120)
    return digits === 1 && bytes[from] === ZERO && isHex(bytes, at + 1, end) ? CLASS.hex : CLASS.text;
  return isSigned ? CLASS.text : dateClass(bytes, start, end);
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
  if (zeros > 3 || (zeros === 3 && bytes[at + 4] === NINE)) return CLASS.respelledReal;
  return bytes[end - 1] === ZERO || digits > EXACT_DIGITS ? CLASS.respelledReal : CLASS.real;
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

function dateClass(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 4 || length > 35) return CLASS.text;
  if (bytes[start + 2] === 58 || bytes[start + 1] === 58) {
    return isTime(bytes, bytes[start + 1] === 58 ? start + 1 : start + 2, start, end) ? CLASS.date + 9 : CLASS.text;
  }
  if (length < 10) return CLASS.text;
  const isoSeparator = bytes[start + 4]!;
  if ((isoSeparator === 45 || isoSeparator === 47) && bytes[start + 7] === isoSeparator) {
    const isDate =
      digitsAt(bytes, start, 4) >= 0 &&
      isBetween(digitsAt(bytes, start + 5, 2), 1, 12) &&
      isBetween(digitsAt(bytes, start + 8, 2), 1, 31);
    if (!isDate) return CLASS.text;
    if (length === 10) return isoSeparator === 45 ? CLASS.date : CLASS.date + 3;
    const gap = bytes[start + 10]!;
    if (isoSeparator !== 45 || (gap !== 32 && gap !== 84)) return CLASS.text;
    return isTime(bytes, start + 13, start + 11, end) ? CLASS.date + (gap === 32 ? 1 : 2) : CLASS.text;
  }
  return length === 10 ? dayFirst(bytes, start) : CLASS.text;
}

function dayFirst(bytes: Uint8Array, start: number): number {
  const separator = bytes[start + 2]!;
  if (bytes[start + 5] !== separator || digitsAt(bytes, start + 6, 4) < 0) return CLASS.text;
  const [first, second] = [digitsAt(bytes, start, 2), digitsAt(bytes, start + 3, 2)];
  if (!isBetween(first, 1, 31) || !isBetween(second, 1, 31)) return CLASS.text;
  if (separator === 47) {
    if (first > 12) return second > 12 ? CLASS.text : CLASS.date + 5;
    return second > 12 ? CLASS.date + 6 : CLASS.date + 7;
  }
  if (second > 12) return CLASS.text;
  return separator === 46 ? CLASS.date + 4 : separator === 45 ? CLASS.date + 8 : CLASS.text;
}

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

// Recognizes dates and times by their bytes.
import { CLASS, FIRST_YEAR_LAST, FORMAT, ORDER, yearLastIndex } from './classes.ts';

const [ZERO, NINE, SPACE, POINT, COLON, COMMA] = [48, 57, 32, 46, 58, 44];
const SEPARATOR_BYTES = [47, 45, POINT];

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
export function dateClass(bytes: Uint8Array, start: number, end: number): number {
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
    if (bytes[at] === POINT && at < end) {
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

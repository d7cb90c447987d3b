// Recognizes dates and times by their bytes.
import { CLASS, FORMAT } from './classes.ts';

const [ZERO, NINE] = [48, 57];

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
  const gap = bytes[start + 10]!;
  if (isoSeparator !== 45 || (gap !== 32 && gap !== 84) || !isTime(bytes, start + 13, start + 11, end))
    return CLASS.text;
  return gap === 32 ? FORMAT['YYYY-MM-DD HH:MM'] : FORMAT['YYYY-MM-DDTHH:MM'];
}

/** Day and month of one or two digits in either order, then the year. */
function yearLast(bytes: Uint8Array, start: number, end: number): number {
  const one = bytes[start + 1]! < ZERO ? 1 : 2;
  const separator = bytes[start + one]!;
  const second = start + one + 1;
  const two = end - second - 5;
  if ((two !== 1 && two !== 2) || bytes[second + two] !== separator || digitsAt(bytes, end - 4, 4) < 0)
    return CLASS.text;
  const [first, other] = [digitsAt(bytes, start, one), digitsAt(bytes, second, two)];
  if (!isBetween(first, 1, 31) || !isBetween(other, 1, 31) || (first > 12 && other > 12)) return CLASS.text;
  // Where points are used, the day comes first.
  if (separator === 46) return other > 12 ? CLASS.text : FORMAT['DD.MM.YYYY'];
  if (separator !== 47 && separator !== 45) return CLASS.text;
  const isSlash = separator === 47;
  if (first > 12) return isSlash ? FORMAT['DD/MM/YYYY'] : FORMAT['DD-MM-YYYY'];
  if (other > 12) return isSlash ? FORMAT['MM/DD/YYYY'] : FORMAT['MM-DD-YYYY'];
  return isSlash ? FORMAT['DD/MM/YYYY or MM/DD/YYYY'] : FORMAT['DD-MM-YYYY or MM-DD-YYYY'];
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

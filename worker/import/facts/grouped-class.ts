// Recognizes numbers with thousands separators by their bytes: 1,234.50, 1.234,50, 1 234, 1'234.
import { isAt } from '../../records/bytes.ts';
import { CLASS, GROUPED, MARKS } from './classes.ts';

const [ZERO, NINE, COMMA, POINT, MINUS] = [48, 57, 44, 46, 45];
/** Decimal digits that every double keeps (`DBL_DIG`). */
const DOUBLE_DIGITS = 15;
const MARK_BYTES = MARKS.map((mark) => new TextEncoder().encode(mark));
const [NARROW, WIDE] = [1, 2];
/** Bytes with which a mark of one byte, or of more, begins. */
const BEGINS = new Uint8Array(256);
for (const mark of MARK_BYTES) BEGINS[mark[0]!] = mark.length === 1 ? NARROW : WIDE;

/** Quickly false for nearly all other texts. @param at where their first digits end */
export function mayBeGrouped(bytes: Uint8Array, at: number): boolean {
  const begin = BEGINS[bytes[at]!]!;
  return begin === WIDE || (begin === NARROW && bytes[at + 1]! >= ZERO && bytes[at + 1]! <= NINE);
}

/** @param point the byte of the decimal separator where the separator of thousands does not say which it is; the result is `text` for all else. */
export function groupedClass(bytes: Uint8Array, start: number, end: number, point: number): number {
  const from = bytes[start] === MINUS ? start + 1 : start;
  let at = digitsFrom(bytes, from, end);
  let digits = at - from;
  if (digits === 0 || digits > 3 || bytes[from] === ZERO) return CLASS.text;
  let mark = 0;
  while (mark < MARKS.length && !isAt(bytes, at, MARK_BYTES[mark]!)) mark++;
  if (mark === MARKS.length) return CLASS.text;
  let groups = 0;
  for (const width = MARK_BYTES[mark]!.length; at < end && isAt(bytes, at, MARK_BYTES[mark]!); groups++) {
    const next = digitsFrom(bytes, at + width, end);
    if (next - at - width !== 3) return CLASS.text;
    digits += 3;
    at = next;
  }
  const isWhole = at === end;
  if (!isWhole) {
    if (bytes[at] !== decimalsAfter(mark, point) || at + 1 === end || digitsFrom(bytes, at + 1, end) !== end)
      return CLASS.text;
    digits += end - at - 1;
  }
  if (digits > DOUBLE_DIGITS) return CLASS.text;
  if (isWhole && groups === 1 && mark < 2) return CLASS.oneGroup;
  return GROUPED + mark * 2 + (isWhole ? 0 : 1);
}

/** A comma that separates thousands leaves the point for the decimals, and the other way around. */
function decimalsAfter(mark: number, point: number): number {
  if (MARKS[mark] === ',') return POINT;
  return MARKS[mark] === '.' ? COMMA : point;
}

/** Where the digits that begin at `at` end. */
function digitsFrom(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}

// What the text of a field can be, as far as types and their reasons depend on it: a number for each.
import { trimmedEnd } from '#shared/trimmed.ts';
import { asciiText } from '#shared/ascii-text.ts';

// Tells numbers that are doubles written with as few digits as they need from numbers that have more digits than a double keeps.

const PARTS = /^-?(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** The text must be a number. */
export function isDouble(bytes: Uint8Array, start: number, end: number): boolean {
  const text = asciiText(bytes, start, end);
  const value = Number(text);
  const shortest = String(value);
  return Number.isFinite(value) && (text === shortest || digitsOf(text) === digitsOf(shortest));
}

/** The digits without zeros at either end, and the power of ten of the last one. */
function digitsOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const short = trimmedEnd(digits, '0');
  return short === '' ? '0' : `${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

/** Each has its own counter. From `date` on, there is one for each format of {@link DATE_FORMATS}; then two for each of {@link MARKS}. */
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
  /** The point is followed by three digits, as a thousands separator is: `1.234`. */
  threeDecimals: 13,
  /** The same, printed in another way: `1.230`. */
  threeRespelled: 14,
  /** Nothing but a comma or point that is not the decimal separator, before three digits: `1,234`. */
  oneGroup: 15,
  date: 16,
} as const;

const OTHER_DATES = [
  'YYYY-MM-DD', 'YYYY-MM-DD HH:MM', 'YYYY-MM-DDTHH:MM', 'YYYY/MM/DD', 'YYYY/MM/DD HH:MM', 'HH:MM',
] as const; // prettier-ignore

const SEPARATORS = ['/', '-', '.'] as const;
const CLOCKS = ['none', 24, 12] as const;
const CLOCK_NAMES = ['', ' HH:MM', ' HH:MM AM'];
/** What comes first: the day, the month, or either of them, because both are at most 12. */
export const ORDER = { day: 0, month: 1, either: 2 } as const;

/** Dates that end with their year, perhaps before a time: their place among {@link YEAR_LAST}. */
export const yearLastIndex = (separator: number, order: number, isShort: boolean, clock: number): number =>
  ((separator * 3 + order) * 2 + (isShort ? 1 : 0)) * 3 + clock;

interface YearLast {
  readonly name: string;
  readonly separator: (typeof SEPARATORS)[number];
  readonly first: readonly ('day' | 'month')[];
  readonly yearDigits: 2 | 4;
  readonly clock: (typeof CLOCKS)[number];
}

/** In the order of {@link yearLastIndex}. */
export const YEAR_LAST: readonly YearLast[] = SEPARATORS.flatMap((separator) =>
  ([['day'], ['month'], ['day', 'month']] as const).flatMap((first) =>
    ([4, 2] as const).flatMap((yearDigits) =>
      CLOCKS.map((clock, at) => {
        const year = 'Y'.repeat(yearDigits);
        const names = first.map((one) => (one === 'day' ? ['DD', 'MM', year] : ['MM', 'DD', year]).join(separator));
        return { name: names.join(' or ') + CLOCK_NAMES[at]!, separator, first, yearDigits, clock };
      }),
    ),
  ),
);

export const DATE_FORMATS: readonly string[] = [...OTHER_DATES, ...YEAR_LAST.map(({ name }) => name)];
/** Class of the first of {@link YEAR_LAST}. */
export const FIRST_YEAR_LAST = CLASS.date + OTHER_DATES.length;
/** Thousands separators. Each has a counter for whole numbers, and one for those with decimals. */
export const MARKS = [',', '.', ' ', "'", '\u00a0', '\u202f', '’'] as const;
export const GROUPED = CLASS.date + DATE_FORMATS.length;
export const CLASSES = GROUPED + MARKS.length * 2;

/** Class of each date format that does not end with its year. */
export const FORMAT = Object.fromEntries(OTHER_DATES.map((format, at) => [format, CLASS.date + at])) as Record<
  (typeof OTHER_DATES)[number],
  number
>;

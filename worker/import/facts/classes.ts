// What the text of a field can be, as far as types and their reasons depend on it: a number for each.

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
  'MM-DD-YYYY',
  'DD-MM-YYYY or MM-DD-YYYY',
  'HH:MM',
] as const;
/** Thousands separators. Each has a counter for whole numbers, and one for those with decimals. */
export const MARKS = [',', '.', ' ', "'", '\u00a0', '\u202f', '’'] as const;
export const GROUPED = CLASS.date + DATE_FORMATS.length;
export const CLASSES = GROUPED + MARKS.length * 2;

/** Class of each date format. */
export const FORMAT = Object.fromEntries(DATE_FORMATS.map((format, at) => [format, CLASS.date + at])) as Record<
  (typeof DATE_FORMATS)[number],
  number
>;

// The type of a column under which every number keeps its value and every other field its text, and the sentence that says why.
import { EMPTY, QUOTED_EMPTY } from '#shared/import/null-tokens.ts';
import type { ColumnType, ImportOptions, Reading, ColumnFacts } from '#shared/protocol/import.ts';
import { YEAR_LAST } from './classes.ts';

/** A format other than CSV says itself which of its values are text. */
export type FactOptions = Pick<ImportOptions, 'decimalComma' | 'nullTokens' | 'format'>;

interface Suggestion {
  readonly suggested: ColumnType;
  readonly content: string;
  readonly reason: string;
  readonly readings: readonly Reading[];
}

export function suggestType(counts: Counts, options: FactOptions): Suggestion {
  const keptAsText = againstNumbers(counts, options.nullTokens);
  const grouped = groupedNumbers(counts);
  const inText = numbersInText(counts);
  const isNumeric = keptAsText.length === grouped.length + inText.length && counts.trueFalse === 0;
  const readings = [
    ...(isNumeric ? numberReadings(counts, options.decimalComma ? ',' : '.') : []),
    ...dateReadings(counts.dates),
  ];
  const { suggested, content, why = '' } = typeOf(counts, keptAsText, options.decimalComma);
  const [first] = readings;
  // They are numbers as they stand, and may be others.
  const isDoubtful = first?.kind === 'numbers' && grouped.length + inText.length === 0;
  const doubt = `; 1${first?.kind === 'numbers' ? first.thousands : ''}234 could also be 1234`;
  return { suggested, content, reason: `${content}: ${suggested}${why}${isDoubtful ? doubt : ''}`, readings };
}

interface Typed extends Pick<Suggestion, 'suggested' | 'content'> {
  /** What the type is good for, or what it changes. */
  readonly why?: string;
}

function typeOf(counts: Counts, keptAsText: readonly string[], decimalComma: boolean): Typed {
  const numbers = counts.integers + counts.reals + counts.inexactReals;
  const known = numbers + counts.trueFalse;
  if (known > 0 && keptAsText.length === 0) return numeric(counts, decimalComma);
  const content = contentOf(counts);
  if (counts.blobs > 0 && content.length === 0) return { suggested: 'BLOB', content: counted(counts.blobs, 'blob') };
  if (content.length === 0) {
    const words = counts.empty + counts.quotedEmpty > 0 ? 'only empty cells' : 'only NULL';
    return { suggested: 'TEXT', content: counts.records === 0 ? 'no rows' : words };
  }
  const dates = counted(sumOf(counts.dates), 'date');
  if (known === 0 && sumOf(counts.dates) > 0 && content.length === 1)
    return { suggested: 'TEXT', content: `${dates} (${formatsOf(counts.dates)})`, why: ', as they are written' };
  const all = known === 0 ? content : [...numbersOf(counts), ...keptAsText];
  return { suggested: 'TEXT', content: all.join(', '), why: because(counts) };
}

/** Values that a number would not give back. */
function againstNumbers(counts: Counts, nullTokens: readonly string[]): readonly string[] {
  const { reals, inexactReals, longReals, wholeExponents } = counts;
  const empty = nullTokens.includes(EMPTY) ? 0 : counts.empty;
  const quotedEmpty = nullTokens.includes(QUOTED_EMPTY) ? 0 : counts.quotedEmpty;
  return [
    ...list([
      [counts.leadingZeros, `${amount(counts.leadingZeros)} with leading zeros`],
      [counts.plusSigns, `${amount(counts.plusSigns)} with a plus sign`],
      [counts.beyond64, `${amount(counts.beyond64)} beyond 64 bits`],
      [counts.hex, `${amount(counts.hex)} in hexadecimal`],
      [longReals, `${amount(longReals)} with more than 15 digits`],
      [wholeExponents, `${amount(wholeExponents)} like 2E10`],
      [sumOf(counts.dates), counted(sumOf(counts.dates), 'date')],
      [counts.booleans - counts.trueFalse, `${amount(counts.booleans - counts.trueFalse)} true or false`],
      // A real column would make 1 of true 1.0.
      [reals + inexactReals > 0 ? counts.trueFalse : 0, `${amount(counts.trueFalse)} true or false`],
      [counts.texts, counted(counts.texts, 'other text')],
      [counts.json, counted(counts.json, 'object or array', 'objects or arrays')],
      [counts.blobs, counted(counts.blobs, 'blob')],
      [empty, counted(empty, 'empty text')],
      [quotedEmpty, `${counted(quotedEmpty, 'empty text')} in quotes ("")`],
    ]),
    ...groupedNumbers(counts),
    ...numbersInText(counts),
  ];
}

/** “2 of them in text” */
const numbersInText = ({ numbersInText: count, integers, reals, inexactReals }: Counts): readonly string[] =>
  list([[count, count === integers + reals + inexactReals ? 'in text' : `${amount(count)} of them in text`]]);

function groupedNumbers({ thousands, oneGroups }: Counts): readonly string[] {
  const all = sumOf(thousands);
  const [mark] = Object.keys(thousands);
  return list([
    [oneGroups === all ? 0 : all, `${counted(all, 'number')} with thousands separators`],
    [oneGroups === all ? all : 0, `${counted(all, 'number')} like 1${mark}234 (thousands or decimals)`],
  ]);
}

/** Formats that fit all dates are not told apart from those that some fit as well. */
function formatsOf(dates: Counts['dates']): string {
  const formats = Object.keys(dates);
  const only = formats.filter((format) => !format.split(' or ').some((one) => one !== format && formats.includes(one)));
  return only.length === 1 && formats.length > 1 ? `${only[0]}, the only order that fits all` : only.join(', ');
}

function numeric(counts: Counts, decimalComma: boolean): Typed {
  const { integers, reals, wholeReals, inexactReals, trueFalse, beyond53 } = counts;
  const numbers = numbersOf(counts);
  const content = numbers.join(', ');
  if (reals + inexactReals === 0) {
    if (integers === 0)
      return { suggested: 'INTEGER', content: `${amount(trueFalse)} true or false`, why: ', as 1 and 0' };
    const large = beyond53 > 0 ? [`${amount(beyond53)} beyond 2^53 (exact here, not in a spreadsheet)`] : [];
    return { suggested: 'INTEGER', content: [...numbers, ...large].join(', ') };
  }
  if (decimalComma) return { suggested: 'REAL', content, why: ', so 1,5 is stored as 1.5' };
  if (integers === 0) {
    const respelled = inexactReals > 0 ? `, ${amount(inexactReals)} of them rewritten, as 1.50 becomes 1.5` : '';
    return { suggested: 'REAL', content, why: respelled };
  }
  const shorter = inexactReals + wholeReals;
  const kept = shorter > 0 ? `, ${amount(shorter)} spelled anew, as 1.0 becomes 1` : ', so 1 stays 1 and 1.5 stays 1.5';
  return { suggested: 'NUMERIC', content, why: kept };
}

function numbersOf({ integers, reals, inexactReals, longReals, wholeExponents, trueFalse }: Counts): readonly string[] {
  const shown = reals + inexactReals - longReals - wholeExponents;
  return list([
    [integers, counted(integers, 'integer')],
    [shown, counted(shown, 'real')],
    [integers + shown > 0 ? 0 : trueFalse, `${amount(trueFalse)} true or false`],
  ]);
}

/** Everything the column holds, each kind with its count. */
function contentOf(counts: Counts): readonly string[] {
  return [
    ...numbersOf(counts),
    ...list([
      [counts.longReals, `${amount(counts.longReals)} with more than 15 digits`],
      [counts.wholeExponents, `${amount(counts.wholeExponents)} like 2E10`],
      [counts.texts, counted(counts.texts, 'text')],
      [sumOf(counts.dates), counted(sumOf(counts.dates), 'date')],
      [counts.booleans - counts.trueFalse, `${amount(counts.booleans - counts.trueFalse)} true or false`],
      [counts.leadingZeros, `${amount(counts.leadingZeros)} with leading zeros`],
      [counts.plusSigns, `${amount(counts.plusSigns)} with a plus sign`],
      [counts.beyond64, `${amount(counts.beyond64)} beyond 64 bits`],
      [counts.hex, `${amount(counts.hex)} in hexadecimal`],
      [counts.json, counted(counts.json, 'object or array', 'objects or arrays')],
    ]),
    ...groupedNumbers(counts),
  ];
}

/** The benefit of the type, where one example shows it. */
function because(counts: Counts): string {
  if (counts.leadingZeros > 0) return ', so 007 stays 007';
  if (counts.plusSigns > 0) return ', so +49 stays +49';
  if (counts.beyond64 > 0) return ', so that no digit is lost';
  if (counts.longReals > 0) return ', so that no digit is lost';
  if (counts.wholeExponents > 0 && counts.texts === 0) return ', so 2E10 stays 2E10';
  if (sumOf(counts.thousands) + counts.numbersInText > 0) return ', as they are written';
  return '';
}

const amount = (count: number): string => count.toLocaleString('en-US');
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${amount(count)} ${count === 1 ? one : many}`;
const list = (parts: readonly (readonly [number, string])[]): readonly string[] =>
  parts.flatMap(([count, words]) => (count > 0 ? [words] : []));

// Other ways to read a column, of which the user can choose one: numbers with thousands separators, and dates to be stored as ISO 8601.

type Point = ',' | '.';
const otherThan = (point: Point): Point => (point === ',' ? '.' : ',');

/** The readings of a column without anything but numbers and NULL. */
function numberReadings(counts: Counts, point: Point): readonly Reading[] {
  const { thousands, groupedReals, oneGroups, threeDecimals } = counts;
  const reals = counts.reals + counts.inexactReals;
  const [mark, ...others] = Object.keys(thousands);
  if (others.length > 0) return [];
  const isWholeText = reals === 0 && groupedReals === 0;
  if (mark === undefined && counts.numbersInText > 0)
    return [{ kind: 'numbers', thousands: null, point, isWhole: isWholeText }];
  if (mark === undefined)
    return reals > 0 && reals === threeDecimals
      ? [{ kind: 'numbers', thousands: point, point: otherThan(point), isWhole: true }]
      : [];
  // The separator cannot be the decimal separator of others, unless they look like groups of three digits as well.
  if (mark === point && reals !== threeDecimals) return [];
  const isWhole = groupedReals === 0 && (mark === point || reals === 0);
  if (mark !== ',' && mark !== '.') return [{ kind: 'numbers', thousands: mark, point, isWhole }];
  const grouped = { kind: 'numbers', thousands: mark, point: otherThan(mark), isWhole } as const;
  const isAmbiguous = mark !== point && thousands[mark] === oneGroups && reals === 0;
  return isAmbiguous ? [grouped, { kind: 'numbers', thousands: null, point: mark, isWhole: false }] : [grouped];
}

type DateReading = Extract<Reading, { readonly kind: 'dates' }>;
type DateFormat = Omit<DateReading, 'kind' | 'first'> & { readonly first: readonly DateReading['first'][] };

const FORMATS = new Map<string, DateFormat>([
  ...YEAR_LAST.map((format) => [format.name, format] as const),
  ['YYYY/MM/DD', { separator: '/', first: ['year'], yearDigits: 4, clock: 'none' }],
  ['YYYY/MM/DD HH:MM', { separator: '/', first: ['year'], yearDigits: 4, clock: 24 }],
]);

/** The orders of day and month that fit all dates of a column, of which some may have a time. */
function dateReadings(dates: Counts['dates']): readonly Reading[] {
  const found = Object.keys(dates).flatMap((format) => FORMATS.get(format) ?? []);
  const [one] = found;
  const [clock = 'none', ...otherClocks] = new Set(
    found.flatMap((format) => (format.clock === 'none' ? [] : [format.clock])),
  );
  if (!one || otherClocks.length > 0) return [];
  const { separator, yearDigits } = one;
  if (found.some((other) => other.separator !== separator || other.yearDigits !== yearDigits)) return [];
  return (['day', 'month', 'year'] as const)
    .filter((order) => found.every(({ first }) => first.includes(order)))
    .map((first) => ({ kind: 'dates', first, separator, yearDigits, clock }));
}

// The counts of a column. People see some of them; only the suggested type and its reason depend on the others.

/** The counts that people see. */
export type ShownCounts = Omit<ColumnFacts, 'name' | 'longest' | 'suggested' | 'content' | 'reason' | 'readings'>;

export interface Counts extends ShownCounts {
  readonly records: number;
  /** Reals such as `1.0`. */
  readonly wholeReals: number;
  /** Inexact reals with more digits than a double has. */
  readonly longReals: number;
  /** Inexact reals such as `2E10`. */
  readonly wholeExponents: number;
  /** Reals such as `1.234`, which can also be 1234. */
  readonly threeDecimals: number;
  /** Numbers with thousands separators and decimals. */
  readonly groupedReals: number;
  /** Numbers such as `1,234`, whose thousands separator may be a decimal comma. */
  readonly oneGroups: number;
  /** Numbers that are text in the file's format. */
  readonly numbersInText: number;
  /** Booleans of the format itself, not words such as “yes”. */
  readonly trueFalse: number;
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

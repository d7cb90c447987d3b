// Other ways to read a column, of which the user can choose one: numbers with thousands separators, and dates to be stored as ISO 8601.
import type { Reading } from '#shared/protocol/import.ts';
import { YEAR_LAST } from './classes.ts';
import type { Counts } from './counts.ts';

type Point = ',' | '.';
const otherThan = (point: Point): Point => (point === ',' ? '.' : ',');

/** The readings of a column without anything but numbers and NULL. */
export function numberReadings(counts: Counts, point: Point): readonly Reading[] {
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
export function dateReadings(dates: Counts['dates']): readonly Reading[] {
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

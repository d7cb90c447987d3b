// Values of SQL Server, written for SQLite: `N'…'`, `0x…`, `CAST(… AS …)`.
import { digitsOf, isBeyondReal } from './inserted-rows.ts';
import * as casts from './cast-meanings.ts';
import type { CastMeaning, Literal } from './cast-meanings.ts';
import { written } from './rewriting.ts';
import { isWord, type SqlToken } from './tokens.ts';
import type { ColumnContent } from './column-content.ts';
import type { ValueDialect } from './plain-value.ts';

// Moments of SQL Server as bytes, as Management Studio writes them: `CAST(0x0700D85EAC3A9B3E0B AS DateTime2)`.

const DAY_MS = 86_400_000;
const SINCE_1900 = Date.UTC(1900, 0, 1);
const SINCE_YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
/** December 31, 9999. */
const LAST_DAY = 3_652_058;
const MOST_DIGITS = 7;
/** 14 hours. */
const MOST_MINUTES = 840;

/** ISO 8601 with all digits that the type has; null for bytes that are not of it. @param hex in pairs of digits. @param type as in a CAST */
export function momentText(hex: string, type: string): string | null {
  switch (/^"?(\w+)/.exec(type)?.[1]?.toLowerCase()) {
    case 'smalldatetime':
      return hex.length === 8 ? since1900(numberOf(hex.slice(0, 4)), numberOf(hex.slice(4)) * 60_000) : null;
    case 'datetime':
      // Days, and 300ths of a second.
      return hex.length === 16
        ? since1900(numberOf(hex.slice(0, 8)) | 0, Math.round((numberOf(hex.slice(8)) * 10) / 3))
        : null;
    case 'date':
      return hex.length === 6 || /^.{6}00$/.test(hex) ? dayOf(hex.slice(0, 6)) : null;
    case 'time':
      return precise(hex, 0)?.time ?? null;
    case 'datetime2': {
      const read = precise(hex, 6);
      const day = read && dayOf(read.rest);
      return day === null ? null : `${day} ${read!.time}`;
    }
    case 'datetimeoffset':
      return withOffset(hex);
    default:
      return null;
  }
}

function since1900(days: number, ms: number): string | null {
  const time = SINCE_1900 + days * DAY_MS + ms;
  return Math.abs(time) > 8.64e15 ? null : new Date(time).toISOString().slice(0, -1).replace('T', ' ');
}

const numberOf = (hex: string): number => Number.parseInt(hex, 16);
/** The byte of least weight comes first. */
const reversed = (hex: string): number => numberOf(hex.match(/../g)?.reverse().join('') ?? '');

function dayOf(hex: string): string | null {
  const days = reversed(hex);
  return days <= LAST_DAY ? new Date(SINCE_YEAR_1 + days * DAY_MS).toISOString().slice(0, 10) : null;
}

interface Precise {
  readonly digits: number;
  /** Units of that many digits. */
  readonly units: number;
  readonly time: string;
  readonly rest: string;
}

/** Number of digits of the second, then a time of three to five bytes. @param after number of hexadecimal digits after it */
function precise(hex: string, after: number): Precise | null {
  const digits = numberOf(hex.slice(0, 2));
  const end = 2 + 2 * (digits <= 2 ? 3 : digits <= 4 ? 4 : 5);
  if (!(digits <= MOST_DIGITS) || hex.length !== end + after) return null;
  const units = reversed(hex.slice(2, end));
  return units < 86_400 * 10 ** digits ? { digits, units, time: timeOf(units, digits), rest: hex.slice(end) } : null;
}

function timeOf(units: number, digits: number): string {
  const perSecond = 10 ** digits;
  const seconds = new Date(Math.floor(units / perSecond) * 1000).toISOString().slice(11, 19);
  return digits === 0 ? seconds : `${seconds}.${String(units % perSecond).padStart(digits, '0')}`;
}

/** The time and the day are those of UTC, the minutes after them say where. */
function withOffset(hex: string): string | null {
  const read = precise(hex, 10);
  if (read === null) return null;
  const minutes = (reversed(read.rest.slice(6)) << 16) >> 16;
  const day = reversed(read.rest.slice(0, 6));
  if (Math.abs(minutes) > MOST_MINUTES) return null;
  const perDay = 86_400 * 10 ** read.digits;
  const local = read.units + minutes * 60 * 10 ** read.digits;
  const localDay = day + Math.floor(local / perDay);
  if (localDay < 0 || localDay > LAST_DAY) return null;
  const date = new Date(SINCE_YEAR_1 + localDay * DAY_MS).toISOString().slice(0, 10);
  const zone = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${date} ${timeOf(((local % perDay) + perDay) % perDay, read.digits)}${minutes < 0 ? '-' : '+'}${zone}`;
}

/** Styles of CONVERT in which moments are written as in ISO 8601. */
const ISO_STYLES = new Set(['20', '21', '23', '120', '121', '126', '127']);

/** Moments may be bytes. */
const momentOf =
  (type: string, meaning: CastMeaning): CastMeaning =>
  (value, lengths) => {
    const hex = hexOf(value);
    if (hex === null) return meaning(value, lengths);
    const text = momentText(hex, type);
    return text === null ? null : casts.textLiteral(text, value);
  };

const bytes =
  (isFixed: boolean, standard: number): CastMeaning =>
  (value, [most = standard]) => {
    const length = (hexOf(value)?.length ?? NaN) / 2;
    return (isFixed ? length === most : length <= most) ? value : null;
  };

/** Thousandths that are whole 300ths of a second, rounded. */
const isDatetime = (_time: string, fraction: string): boolean => fraction.length < 3 || /[037]$/.test(fraction);
const isWholeMinute = (time: string, fraction: string): boolean => time.endsWith(':00') && !/[1-9]/.test(fraction);

/** Types of Transact-SQL with their lengths where a CAST names none. */
export const TSQL_VALUES: ValueDialect = {
  isLiteral: (tokens) =>
    (tokens.length === 1 && (tokens[0]!.kind === 'string' || isWord(tokens[0], 'NULL'))) || hexOf(tokens) !== null,
  hasColons: false,
  call: (name, [type, value, style, ...more]) =>
    name !== 'CONVERT' || !type || !value || more.length > 0 || (style && !ISO_STYLES.has(written(style)))
      ? null
      : { type, value },
  casts: [
    [/^(?:tiny|small|big)?int$|^integer$/, casts.signed],
    [/^bit$/, casts.bit],
    [/^(?:decimal|numeric|dec)$/, casts.decimal([18, 0])],
    [/^money$/, casts.decimal([19, 4])],
    [/^smallmoney$/, casts.decimal([10, 4])],
    [/^float$/, casts.double],
    [/^real$/, casts.single],
    [/^n?varchar$/, casts.varying(30)],
    [/^n?char$/, casts.fixed(30)],
    [/^n?text$/, casts.varying()],
    [/^(?:xml|uniqueidentifier|hierarchyid|sql_variant|sysname)$/, casts.asWritten],
    [/^date$/, momentOf('date', casts.date)],
    [/^time$/, momentOf('time', casts.timeOfDay({ digits: 7, hasZone: false }))],
    [/^datetime$/, momentOf('datetime', casts.moment({ digits: 3, hasZone: false }, isDatetime))],
    [/^datetime2$/, momentOf('datetime2', casts.moment({ digits: 7, hasZone: false }))],
    [/^datetimeoffset$/, momentOf('datetimeoffset', casts.moment({ digits: 7, hasZone: true }))],
    [/^smalldatetime$/, momentOf('smalldatetime', casts.moment({ digits: 7, hasZone: false }, isWholeMinute))],
    [/^varbinary$/, bytes(false, 30)],
    [/^binary$/, bytes(true, 30)],
    [/^(?:image|geography|geometry)$/, bytes(false, Infinity)],
  ],
};

/** A literal for a column. Null: it would be another value there. */
export function tsqlValue(value: Literal, holds: ColumnContent | null): string | null {
  const hex = hexOf(value);
  const isOfNumbers = holds === 'integers' || holds === 'numbers' || holds === 'booleans';
  if (hex !== null) return isOfNumbers ? null : `X'${hex}'`;
  const digits = digitsOf(value);
  if (holds === 'bytes' && value.some(({ kind }) => kind === 'number')) return null;
  // In a table that is not known, these are digits that REAL would lose.
  const isBeyond = isBeyondReal(value);
  const isText = holds === 'text' || (holds === null && digits !== null && (digits.length > 18 || isBeyond));
  if (isText && digits !== null) return digits;
  return isBeyond ? null : written(value);
}

/** Digits of `0x…`, in pairs. */
function hexOf(tokens: readonly SqlToken[]): string | null {
  const [token] = tokens;
  if (tokens.length === 1 && token!.kind === 'number' && /^0x/i.test(token!.text))
    return (token!.text.length % 2 === 0 ? '' : '0') + token!.text.slice(2);
  // `0x` without digits is an empty value: the number 0 and the word x.
  return tokens.length === 2 && token!.text === '0' && isWord(tokens[1], 'X') ? '' : null;
}

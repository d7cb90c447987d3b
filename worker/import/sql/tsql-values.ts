// Values of SQL Server, written for SQLite: `N'…'`, `0x…`, `CAST(… AS …)`.
import { momentText } from './tsql-moments.ts';
import { digitsOf } from './inserted-rows.ts';
import * as casts from './cast-meanings.ts';
import type { CastMeaning, Literal } from './cast-meanings.ts';
import { written } from './rewriting.ts';
import { isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import type { ColumnContent } from './column-content.ts';
import type { ValueDialect } from './plain-value.ts';

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
  const isText = holds === 'text' || (holds === null && digits !== null && digits.length > 18);
  return isText && digits !== null ? digits : written(value);
}

/** Digits of `0x…`, in pairs. */
function hexOf(tokens: readonly SqlToken[]): string | null {
  const [token] = tokens;
  if (tokens.length === 1 && token!.kind === 'number' && /^0x/i.test(token!.text))
    return (token!.text.length % 2 === 0 ? '' : '0') + token!.text.slice(2);
  // `0x` without digits is an empty value: the number 0 and the word x.
  return tokens.length === 2 && token!.text === '0' && isWord(tokens[1], 'X') ? '' : null;
}

// Values of PostgreSQL, written for SQLite by what their columns hold.
import { bytesOfBytea } from './byte-text.ts';
import * as casts from './cast-meanings.ts';
import type { CastMeaning, Literal } from './cast-meanings.ts';
import type { ColumnContent } from './column-content.ts';
import { digitsOf, isBeyondReal } from './inserted-rows.ts';
import type { Cast, ValueDialect } from './plain-value.ts';
import { blobOf, written } from './rewriting.ts';
import { isWord, type SqlToken } from './tokens.ts';
import type { CopyColumn, CopyFormat } from './translator.ts';

const bytes: CastMeaning = ([token]) =>
  token!.kind === 'string' ? [{ ...token!, kind: 'sql', text: blobOf(bytesOfBytea(token!.value)) }] : null;

/** Texts that are numbers become numbers only in a column of numbers. */
export function asOf(holds: ColumnContent | null): CopyColumn['as'] {
  if (holds === 'integers' || holds === 'numbers') return 'number';
  return holds === 'bytes' || holds === 'booleans' ? 'any' : 'text';
}

/** `decode('41', 'hex')`, as DBeaver writes bytes, is `'\x41'::bytea`. */
function decoded(digits: readonly SqlToken[] = [], form: readonly SqlToken[] = []): Cast | null {
  const [token] = digits;
  if (form.length !== 1 || form[0]!.kind !== 'string' || form[0]!.value.toLowerCase() !== 'hex') return null;
  if (digits.length !== 1 || token!.kind !== 'string') return null;
  if (token!.value.length % 2 === 1 || /[^\da-f]/i.test(token!.value)) return null;
  const value = [{ ...token!, value: `\\x${token!.value}` }];
  return { value, type: [{ kind: 'word', text: 'bytea', value: 'bytea', at: token!.at }] };
}

/** Types of PostgreSQL. A text of any other type stays as it is written. */
export const POSTGRES_VALUES: ValueDialect = {
  isLiteral: ([token, second]) =>
    second === undefined &&
    (token?.kind === 'string' || token?.kind === 'sql' || isWord(token, 'NULL', 'TRUE', 'FALSE')),
  hasColons: true,
  call: (name, [digits, form, ...more]) => (name === 'DECODE' && more.length === 0 ? decoded(digits, form) : null),
  casts: [
    [/^(?:small|big)?int$|^integer$|^int[248]$|^oid$/, casts.signed],
    [/^(?:numeric|decimal|dec)$/, casts.decimal(null)],
    [/^(?:double precision|float8?)$/, casts.double],
    [/^(?:real|float4)$/, casts.single],
    [/^(?:text|citext|varchar|character varying)$/, casts.varying()],
    [/^char(?:acter)?$/, casts.fixed(1)],
    [/^bpchar$/, casts.varying()],
    [/^bool(?:ean)?$/, casts.boolean],
    [/^bytea$/, bytes],
    [/^date$/, casts.date],
    [/^time(?: without time zone)?$/, casts.timeOfDay({ digits: 6, hasZone: false })],
    [/^time(?:tz| with time zone)$/, casts.timeOfDay({ digits: 6, hasZone: true })],
    [/^timestamp(?: without time zone)?$/, casts.moment({ digits: 6, hasZone: false })],
    [/^timestamp(?:tz| with time zone)$/, casts.moment({ digits: 6, hasZone: true })],
    [/^bit$/, casts.bits(true)],
    [/^(?:varbit|bit varying)$/, casts.bits(false)],
    [/^(?:array|interval)$/, (value, lengths) => (lengths.length === 0 ? casts.asWritten(value, lengths) : null)],
    // Its digits depend on a setting.
    [/^money$/, () => null],
    [/^[^ ]+$/, casts.asWritten],
  ],
};

/** Digits of `X'00ff'`, which are bits in PostgreSQL, but bytes in standard SQL; PostgreSQL itself writes bits as `B'1010'`. */
const hexOf = ({ text }: SqlToken): string | null => /^x'((?:[\da-f]{2})*)'$/i.exec(text)?.[1] ?? null;

/** A literal for a column. Null: it would be another value there. */
export function valueSql(value: Literal, holds: ColumnContent | null): string | null {
  const [token, second] = value;
  const text = second === undefined && token!.kind === 'string' ? token!.value : null;
  const hex = text !== null && (holds === 'bytes' || holds === null) ? hexOf(token!) : null;
  if (hex !== null) return `X'${hex}'`;
  if (text !== null && holds === 'bytes') return blobOf(bytesOfBytea(text));
  if (text !== null && holds === 'booleans' && /^(?:t|true|y|yes|on|f|false|n|no|off)$/i.test(text))
    return /^(?:t|y|on)/i.test(text) ? 'TRUE' : 'FALSE';
  if (holds === 'text' && isWord(token, 'TRUE', 'FALSE')) return `'${token!.text.toLowerCase()}'`;
  const digits = holds === 'text' || holds === null ? digitsOf(value) : null;
  // In a table that is not known, these are digits that REAL would lose.
  const isBeyond = isBeyondReal(value);
  if (digits !== null && (holds === 'text' || digits.length > 18 || isBeyond)) return digits;
  return isBeyond ? null : written(value);
}

/** What would need more than reading the rows. */
const COPY_OPTIONS = ['BINARY', 'ENCODING', 'FORCE', 'FORCE_NULL', 'FORCE_NOT_NULL', 'DEFAULT', 'ON_ERROR'];

/** `WITH DELIMITER AS ','`, `CSV HEADER` and `(FORMAT csv, NULL '-')`; null for what is not read. @param tokens after FROM stdin */
export function copyFormat(tokens: readonly SqlToken[]): CopyFormat | null {
  const texts = new Map<string, string>();
  let isCsv = false;
  let hasHeader = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const value = tokens[isWord(tokens[at + 1], 'AS') ? at + 2 : at + 1];
    if (isWord(token, ...COPY_OPTIONS)) return null;
    if (isWord(token, 'CSV')) isCsv = true;
    else if (isWord(token, 'HEADER')) hasHeader = !(isWord(value, 'FALSE', 'OFF') || value?.text === '0');
    else if (isWord(token, 'FORMAT') && value?.kind === 'string') {
      if (!/^(?:csv|text)$/i.test(value.value)) return null;
      isCsv = /^csv$/i.test(value.value);
    } else if (isWord(token, 'DELIMITER', 'DELIMITERS', 'NULL', 'QUOTE', 'ESCAPE') && value?.kind === 'string')
      texts.set(token!.text.toUpperCase().replace(/S$/, ''), value.value);
  }
  const quote = texts.get('QUOTE') ?? '"';
  const csv = isCsv ? { quote, escape: texts.get('ESCAPE') ?? quote } : null;
  const delimiter = texts.get('DELIMITER') ?? (isCsv ? ',' : '\t');
  const format = { delimiter, nullText: texts.get('NULL') ?? (isCsv ? '' : '\\N'), hasHeader, csv };
  return [delimiter, ...Object.values(csv ?? {})].every(({ length }) => length === 1) ? format : null;
}

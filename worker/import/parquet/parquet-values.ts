// Meaning of the values of a column: from the stored Parquet value to a field of a record, exactly.
import type { SchemaElement } from 'hyparquet/src/types.js';
import { FIELD, type FieldKind } from '../../records/record-batch.ts';
import { utf8End } from '../csv/odd-bytes.ts';
import { dayText, intervalText, isUsualDay, timestampText, timeText, type TimeUnit } from './parquet-times.ts';

/** A field: its text, or its bytes. */
export interface ParquetField {
  readonly kind: FieldKind;
  readonly content: string | Uint8Array;
  /** What nobody expects of a value of its type. */
  readonly odd?: OddValue;
}

/**
 * `infinite`: a moment after or before all others. `edge`: the last or first moment of its type, which may mean that. `far`: a moment beyond the
 * years 0 to 9999. `stored`: no value of its type, so it is read as stored. `bytes`: a text that is not valid UTF-8, kept as a BLOB. `hex`: the
 * same in JSON, which has no BLOBs. `nested`: bytes in JSON. `no-variant`: bytes that are no Variant, in JSON.
 */
export type OddValue = 'infinite' | 'edge' | 'far' | 'stored' | 'bytes' | 'hex' | 'nested' | 'no-variant';

export type ReadValue = (value: unknown) => ParquetField;

export const NO_VALUE: ParquetField = { kind: FIELD.null, content: '' };
const TRUE: ParquetField = { kind: FIELD.true, content: '' };
const FALSE: ParquetField = { kind: FIELD.false, content: '' };
const number = (text: string): ParquetField => ({ kind: FIELD.number, content: text });
const text = (content: string | Uint8Array): ParquetField => ({ kind: FIELD.quoted, content });

/** `element` is what the file says of the column; `plainElement` is what is decoded then. */
export function valueReader(element: SchemaElement): ReadValue {
  const meaning = meaningOf(element);
  if (meaning === null) return (value) => (value === null || value === undefined ? NO_VALUE : plain(value));
  return (value) =>
    value === null || value === undefined ? NO_VALUE : (meaning(value) ?? { ...plain(value), odd: 'stored' });
}

/** Removes the meaning, so that the decoder gives numbers as they are stored, DECIMAL among them, and bytes instead of strings. */
export const plainElement = ({
  converted_type: _converted,
  logical_type: _logical,
  ...element
}: SchemaElement): SchemaElement => element;

/** Null for a value that is not of its type: it is then read as stored. */
type Meaning = (value: unknown) => ParquetField | null;

function meaningOf({
  type,
  converted_type: converted,
  logical_type: logical,
  scale = 0,
}: SchemaElement): Meaning | null {
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') {
    const digits = logical?.type === 'DECIMAL' ? logical.scale : scale;
    return (value) => ifText(decimalText(integerOf(value), digits), FIELD.number);
  }
  if (logical?.type === 'TIMESTAMP') return timestamps(logical.unit, logical.isAdjustedToUTC);
  if (converted === 'TIMESTAMP_MILLIS') return timestamps('MILLIS', false);
  if (converted === 'TIMESTAMP_MICROS') return timestamps('MICROS', false);
  if (type === 'INT96') return int96;
  if (logical?.type === 'TIME') return times(logical.unit);
  if (converted === 'TIME_MILLIS') return times('MILLIS');
  if (converted === 'TIME_MICROS') return times('MICROS');
  if (logical?.type === 'DATE' || converted === 'DATE') return day;
  if (logical?.type === 'UUID') return (value) => ifText(uuidText(value));
  if (logical?.type === 'FLOAT16') return (value) => (value instanceof Uint8Array ? real(float16(value)) : null);
  if (converted === 'INTERVAL') return (value) => (value instanceof Uint8Array ? ifText(intervalText(value)) : null);
  const isUnsigned = (logical?.type === 'INTEGER' && !logical.isSigned) || converted?.startsWith('UINT_') === true;
  if (isUnsigned) return (value) => number(String(BigInt.asUintN(type === 'INT64' ? 64 : 32, integerOf(value) ?? 0n)));
  if (type === 'FLOAT' || type === 'DOUBLE') return (value) => (typeof value === 'number' ? real(value) : null);
  if (logical?.type === 'JSON' || converted === 'JSON')
    return (value) => (value instanceof Uint8Array ? json(value) : null);
  const isText = logical?.type === 'STRING' || logical?.type === 'ENUM' || converted === 'UTF8' || converted === 'ENUM';
  return isText ? (value) => (value instanceof Uint8Array ? utf8(value) : null) : null;
}

const ifText = (content: string | null, kind: FieldKind = FIELD.quoted): ParquetField | null =>
  content === null ? null : { kind, content };

function plain(value: unknown): ParquetField {
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  if (typeof value === 'bigint') return number(String(value));
  if (typeof value === 'number') return Number.isInteger(value) ? number(String(value)) : real(value);
  if (value instanceof Uint8Array) return { kind: FIELD.blob, content: value };
  return typeof value === 'string' ? text(value) : NO_VALUE;
}

/** JavaScript writes integers from here on with an exponent. */
const LEAST_EXPONENT = 1e21;

/** Written with a point or an exponent, so that it stays a real number. Infinity and NaN are texts, which may be said to mean NULL. */
function real(value: number): ParquetField {
  if (!Number.isFinite(value)) return { kind: FIELD.text, content: String(value) };
  if (Object.is(value, -0)) return number('-0.0');
  const digits = String(value);
  return number(Number.isInteger(value) && Math.abs(value) < LEAST_EXPONENT ? `${digits}.0` : digits);
}

/** A real number in JSON, which has no other numbers. */
export function realText(value: number): string {
  const { kind, content } = real(value);
  return kind === FIELD.number ? (content as string) : JSON.stringify(content);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What was odd in the parts of one value of a nested column; the reader of the column takes it with the value. */
export interface OddParts {
  last?: OddValue | undefined;
}

/** A value of a column as JSON. */
export function leafJson(element: SchemaElement, parts: OddParts): (value: unknown) => string {
  const read = valueReader(element);
  return (value) => {
    const { kind, content, odd } = read(value);
    if (odd !== undefined) parts.last = odd === 'bytes' ? 'hex' : odd;
    if (kind === FIELD.null) return 'null';
    if (kind === FIELD.true) return 'true';
    if (kind === FIELD.false) return 'false';
    if (kind === FIELD.blob) {
      parts.last ??= 'nested';
      return JSON.stringify(hex(content as Uint8Array));
    }
    const text = typeof content === 'string' ? content : decoder.decode(content);
    return kind === FIELD.number || kind === FIELD.json ? text : JSON.stringify(text);
  };
}

function utf8(bytes: Uint8Array): ParquetField {
  return utf8End(bytes, 0, bytes.length) === bytes.length
    ? text(bytes)
    : { kind: FIELD.blob, content: bytes, odd: 'bytes' };
}

function json(bytes: Uint8Array): ParquetField {
  const isNested = bytes[0] === 0x7b || bytes[0] === 0x5b;
  return isNested && utf8End(bytes, 0, bytes.length) === bytes.length
    ? { kind: FIELD.json, content: bytes }
    : utf8(bytes);
}

const INFINITY: ParquetField = { kind: FIELD.quoted, content: 'infinity', odd: 'infinite' };
const MINUS_INFINITY: ParquetField = { kind: FIELD.quoted, content: '-infinity', odd: 'infinite' };
const MAX_32 = 2 ** 31 - 1;
const MAX_64 = 2n ** 63n - 1n;

const moment = (content: string | null): ParquetField | null =>
  content === null || isUsualDay(content) ? ifText(content) : { kind: FIELD.quoted, content, odd: 'far' };

/** DuckDB and PostgreSQL write infinite days as the largest and the smallest integer, DuckDB as the smallest but one. */
const day: Meaning = (value) => {
  const number = Number(value);
  if (number === MAX_32) return INFINITY;
  return number <= -MAX_32 ? MINUS_INFINITY : moment(dayText(number));
};

/** Infinite as {@link day}; in nanoseconds, these integers are moments of the years 1677 and 2262, too. */
const timestamps =
  (unit: TimeUnit, isUtc: boolean): Meaning =>
  (value) => {
    const units = integerOf(value);
    if (units === null) return null;
    const isLast = units === MAX_64 || units <= -MAX_64;
    if (isLast && unit !== 'NANOS') return units > 0n ? INFINITY : MINUS_INFINITY;
    const field = moment(timestampText(units, unit, isUtc));
    return isLast && field !== null ? { ...field, odd: 'edge' } : field;
  };

const times =
  (unit: TimeUnit): Meaning =>
  (value) => {
    const units = integerOf(value);
    return units === null ? null : ifText(timeText(units, unit));
  };

/** Nanoseconds since 1970, as the decoder has made them of a Julian day and a time of day. */
const int96: Meaning = (value) => (typeof value === 'bigint' ? moment(timestampText(value, 'NANOS', false)) : null);

/** Numbers, and bytes as a two's complement with the highest one first. */
function integerOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  if (!(value instanceof Uint8Array) || value.length === 0) return null;
  // Most have far more bytes than they need.
  const sign = value[0]! >= 0x80 ? -1 : 0;
  let at = 0;
  while (at < value.length - 1 && value[at] === (sign & 0xff)) at++;
  let result = BigInt(sign);
  if (value.length - at <= 6) {
    let small = sign;
    for (; at < value.length; at++) small = small * 256 + value[at]!;
    result = BigInt(small);
  }
  for (; at < value.length; at++) result = (result << 8n) | BigInt(value[at]!);
  return result;
}

export function decimalText(unscaled: bigint | null, scale: number): string | null {
  if (unscaled === null || scale < 0 || scale > 1000) return null;
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const sign = unscaled < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export function uuidText(value: unknown): string | null {
  if (!(value instanceof Uint8Array) || value.length !== 16) return null;
  return hex(value).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function float16(bytes: Uint8Array): number {
  const bits = bytes[0]! | (bytes[1]! << 8);
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * 2 ** -24 * fraction;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

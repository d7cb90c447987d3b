// Exact arithmetic with stored numbers: integers of 64 bits, and decimals as they are written.
import { isReal } from '../protocol/values.ts';
import type { Value } from '../protocol/values.ts';

/** `digits` / 10^`scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** Null for everything that is not stored as an INTEGER. */
export function integerOf(value: Value): bigint | null {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : null;
}

/** Null for everything that is not stored as a finite REAL. */
export function realOf(value: Value): number | null {
  const number = typeof value === 'number' ? value : value !== null && isReal(value) ? value.real : NaN;
  return integerOf(value) === null && Number.isFinite(number) ? number : null;
}

/** An INTEGER; null beyond 64 bits. */
export function integerValue(integer: bigint): Value {
  if (integer < MIN_INTEGER || integer > MAX_INTEGER) return null;
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

export const realValue = (number: number): Value =>
  Number.isSafeInteger(number) || Object.is(number, -0) ? { real: number } : number;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;
/** Beyond this, texts would be longer than anything that is shown. */
const MAX_EXPONENT = 400;

/** Null if the text is not a decimal number. */
export function decimalFrom(text: string): Decimal | null {
  const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || Math.abs(Number(exponent)) > MAX_EXPONENT) return null;
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The number as SQLite and JavaScript write it: the fewest digits that only this number has. */
export function decimalOf(value: Value): Decimal | null {
  const integer = integerOf(value);
  if (integer !== null) return { digits: integer, scale: 0 };
  const real = realOf(value);
  return real === null ? null : decimalFrom(String(real));
}

const sameDecimal = (a: Decimal, b: Decimal): boolean =>
  a.digits * 10n ** BigInt(b.scale) === b.digits * 10n ** BigInt(a.scale);

/** The REAL that is written like this; null if a REAL cannot keep all the digits. */
export function realFromDecimal(decimal: Decimal): Value {
  const number = Number(decimalText(decimal));
  const back = Number.isFinite(number) ? decimalFrom(String(number)) : null;
  return back && sameDecimal(back, decimal) ? realValue(number) : null;
}

export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return scale === 0 ? sign + all : `${sign}${all.slice(0, -scale)}.${all.slice(-scale)}`;
}

/** With exactly so many digits after the point: half away from zero. */
export function rounded({ digits, scale }: Decimal, places: number): Decimal {
  if (scale <= places) return { digits: digits * 10n ** BigInt(places - scale), scale: places };
  const unit = 10n ** BigInt(scale - places);
  const size = digits < 0n ? -digits : digits;
  const kept = (size + unit / 2n) / unit;
  return { digits: digits < 0n ? -kept : kept, scale: places };
}

export const floorDivide = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((b - 1n - a) / b));

/** “.25” for 250 of 1,000, with three places; empty for none. */
export function fractionText(part: bigint, places: number): string {
  const digits = String(part).padStart(places, '0');
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return end === 0 ? '' : `.${digits.slice(0, end)}`;
}

/** “1,234,567” */
export function grouped(digits: string): string {
  const first = digits.length % 3;
  const groups = digits.slice(first).match(/\d{3}/g) ?? [];
  return (first === 0 ? groups : [digits.slice(0, first), ...groups]).join(',');
}

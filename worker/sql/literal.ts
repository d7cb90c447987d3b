// Values as they are written in SQL text, exact to the last bit.
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';

export function sqlLiteral(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'bigint') return value === MIN_INTEGER ? '(-9223372036854775807 - 1)' : String(value);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : real(value);
  if (isReal(value)) return real(value.real);
  return isRawText(value) ? `CAST(${blob(value.textBytes)} AS TEXT)` : blob(value as Uint8Array);
}

/** The digits without the sign exceed SQLite's integer range. */
const MIN_INTEGER = -9223372036854775808n;

function textLiteral(text: string): string {
  // SQL text ends at a NUL.
  if (text.includes('\0')) return `CAST(${blob(new TextEncoder().encode(text))} AS TEXT)`;
  return `'${text.replaceAll("'", "''")}'`;
}

function real(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '9e999' : '-9e999';
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(digits) ? digits : `${digits}.0`;
}

function blob(bytes: Uint8Array): string {
  return `X'${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}'`;
}

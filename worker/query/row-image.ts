// Values of a row in a form in which a server returns each exactly: text as bytes, because it may not be UTF-8, and infinities as words.
import { byName } from '#shared/by-name.ts';
import type { RowImage } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import { quoteName } from '../sql/quote.ts';
import { decodeBytes } from '../sql/text-bytes.ts';

const LARGEST_REAL = '1.7976931348623157e308';

/**
 * Two result columns for each column: its storage class and its value. Their names are short because a server repeats the names with each
 * statement, where an expression without one is named by its text.
 * @param maxBytes longer values are left out
 */
export function imageSql(columns: readonly string[], maxBytes: (column: string) => number): string {
  return columns
    .map((column) => {
      const name = quoteName(column);
      const form = `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) WHEN 'real' THEN CASE WHEN abs(${name}) > ${LARGEST_REAL} THEN CASE WHEN ${name} > 0 THEN '+' ELSE '-' END ELSE ${name} END ELSE ${name} END`;
      return `typeof(${name}) AS s, CASE WHEN octet_length(${name}) <= ${maxBytes(column)} THEN ${form} END AS v`;
    })
    .join(', ');
}

/** Bytes of all values of a row together, as SQL. */
export const sizeSql = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(octet_length(${quoteName(column)}), 0)`).join(' + ') || '0';

/** Null when a value was too long. @param cells what {@link imageSql} returned */
export function readImage(columns: readonly string[], cells: readonly Value[]): RowImage | null {
  const image = byName<Value>();
  for (const [at, column] of columns.entries()) {
    const form = cells[2 * at + 1]!;
    const storage = cells[2 * at];
    if (form === null && storage !== 'null') return null;
    if (storage === 'real' && typeof form === 'string') image[column] = form === '+' ? Infinity : -Infinity;
    else image[column] = storage === 'text' ? decodeBytes(form as Uint8Array, 'utf-8') : form;
  }
  return image;
}

/** Approximate memory it takes. */
export function imageBytes(image: RowImage | null): number {
  let bytes = 64;
  for (const [column, value] of Object.entries(image ?? {})) bytes += 2 * column.length + valueBytes(value);
  return bytes;
}

export function valueBytes(value: Value): number {
  if (typeof value === 'string') return 2 * value.length;
  if (value instanceof Uint8Array) return value.length;
  return typeof value === 'object' && value !== null && 'textBytes' in value ? value.textBytes.length : 8;
}

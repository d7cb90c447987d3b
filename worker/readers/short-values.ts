// Reads rows without their longest values, of which it reads only type and length. SQLite knows both without reading the value.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { quoteName } from '../sql/quote.ts';

/** The native engine reads no value of 512 MB, which is the longest string of V8. */
export const LONGEST_VALUE = 500_000_000;

/** Longest values to read, in bytes. */
export interface Longest {
  readonly value: number;
  readonly blob: number;
}

/** Select list in place of the columns: the values that are short enough, then types and lengths of the others. */
export function shortList(columns: readonly string[], longest: Longest): string {
  const isLong = columns
    .map(quoteName)
    .map((name) => `octet_length(${name}) > iif(typeof(${name}) = 'blob', ${longest.blob}, ${longest.value})`);
  return [
    ...columns.map((name, at) => `iif(${isLong[at]}, NULL, ${quoteName(name)})`),
    ...columns.map((name, at) => `iif(${isLong[at]}, typeof(${quoteName(name)}), NULL)`),
    ...columns.map((name, at) => `iif(${isLong[at]}, octet_length(${quoteName(name)}), NULL)`),
  ].join(', ');
}

/** @param wide rows of a {@link shortList}, three times as wide as those written */
export function copyShort(wide: PackedRows, writer: PackedRowsWriter): void {
  const cells = new PackedRowsReader(wide);
  const width = wide.columnCount / 3;
  for (let row = 0; row < wide.rowCount; row++)
    for (let column = 0; column < width; column++) {
      const type = cells.value(row, width + column);
      if (type === null) writer.copy(cells, row, column);
      else writer.unread(type === 'text', cells.number(row, width * 2 + column));
    }
}

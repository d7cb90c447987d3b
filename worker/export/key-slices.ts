// The rows of a table on a server in slices, each from the last key that was read: one round trip for which Stop does not wait, and whose
// reply the server does not refuse for its size.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { keyOrderOf } from '../readers/key-order.ts';
import type { Key } from '../readers/key-order.ts';
import { keyNames } from '../schema/table-shape.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';

export interface KeySlices {
  /** The first `rows` rows after the one with this key, or of the table. */
  statement(after: Key | null, rows: number): { readonly sql: string; readonly params: readonly Value[] };
  /** Key of the last of these rows; null if the key is only partly included. */
  lastKey(rows: PackedRows): Key | null;
}

const FIRST_ROWS = 250;
const MOST_ROWS = 16_000;
/** A server refuses replies of more than 10 MB, and has then read their rows for nothing. */
const MOST_BYTES = 2 << 20;

/**
 * @param names the first columns of the slices; those of the key follow if they are not among them. Undefined where a table is read as one,
 *   or has no key to continue from
 */
export function keySlicesOf(
  connection: Connection,
  shape: TableShape,
  names: readonly string[],
): KeySlices | undefined {
  if (connection.isMetered !== true || shape.kind !== 'table' || shape.key.kind === 'none') return undefined;
  const key = shape.key.kind === 'rowid' ? [shape.rowidColumn ?? shape.key.name] : keyNames(shape.key);
  const all = [...names, ...key.filter((name) => !names.includes(name))];
  const places = key.map((name) => all.indexOf(name));
  const { after, orderBy } = keyOrderOf(connection, shape);
  const select = `SELECT ${quoteNames(all)} FROM main.${quoteName(shape.name)}`;
  return {
    statement: (last, rows) => ({
      sql: `${select}${last === null ? '' : ` WHERE ${after.sql}`} ORDER BY ${orderBy} LIMIT ${rows}`,
      params: last === null ? [] : after.params(last),
    }),
    lastKey(rows) {
      const [reader, row] = [new PackedRowsReader(rows), rows.rowCount - 1];
      if (places.some((place) => reader.isPreview(row, place))) return null;
      return places.map((place) => reader.value(row, place));
    },
  };
}

/** How many rows the next slice has: twice as many each time, as long as they are no more than a couple of megabytes. */
export function nextSlice(rows: number | null, bytes: number): number {
  if (rows === null) return FIRST_ROWS;
  const fit = Math.floor((rows * MOST_BYTES) / Math.max(bytes, 1));
  return Math.max(1, Math.min(rows * 2, MOST_ROWS, fit));
}

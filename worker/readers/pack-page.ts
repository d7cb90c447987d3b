// Packs pages of a table, also where a value is larger than the engine can read: of that one, a page says only what and how large it is.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';

/** A page never exceeds this, whatever its rows hold; the window requests the rest. */
export const PAGE_BYTES = 32 * 1024 * 1024;
/** The native engine reads no value of 512 MB, which is the longest string of V8. */
const READABLE_BYTES = 500_000_000;

export interface PageQuery {
  readonly columns: readonly string[];
  /** From FROM on. */
  readonly tail: string;
  /** Parameters of each run of the query: their rows are one page together. */
  readonly bindings: readonly (readonly Value[])[];
  /** The most that are wanted. */
  readonly rows: number;
}

/** @param readableBytes longer values are not read once one was too long */
export function packPage(connection: Connection, query: PageQuery, readableBytes = READABLE_BYTES): PackedRows {
  try {
    return packed(connection, quoteNames(query.columns), query.columns.length, query);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too-big') throw error;
    return withoutLongest(connection, query, readableBytes);
  }
}

function packed(connection: Connection, list: string, width: number, { tail, bindings, rows }: PageQuery): PackedRows {
  const statement = connection.prepare(`SELECT ${list} ${tail}`);
  try {
    const writer = new PackedRowsWriter(width, { expectedRows: Math.max(1, rows) });
    for (const params of bindings) {
      statement.bind(params);
      statement.pack(writer, { maxRows: rows, maxBytes: PAGE_BYTES });
      statement.reset();
      if (writer.sizeBytes >= PAGE_BYTES) break;
    }
    return writer.finish();
  } finally {
    statement.finalize();
  }
}

/** SQLite knows type and length of a value without reading it. */
function withoutLongest(connection: Connection, query: PageQuery, readableBytes: number): PackedRows {
  const { columns } = query;
  const isLong = columns.map((name) => `octet_length(${quoteName(name)}) > ${readableBytes}`);
  const list = [
    ...columns.map((name, at) => `iif(${isLong[at]}, NULL, ${quoteName(name)})`),
    ...columns.map((name, at) => `iif(${isLong[at]}, typeof(${quoteName(name)}), NULL)`),
    ...columns.map((name, at) => `iif(${isLong[at]}, octet_length(${quoteName(name)}), NULL)`),
  ].join(', ');
  const width = columns.length;
  const wide = packed(connection, list, width * 3, query);
  const cells = new PackedRowsReader(wide);
  const writer = new PackedRowsWriter(width, { expectedRows: Math.max(1, wide.rowCount) });
  for (let row = 0; row < wide.rowCount; row++)
    for (let column = 0; column < width; column++) {
      const type = cells.value(row, width + column);
      if (type === null) writer.copy(cells, row, column);
      else writer.unread(type === 'text', cells.number(row, width * 2 + column));
    }
  return writer.finish();
}

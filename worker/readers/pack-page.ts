// Packs pages of a table. Of a value that is larger than the engine can read, or a blob that takes long to read, a page says only what and how
// large it is.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';

/** A page never exceeds this, whatever its rows hold; the window requests the rest. */
export const PAGE_BYTES = 32 * 1024 * 1024;
/**
 * `value`: the native engine reads none of 512 MB, which is the longest string of V8. `blob`: SQLite reads a value as a whole, whatever is
 * wanted of it, and the first bytes of a blob are seldom shown. Those of a text are.
 */
const LONGEST = { value: 500_000_000, blob: 32_000_000 };
/** Columns of tables that had such a value. To look for them in each page would take time for all the others. */
const withLong = new WeakSet<readonly string[]>();

export interface PageQuery {
  /** The same object for each page of a table. */
  readonly columns: readonly string[];
  /** From FROM on. */
  readonly tail: string;
  /** Parameters of each run of the query: their rows are one page together. */
  readonly bindings: readonly (readonly Value[])[];
  /** The most that are wanted. */
  readonly rows: number;
}

export function packPage(connection: Connection, query: PageQuery, longest = LONGEST): PackedRows {
  const { columns } = query;
  if (withLong.has(columns)) return withoutLongest(connection, query, longest);
  try {
    const page = packed(connection, quoteNames(columns), columns.length, query);
    // On a server the row has been paid for.
    if (connection.isMetered === true || !hasLongBlob(page, longest.blob)) return page;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too-big') throw error;
  }
  const page = withoutLongest(connection, query, longest);
  withLong.add(columns);
  return page;
}

function hasLongBlob(page: PackedRows, longBytes: number): boolean {
  const { types, columnCount } = page;
  if (!types.includes(CellType.blobPreview)) return false;
  const cells = new PackedRowsReader(page);
  return types.some(
    (type, at) =>
      type === CellType.blobPreview && cells.sizeBytes(Math.floor(at / columnCount), at % columnCount) > longBytes,
  );
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
function withoutLongest(connection: Connection, query: PageQuery, longest: typeof LONGEST): PackedRows {
  const { columns } = query;
  const isLong = columns
    .map(quoteName)
    .map((name) => `octet_length(${name}) > iif(typeof(${name}) = 'blob', ${longest.blob}, ${longest.value})`);
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

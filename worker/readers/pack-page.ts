// Packs pages of a table. For a value that is larger than the engine can read, or a blob that takes long to read, a page gives only its
// type and size.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteNames, quoteName } from '../sql/quote.ts';

// Reads rows without their longest values, of which it reads only type and length. SQLite knows both without reading the value.

/** The native engine reads no value of 512 MB, which is the longest string of V8. */
export const LONGEST_VALUE = 500_000_000;

/** Longest values to read, in bytes. */
interface Longest {
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

/** A page never exceeds this, whatever its rows hold; the window requests the rest. */
export const PAGE_BYTES = 32 * 1024 * 1024;
/** SQLite reads a value whole, even for its first bytes. The beginning of a blob is seldom shown, the beginning of a text is. */
const LONGEST: Longest = { value: LONGEST_VALUE, blob: 32_000_000 };
/** Columns of tables in which a value that is too long was found. To look for such values in each page would slow down all other tables. */
const withLong = new WeakSet<readonly string[]>();

interface PageQuery {
  /** Must be the same object for each page of a table. */
  readonly columns: readonly string[];
  /** The query starting with FROM. */
  readonly tail: string;
  /** Parameters of each run of the query: their rows are one page together. */
  readonly bindings: readonly (readonly Value[])[];
  readonly rows: number;
}

export function packPage(connection: Connection, query: PageQuery, longest = LONGEST): PackedRows {
  const { columns } = query;
  if (withLong.has(columns)) return withoutLongest(connection, query, longest);
  try {
    const page = packed(connection, quoteNames(columns), columns.length, query);
    // The row on a server has already been paid for.
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

function withoutLongest(connection: Connection, query: PageQuery, longest: Longest): PackedRows {
  const { columns } = query;
  const wide = packed(connection, shortList(columns, longest), columns.length * 3, query);
  const writer = new PackedRowsWriter(columns.length, { expectedRows: Math.max(1, wide.rowCount) });
  copyShort(wide, writer);
  return writer.finish();
}

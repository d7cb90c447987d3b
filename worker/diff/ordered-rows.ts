// The rows of a table one block after another, in an order that does not depend on where they are in the file, with the bytes of their texts.
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, RowScan, Statement } from '../engines/engine.ts';
import { Cells } from '../export/cells.ts';
import { isUtf8 } from '../schema/row-order.ts';
import { MAX_RESULT_COLUMNS } from '../schema/table-shape.ts';

/** Which rows are read. All names are quoted. */
export interface RowsQuery {
  readonly from: string;
  readonly columns: readonly string[];
  readonly orderBy: string;
  readonly filter?: RowsFilter;
}

/** Only the rows for which this is true. */
export interface RowsFilter {
  /** @param key the first of the columns, which is the key */
  readonly condition: (key: string) => string;
  readonly params: readonly Value[];
}

/** A block of rows, read as numbers and bytes while it is compared, and as values where it differs. */
export class RowBlock {
  readonly rows: PackedRows;
  readonly cells: Cells;
  readonly #reader: PackedRowsReader;

  constructor(rows: PackedRows) {
    this.rows = rows;
    this.cells = new Cells(rows);
    this.#reader = new PackedRowsReader(rows);
  }

  value(row: number, column: number): Value {
    return this.#reader.value(row, column);
  }
}

/** A block has no more, unless a single row does. */
const MAX_BYTES = 4 << 20;
/** U+FFFD in UTF-8. */
const REPLACEMENT = [0xef, 0xbf, 0xbd] as const;

export class OrderedRows {
  readonly #connection: Connection;
  readonly #query: RowsQuery;
  #reading: RowScan;
  #isExact = false;
  #rows = 0;
  #hasMore = true;

  constructor(connection: Connection, query: RowsQuery) {
    this.#connection = connection;
    this.#query = query;
    this.#reading = (query.filter ? null : connection.scan?.(query)) ?? this.#select(query.columns);
  }

  /** Returns the next rows, at most `maxRows`, or null at the end. */
  read(maxRows: number): RowBlock | null {
    if (!this.#hasMore) return null;
    let rows = this.#pack(maxRows);
    if (!this.#isExact && holdsReplacement(rows.heap) && this.#hasExactTexts()) {
      this.#readExactly();
      rows = this.#pack(maxRows);
    }
    this.#rows += rows.rowCount;
    return rows.rowCount === 0 ? null : new RowBlock(rows);
  }

  close(): void {
    this.#reading.finalize();
  }

  /** The bytes of a text in UTF-16 are not those of its characters in UTF-8, which everything here is compared by. */
  #hasExactTexts(): boolean {
    return this.#query.columns.length * 2 <= MAX_RESULT_COLUMNS && isUtf8(this.#connection);
  }

  #pack(maxRows: number): PackedRows {
    const writer = new PackedRowsWriter(this.#reading.columnCount, { previewBytes: Infinity });
    this.#hasMore = this.#reading.pack(writer, { maxRows, maxBytes: MAX_BYTES });
    const rows = writer.finish();
    return this.#isExact ? withTexts(rows) : rows;
  }

  /**
   * The native engine reads U+FFFD for bytes that are not UTF-8, so two texts that differ could look the same. From here on, they are read
   * as the bytes that they are.
   */
  #readExactly(): void {
    const { columns } = this.#query;
    this.#reading.finalize();
    const list = columns.map((name) => `CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END, typeof(${name}) = 'text'`); // prettier-ignore
    this.#reading = this.#select(list);
    this.#isExact = true;
  }

  /** From the first row that has not been read. */
  #select(list: readonly string[]): Statement {
    const { from, columns, orderBy, filter } = this.#query;
    const where = filter ? ` WHERE ${filter.condition(columns[0]!)}` : '';
    const rest = this.#rows > 0 ? ` LIMIT -1 OFFSET ${this.#rows}` : '';
    const statement = this.#connection.prepare(`SELECT ${list.join(', ')} FROM ${from}${where} ORDER BY ${orderBy}${rest}`); // prettier-ignore
    if (filter) statement.bind(filter.params);
    return statement;
  }
}

function holdsReplacement(bytes: Uint8Array): boolean {
  const [first, second, third] = REPLACEMENT;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (bytes[at + 1] === second && bytes[at + 2] === third) return true;
  return false;
}

/** Each column is followed by one that says whether its bytes are a text. */
function withTexts({ rowCount, columnCount, types, slots, heap }: PackedRows): PackedRows {
  const width = columnCount / 2;
  const values = new BigInt64Array(slots);
  const flags = new Float64Array(slots);
  const exact = { types: new Uint8Array(rowCount * width), slots: new BigInt64Array(rowCount * width) };
  for (let cell = 0; cell < exact.types.length; cell++) {
    exact.types[cell] = flags[cell * 2 + 1] === 1 ? CellType.text : types[cell * 2]!;
    exact.slots[cell] = values[cell * 2]!;
  }
  return { rowCount, columnCount: width, types: exact.types, slots: exact.slots.buffer, heap };
}

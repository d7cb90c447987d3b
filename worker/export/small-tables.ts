// The rows of small tables, read together: to prepare and end a statement for each takes several times as long as reading its few rows.
import { toAppError } from '#shared/protocol/errors.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Connection } from '../engines/engine.ts';
import type { TableShape } from '../schema/table-shape.ts';
import type { TableShapes } from '../schema/table-shapes.ts';
import { Cells } from './cells.ts';

/** Tables of one statement, each a part of a compound SELECT (sqlite.org/limits.html#max_compound_select). */
const TOGETHER = 64;
/** A table with more rows is read by a statement of its own. */
const MOST_ROWS = 64;
/** Rows of all tables of a statement have as many columns as the widest. */
const MOST_COLUMNS = 40;
const MOST_BYTES = 1 << 20;

/** How one table is read: {@link storedRows}. */
interface StoredRows {
  readonly names: readonly string[];
  readonly sql: string;
}

/** All rows of one table: those from `from` up to `to`, whose first cells are its columns. */
export interface SmallRows {
  readonly cells: Cells;
  readonly from: number;
  readonly to: number;
}

interface Member {
  readonly shape: TableShape;
  readonly stored: StoredRows;
}

export class SmallTables {
  readonly #connection: Connection;
  readonly #shapes: TableShapes;
  readonly #names: readonly string[];
  readonly #storedRows: (shape: TableShape) => StoredRows;
  #at = 0;
  /** Shapes of the tables that come next. */
  #known = new Map<string, TableShape>();
  /** Null until one of these tables is asked for. */
  #rows: ReadonlyMap<string, SmallRows> | null = null;
  #members: readonly Member[] = [];

  /** @param names in the order in which they will be asked for */
  constructor(
    connection: Connection,
    shapes: TableShapes,
    names: readonly string[],
    storedRows: (shape: TableShape) => StoredRows,
  ) {
    this.#connection = connection;
    this.#shapes = shapes;
    this.#names = names;
    this.#storedRows = storedRows;
  }

  /** @throws AppError as {@link TableShapes.describe} does */
  describe(table: string): TableShape {
    if (!this.#known.has(table) && this.#names[this.#at] === table) this.#lookAhead();
    return this.#known.get(table) ?? this.#shapes.describe(table);
  }

  /** Null where they have to be read by a statement of their own. */
  rowsOf(table: string): SmallRows | null {
    if (!this.#known.has(table)) return null;
    this.#rows ??= this.#read();
    return this.#rows.get(table) ?? null;
  }

  #lookAhead(): void {
    const names = this.#names.slice(this.#at, this.#at + TOGETHER);
    this.#at += names.length;
    this.#known = new Map();
    this.#rows = null;
    for (const name of names) {
      try {
        this.#known.set(name, this.#shapes.describe(name));
      } catch {
        // It fails again when it is asked for.
      }
    }
    this.#members = [...this.#known.values()]
      .filter(({ kind }) => kind === 'table')
      .map((shape) => ({ shape, stored: this.#storedRows(shape) }))
      .filter(({ stored }) => stored.names.length > 0 && stored.names.length <= MOST_COLUMNS);
  }

  #read(): ReadonlyMap<string, SmallRows> {
    const members = this.#members;
    // Each row of a server is paid for.
    if (this.#connection.isMetered === true || members.length < 2) return new Map();
    try {
      return this.#readTogether(members);
    } catch (error) {
      if (toAppError(error).code === 'stopped') throw error;
      return new Map(); // the statement of the table that is at fault says why
    }
  }

  #readTogether(members: readonly Member[]): ReadonlyMap<string, SmallRows> {
    const width = Math.max(...members.map(({ stored }) => stored.names.length));
    const parts = members.map(({ stored: { names, sql } }, at) => {
      const padding = ', NULL'.repeat(width - names.length);
      return `SELECT *${padding}, ${at} FROM (${sql} LIMIT ${MOST_ROWS + 1})`;
    });
    const statement = this.#connection.prepare(parts.join(' UNION ALL '));
    const writer = new PackedRowsWriter(width + 1, { previewBytes: Infinity });
    let isCut: boolean;
    try {
      isCut = statement.pack(writer, { maxRows: members.length * (MOST_ROWS + 1) + 1, maxBytes: MOST_BYTES });
    } finally {
      statement.finalize();
    }
    const cells = new Cells(writer.finish());
    // They are counted with the rows of each table.
    return cells.replacedTexts > 0 ? new Map() : rowsByTable(members, cells, isCut);
  }
}

function rowsByTable(members: readonly Member[], cells: Cells, isCut: boolean): ReadonlyMap<string, SmallRows> {
  const tables = new Map<string, SmallRows>();
  let row = 0;
  for (const [at, { shape }] of members.entries()) {
    const from = row;
    while (row < cells.rowCount && cells.float((row + 1) * cells.columnCount - 1) === at) row++;
    // What comes after it may not have been read.
    if (isCut && row === cells.rowCount) break;
    if (row - from <= MOST_ROWS) tables.set(shape.name, { cells, from, to: row });
  }
  return tables;
}

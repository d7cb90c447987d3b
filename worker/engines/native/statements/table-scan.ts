// Reads a table without an object for each row: SQLite passes the values of each row to a function, as a condition that is never true, and
// the statement returns only where the function says so. An iterator of better-sqlite3 takes half as long again.
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { ClockReads } from '../../clock-reads.ts';
import type { Connection, RowScan, Statement, TableRows } from '../../engine.ts';
import type { Database } from '../runtime/load.ts';
import type { NativeValue } from './binding.ts';
import { packRow } from './row.ts';

const FUNCTION = 'sidelite_take_row';
/** SQLite passes at most 1,000 values to a function. With as many, the calls no longer matter. */
const MAX_COLUMNS = 100;

/** True: the statement has to return. */
type TakeRow = (row: readonly NativeValue[]) => boolean;

export class TableScans {
  readonly #connection: Pick<Connection, 'all' | 'prepare'>;
  /** Set while a scan is stepped. */
  #take: TakeRow | null = null;

  constructor(connection: Pick<Connection, 'all' | 'prepare'>, db: Database) {
    this.#connection = connection;
    // Not available to schemas, so only our own statements call it during a step. From the user's SQL it does nothing.
    db.function(FUNCTION, { directOnly: true, safeIntegers: true, varargs: true }, (...row: NativeValue[]) => {
      if (this.#take === null) return null;
      return this.#take(row) ? 1 : 0;
    });
  }

  begin({ from, columns, orderBy }: TableRows): RowScan | null {
    if (columns.length > MAX_COLUMNS) return null;
    const order = orderBy === null ? '' : ` ORDER BY ${orderBy}`;
    const sql = `SELECT 1 FROM ${from} WHERE ${FUNCTION}(${columns.join(', ')})${order}`;
    // Rows that SQLite sorts would be passed to the function before. The plan of a single loop has one line, and a sort has its own.
    if (this.#connection.all(`EXPLAIN QUERY PLAN ${sql}`).length !== 1) return null;
    return new TableScan(this.#connection.prepare(sql), columns.length, (statement, take) => {
      this.#take = take;
      try {
        return statement.step();
      } finally {
        this.#take = null;
      }
    });
  }
}

class TableScan implements RowScan {
  readonly columnCount: number;
  readonly #statement: Statement;
  readonly #step: (statement: Statement, take: TakeRow) => boolean;
  readonly #clockReads = new ClockReads();

  constructor(statement: Statement, columnCount: number, step: (statement: Statement, take: TakeRow) => boolean) {
    this.#statement = statement;
    this.columnCount = columnCount;
    this.#step = step;
  }

  pack(
    writer: PackedRowsWriter,
    { maxRows, maxBytes = Infinity, deadlineMs = Infinity }: Parameters<RowScan['pack']>[1],
  ): boolean {
    const { columnCount } = this;
    let missing = maxRows;
    return this.#step(this.#statement, (row) => {
      packRow(row, columnCount, writer);
      if (--missing <= 0 || writer.sizeBytes >= maxBytes) return true;
      if (!this.#clockReads.isDue()) return false;
      const now = performance.now();
      this.#clockReads.noteRead(now);
      return now >= deadlineMs;
    });
  }

  finalize(): void {
    this.#statement.finalize();
  }
}

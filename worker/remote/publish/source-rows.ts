// The rows of a table of the source, with every value as it is stored: the bytes of a text also where they are not UTF-8.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../../engines/engine.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';
import type { PlannedTable } from './source-plan.ts';

/** SQLITE_MAX_COLUMN of a result: two for each value. */
const MAX_CAREFUL = 1000;

export class SourceRows {
  readonly #statement: Statement;
  readonly #columns: number;
  readonly #isCareful: boolean;

  /** @throws AppError as `prepare` */
  constructor(source: Connection, table: PlannedTable) {
    const { columns } = table;
    this.#columns = columns.length;
    // A cast to BLOB gives the bytes in the encoding of the database; a text in UTF-16 is UTF-8 once it has been read.
    this.#isCareful = columns.length <= MAX_CAREFUL && String(source.one('PRAGMA encoding')![0]) === 'UTF-8';
    this.#statement = source.prepare(
      this.#isCareful ? selectOf(table, columns.map(careful).join(', ')) : selectOf(table),
    );
  }

  skip(rows: number): void {
    for (let left = rows; left > 0 && this.#statement.step();) left--;
  }

  next(): readonly Value[] | null {
    const statement = this.#statement;
    if (!statement.step()) return null;
    const row: Value[] = [];
    for (let column = 0; column < this.#columns; column++) {
      if (!this.#isCareful) row.push(statement.value(column));
      else {
        const value = statement.value(2 * column);
        row.push(statement.value(2 * column + 1) === 1 ? { textBytes: value as Uint8Array } : value);
      }
    }
    return row;
  }

  close(): void {
    this.#statement.finalize();
  }
}

function careful(column: string): string {
  const name = quoteName(column);
  return `CASE WHEN typeof(${name}) = 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END, typeof(${name}) = 'text'`;
}

/** All rows, in the order in which they are sent and read back. */
export function selectOf({ name, columns, byKey, orderBy }: PlannedTable, list = quoteNames(columns)): string {
  return `SELECT ${list} FROM main.${quoteName(name)}${byKey === null ? orderBy : ` ORDER BY ${byKey.order.orderBy}`}`;
}

// Reads the rows of a table back from the server, by key sets, in the order in which they were sent.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../../engines/engine.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import type { RowDigest } from './row-digest.ts';
import type { PlannedTable } from './source-plan.ts';
import { quoteName, quoteNames } from '../../sql/quote.ts';

const PAGE_BYTES = 1 << 20;
const PAGE_ROWS = 4000;

/**
 * @param look called after each page; what it throws ends the work
 * @throws AppError
 */
export function* readBack(
  { connection }: Turn,
  table: PlannedTable,
  digest: RowDigest,
  look: () => void,
): Generator<Pause, void> {
  if (table.byKey === null) return yield* readAll(connection, table, digest, look);
  const { order, places } = table.byKey;
  const rows = pageRowsOf(table);
  for (let last: readonly Value[] | null = null; ;) {
    const key: readonly Value[] | null = last && places.map((place) => last![place]!);
    const page = connection.all(
      pageOf(table, order.orderBy, key && order.after.sql, rows),
      key ? order.after.params(key) : [],
    );
    for (const row of page) digest.add(row);
    look();
    yield 'between';
    if (page.length < rows) return;
    last = page.at(-1)!;
  }
}

/** The number of rows whose reply is about a megabyte. */
function pageRowsOf({ rows, bytes, columns }: PlannedTable): number {
  const each = bytes === null ? columns.length * 16 : bytes / Math.max(rows, 1) + columns.length * 16;
  return Math.max(1, Math.min(PAGE_ROWS, Math.floor(PAGE_BYTES / each)));
}

function pageOf(table: PlannedTable, orderBy: string, after: string | null, rows: number): string {
  const all = selectOf(table);
  const tail = ` ORDER BY ${orderBy}`;
  const from = all.slice(0, all.length - tail.length);
  return `${from}${after === null ? '' : ` WHERE ${after}`}${tail} LIMIT ${rows}`;
}

/** Rows without a key, and those of virtual tables, which cannot be entered in the middle. */
function* readAll(
  connection: Connection,
  table: PlannedTable,
  digest: RowDigest,
  look: () => void,
): Generator<Pause, void> {
  const statement = connection.prepare(selectOf(table));
  const columns = table.columns.map((_, at) => at);
  try {
    while (statement.step()) {
      digest.add(columns.map((column) => statement.value(column)));
      if (digest.rows % PAGE_ROWS !== 0) continue;
      look();
      yield 'reading';
    }
    look();
  } finally {
    statement.finalize();
  }
}

// The rows of a table of the source, with every value as it is stored: the bytes of a text also where they are not UTF-8.

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
function selectOf({ name, columns, byKey, orderBy }: PlannedTable, list = quoteNames(columns)): string {
  return `SELECT ${list} FROM main.${quoteName(name)}${byKey === null ? orderBy : ` ORDER BY ${byKey.order.orderBy}`}`;
}

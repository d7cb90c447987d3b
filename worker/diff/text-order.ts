// Rows of a database whose texts are UTF-16 are sorted by other bytes than those of UTF-8: they are copied before they are merged.
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { isUtf8, orderBy } from '../schema/row-order.ts';
import type { RowOrder } from '../schema/row-order.ts';
import type { RowsQuery } from './ordered-rows.ts';

const ROWS_A_STEP = 256;

export interface OrderedQuery {
  readonly connection: Connection;
  readonly query: RowsQuery;
}

/** Returns what to read to get the rows of `query` in the order of UTF-8. @yields now and then */
export function* textOrder(
  connection: Connection,
  table: RowOrder,
  query: RowsQuery,
  scratch: () => Connection,
): Generator<number, OrderedQuery, undefined> {
  if (table.isRowid || isUtf8(connection)) return { connection, query };
  const copy = scratch();
  const [[number]] = copy.all('SELECT count(*) FROM sqlite_schema') as [[number]];
  const name = quoteName(`rows ${number}`);
  const columns = query.columns.map((_, at) => `c${at}`);
  copy.run(`CREATE TABLE ${name} (${columns.join(', ')})`);
  yield* copyRows(connection, query, copy, `INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`);
  return { connection: copy, query: { from: name, columns, orderBy: orderBy(table, columns) } };
}

function* copyRows(
  from: Connection,
  { columns, from: table }: RowsQuery,
  to: Connection,
  into: string,
): Generator<number, void> {
  const reading = from.prepare(`SELECT ${columns.join(', ')} FROM ${table}`);
  const writing = to.prepare(into);
  to.run('BEGIN');
  try {
    for (let seen = 1; reading.step(); seen++) {
      writing.bind(columns.map((_, at) => reading.value(at)));
      writing.step();
      writing.reset();
      if (seen % ROWS_A_STEP === 0) yield 0;
    }
    to.run('COMMIT');
  } finally {
    reading.finalize();
    writing.finalize();
    if (!to.autocommit) to.run('ROLLBACK');
  }
}

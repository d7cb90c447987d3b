// The first sample rows as they will be stored: inserted into the table itself, read, and rolled back.
import { AppError, whatHappened } from '#shared/protocol/errors.ts';
import type { SamplePlan, SamplePreview } from '#shared/protocol/sample-rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { SampleValue } from '#shared/sample-rows/values.ts';
import type { Connection } from '../engines/engine.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import type { TableShape } from '../schema/table-shape.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { readFacts } from './read-facts.ts';
import { SampleInsert, type Rejected } from './sample-insert.ts';

/** @throws AppError `invalid`, `not-found` */
export function previewSampleRows(connection: Connection, plan: SamplePlan, maxRows: number): SamplePreview {
  assertNoTransaction(connection);
  connection.run('BEGIN IMMEDIATE');
  let insert: SampleInsert | null = null;
  try {
    const table = readFacts(connection, plan.table);
    insert = new SampleInsert(connection, plan, table);
    const columns = table.shape.columns.map(({ name }) => name);
    const rows: (readonly Value[])[] = [];
    let problem: string | null = null;
    for (let row = 0; row < Math.min(plan.rows, maxRows) && problem === null; row++) {
      const before = insert.inserted;
      const attempt = insertOne(insert, row);
      if (typeof attempt === 'string') problem = attempt;
      else if (insert.inserted > before) {
        const stored = storedRow(connection, table.shape, insert.columns, insert.values(row, attempt));
        if (stored) rows.push(stored);
      }
    }
    return { columns, rows, problem };
  } finally {
    insert?.close();
    if (!connection.autocommit) connection.run('ROLLBACK');
  }
}

/** Returns the attempt that succeeded, or why none did. */
function insertOne(insert: SampleInsert, row: number): number | string {
  const rejected: Rejected[] = [];
  insert.add(row, 0);
  insert.run(0, Infinity, rejected);
  if (rejected.length === 0) return 0;
  const before = insert.repeated;
  try {
    for (const _ of insert.repeat(rejected));
    return insert.repeated - before;
  } catch (error) {
    if (error instanceof AppError && error.code === 'constraint') return whatHappened(error);
    throw error;
  }
}

/** The stored row, found by its row id or the values of its primary key. */
function storedRow(
  connection: Connection,
  { name, key, columns }: TableShape,
  written: readonly string[],
  values: readonly SampleValue[],
): readonly Value[] | null {
  const select = `SELECT ${quoteNames(columns.map((column) => column.name))} FROM main.${quoteName(name)}`;
  if (key.kind === 'rowid')
    return connection.one(`${select} WHERE ${quoteName(key.name)} = ?`, [connection.lastInsertRowid]);
  const by = key.kind === 'primary-key' ? key.columns.map((column) => column.name) : written;
  const known = by.filter((column) => written.includes(column));
  return connection.one(
    `${select} WHERE ${known.map((column) => `${quoteName(column)} IS ?`).join(' AND ')} LIMIT 1`,
    known.map((column) => values[written.indexOf(column)]!),
  );
}

// Decides which SQL can be live: one statement that reads rows of the database and does nothing else.
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { refuseOtherDatabases } from '../readers/query-program.ts';
import { ReadSet } from '../readers/read-set.ts';
import type { ReaderLayout } from '../readers/reader.ts';
import type { SpooledQuery } from '../readers/query-run.ts';
import { leadingKeyword } from '#shared/split-statements.ts';

const SELECTING_WORDS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES']);

/** The query, if the statement reads rows of the database and does nothing else; otherwise null. */
export function selectOf(
  connection: Connection,
  statement: Statement,
  sql: string,
  params: readonly Value[] = [],
): SpooledQuery | null {
  const selects = statement.readonly && statement.columnCount > 0 && SELECTING_WORDS.has(leadingKeyword(sql));
  return selects ? { sql, params, reads: new ReadSet(connection, sql, params) } : null;
}

/** @throws AppError `sql`, or `invalid` when `sql` cannot be live */
export function planSelect(
  connection: Connection,
  sql: string,
  params: readonly Value[],
): { readonly query: SpooledQuery; readonly layout: ReaderLayout } {
  const statement = connection.prepare(sql);
  try {
    const query = selectOf(connection, statement, sql, params);
    if (!query) throw AppError.invalid('Only a single SELECT can be live.');
    refuseOtherDatabases(connection, sql, params);
    return { query, layout: layoutOfResult(statement.columns) };
  } finally {
    statement.finalize();
  }
}

export function layoutOfResult(columns: readonly ResultColumn[]): ReaderLayout {
  const why = 'Rows of a query result cannot be edited here. Open the table to edit them.';
  return { columns, hiddenColumns: 0, key: { kind: 'none', columns: [], why } };
}

// Changes of many cells while changes are held: the statement is tried on top of the held changes, and its effect is held.
import { client } from '../../../connection/database-client.ts';
import { notify } from '../../../state/store.ts';
import { pendingChanges } from '../../../workbench/held/held-changes.ts';
import type { HeldTable } from '../../../workbench/held/held-changes.ts';
import { changeSql } from '../../../workbench/held/held-sql.ts';
import { heldOf, hold, untilHeld } from '../../../workbench/held/held-store.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { keyNamesOf } from '../../../workbench/rows/key-names.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import { MAX_ROWS_A_COMMAND } from '../selected-rows.ts';
import type { BulkStatement } from './cell-changes.ts';

/** @param columns that the statement sets. Rows that wait to be added stay unchanged. @throws AppError; nothing is held then */
export const holdStatement = (
  source: TableSource,
  statement: BulkStatement,
  columns: readonly string[],
): Promise<void> => untilHeld(source.database, runAndHold(source, statement, columns));

async function runAndHold(
  source: TableSource,
  { sql, parameters }: BulkStatement,
  columns: readonly string[],
): Promise<void> {
  const { database, detail } = source;
  const tables = heldOf(database)?.tables ?? new Map<string, HeldTable>();
  const before = pendingChanges(tables)
    .filter(({ change }) => change.table === detail.name && change.kind !== 'insert')
    .map(({ change }) => changeSql(change, keyNamesOf(source)));
  const script = [...before, sql].join(';\n');
  const updates = await runJob(`Changing ${detail.name}`, ({ signal }) =>
    client.call(
      'dryRun.updates',
      { database, sql: script, parameters, table: detail.name, columns, maxRows: MAX_ROWS_A_COMMAND },
      { signal },
    ),
  );
  if (updates.length === 0) return notify({ tone: 'info', text: 'No cells would change.' });
  await hold(
    database,
    updates.map((update) => ({ table: detail.name, kind: 'update', ...update })),
  );
}

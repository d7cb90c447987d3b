// Changes of many cells while changes are held: the statement runs on top of what is held, in a transaction that is rolled back, and what it
// would change is held.
import type { DifferenceValue, RowDifference, TableChange, Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { notify } from '../../../state/store.ts';
import { plural } from '../../../ui/format.ts';
import { pendingChanges } from '../../../workbench/held/held-changes.ts';
import type { HeldChange, HeldTable } from '../../../workbench/held/held-changes.ts';
import { changeSql } from '../../../workbench/held/held-sql.ts';
import { heldOf, hold, untilHeld } from '../../../workbench/held/held-store.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { keyName } from '../../../workbench/rows/own-edits.ts';
import { keyNamesOf } from '../../../workbench/rows/key-names.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import { refused } from '../refused.ts';
import { MAX_ROWS_A_COMMAND } from '../selected-rows.ts';
import type { BulkStatement } from './cell-changes.ts';

const ROWS_A_READ = 500;

/** @param columns that the statement sets. Rows that wait to be added stay as they are. @throws AppError; nothing is held then */
export const holdStatement = (
  source: TableSource,
  statement: BulkStatement,
  columns: readonly string[],
): Promise<void> => untilHeld(runAndHold(source, statement, columns));

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
  const changes = await runJob(`Changing ${detail.name}`, async ({ signal }) => {
    const run = await client.call('dryRun.start', { database, sql: script, parameters, withoutUndo: true }, { signal });
    try {
      return await differences(source, new Set(columns), run.rows);
    } finally {
      await client.call('dryRun.finish', { database, keep: false });
    }
  });
  if (changes.length === 0) return notify({ tone: 'info', text: 'No cells would change.' });
  await hold(database, changes);
}

interface Touched {
  readonly key: readonly Value[];
  readonly base: Record<string, Value>;
  readonly columns: Set<string>;
}

/** The log says which cells were touched, and not always what they hold now: that is read in the open transaction. */
async function differences(
  source: TableSource,
  columns: ReadonlySet<string>,
  rowsChanged: number,
): Promise<readonly HeldChange[]> {
  const { database, detail } = source;
  const touched = new Map<string, Touched>();
  for (let start = 0, total = 1; start < total; start += ROWS_A_READ) {
    const page = await client.call('dryRun.rows', { database, start, count: ROWS_A_READ });
    total = page.total;
    if (total === 0 && rowsChanged > 0)
      throw refused('The rows that would change cannot be listed right now. Nothing was changed. Try again.');
    if (total > MAX_ROWS_A_COMMAND)
      throw refused(
        `${plural(total, 'row')} would change, which is too many to hold. Nothing was changed. Select fewer rows.`,
      );
    for (const row of page.rows) if (row.table === detail.name && row.kind === 'updated') note(touched, row, columns);
  }
  const rows = [...touched.values()];
  const none = `none ${crypto.randomUUID()}`;
  const states = await client.call('edit.check', {
    database,
    changes: rows.map(({ key, columns: names }): TableChange => {
      const set = Object.fromEntries([...names].map((name) => [name, `${none} of these`]));
      const base = Object.fromEntries([...names].map((name) => [name, none]));
      return { table: detail.name, kind: 'update', key, set, base };
    }),
  });
  return rows.map(({ key, base }, at): HeldChange => {
    const state = states[at]!;
    if (state.kind !== 'conflict')
      throw refused('Keys of rows would change too, which cannot be held for many rows at once. Nothing was changed.');
    return { table: detail.name, kind: 'update', key, set: state.current, base };
  });
}

function note(
  touched: Map<string, Touched>,
  { key, columns, before }: RowDifference,
  wanted: ReadonlySet<string>,
): void {
  const name = keyName(key);
  const row = touched.get(name) ?? { key, base: {}, columns: new Set<string>() };
  columns.forEach((column, at) => {
    const then = before?.[at];
    if (then === undefined || !wanted.has(column)) return;
    // The first time, it is what is stored.
    if (!row.columns.has(column) && isWhole(then)) row.base[column] = then;
    row.columns.add(column);
  });
  if (row.columns.size > 0) touched.set(name, row);
}

const isWhole = (value: Exclude<DifferenceValue, undefined>): value is Value =>
  value === null || typeof value !== 'object' || !('preview' in value);

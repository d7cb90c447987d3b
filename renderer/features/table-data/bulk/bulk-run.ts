// Runs changes of many cells: as a dry run that the user decides about, or at once as one step that can be undone.
import { AppError, type RowChange, type Value } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import { activeRange, placesOf, rowsOf, type Interval } from '../../../grid/input/selection.ts';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import { formatCount, plural } from '../../../ui/format.ts';
import { assertNotHolding } from '../../../workbench/held/held-store.ts';
import { runJob } from '../../../workbench/jobs.ts';
import { keyNamesOf } from '../../../workbench/rows/key-names.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import { affinityOf } from '../../../workbench/cells/typed-value.ts';
import { keepPreview } from '../../../workbench/tabs/table.ts';
import { UndoWaiver } from '../../../workbench/history/undo-waiver.ts';
import { eachRow, MAX_ROWS_AT_ONCE, selectedRowCount, storedBounds } from '../selected-rows.ts';
import type { BulkStatement, ChangedCells } from './cell-changes.ts';
import { jsonRow } from './json-values.ts';
import { manyChanges } from './many-changes.ts';

export interface SelectedBlock {
  readonly rows: Interval;
  /** Table columns, from left to right. */
  readonly columns: readonly number[];
}

/** The block, or a sentence why there is none. */
export function selectedBlock(grid: GridHandle): SelectedBlock | string {
  const range = activeRange(grid.selection);
  const bounds = storedBounds(grid);
  const rows = rowsOf(range, bounds);
  const count = rows.last - rows.first + 1;
  if (selectedRowCount(grid) !== count) return 'Select a single block of cells.';
  if (count > MAX_ROWS_AT_ONCE)
    return `Select at most ${formatCount(MAX_ROWS_AT_ONCE)} rows, or change all rows of the table.`;
  const places = placesOf(range, bounds);
  return { rows, columns: grid.columns.slice(places.first, places.last + 1) };
}

/** @throws AppError `refused` when a key cannot be passed, `stopped` */
export function readKeys(source: TableSource, grid: GridHandle, rows: Interval): Promise<string> {
  return runJob('Reading the selected rows', async ({ signal, onChunk }) => {
    const keys: string[] = [];
    const total = rows.last - rows.first + 1;
    await eachRow(source, grid, [rows], (key) => {
      if (signal.aborted) throw AppError.stopped('Stopped. Nothing was changed.');
      keys.push(jsonKey(key));
      if (keys.length % 1000 === 0) onChunk({ phase: 'Reading', done: keys.length, total, unit: 'rows' });
    });
    return `[${keys.join(',')}]`;
  });
}

function jsonKey(key: readonly Value[]): string {
  const row = jsonRow(key);
  if (row !== null) return row;
  throw AppError.refused('The key of one of these rows is a blob. Use an SQL statement to change the row.');
}

/** @param keys null for all rows of the table */
export const changedCells = (source: TableSource, columns: readonly number[], keys: string | null): ChangedCells => ({
  table: source.detail.name,
  key: keyNamesOf(source),
  keys,
  columns: columns.map((column) => {
    const declaration = source.declaration(column);
    return {
      name: source.columns[column]!.name,
      defaultSql: declaration?.defaultSql ?? null,
      affinity: affinityOf(declaration?.declaredType ?? '', source.detail.strict),
    };
  }),
});

/** Makes one transaction, and one step that can be undone, with its title. Returns the number of changed rows. @throws AppError; nothing was changed */
export async function runAtOnce(
  { database, detail }: TableSource,
  { job, title }: { readonly job: string; readonly title: string },
  statement: BulkStatement,
): Promise<number> {
  await assertNotHolding(database);
  keepPreview(database, detail.name);
  return runJob(job, async ({ signal }) => {
    const reply = await new UndoWaiver().run((withoutUndo) =>
      client.call('dryRun.start', { database, title, ...statement, ...withoutUndo, keep: true }, { signal }),
    );
    return reply.rows;
  });
}

/** @throws AppError; nothing was changed then */
export async function applyMany(source: TableSource, changes: readonly RowChange[]): Promise<void> {
  const statement = await manyChanges(
    changes,
    {
      table: source.detail.name,
      key: keyNamesOf(source),
      defaultOf: (name) => source.detail.columns.find((column) => column.name === name)?.defaultSql ?? null,
    },
    () => new Promise((resolve) => setTimeout(resolve)),
  );
  const rows = plural(changes.length, 'row');
  const { name } = source.detail;
  const deletes = changes.every(({ kind }) => kind === 'delete');
  const title = deletes ? `Delete ${rows} from ${name}` : `Change ${rows} of ${name}`;
  await runAtOnce(source, { job: `Changing ${rows} of ${name}`, title }, statement);
}

// What people do to whole rows and to several cells at once: each is one transaction.
import type { RowChange } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { isUndoable, offerUndo } from '../../workbench/history.ts';
import { confirm, notify, prompt } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { whyColumnIsFixed, whyRowsAreFixed } from './edit-session.ts';
import {
  MAX_ROWS_A_COMMAND,
  selectedCellChanges,
  selectedIntervals,
  selectedKeys,
  selectedRowCount,
} from './selected-rows.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

/** Keys are read before the user is asked, so that the answer applies to the same rows even if they move. */
export async function deleteRows(source: TableSource, grid: GridHandle): Promise<void> {
  await guarded(source, grid, async () => {
    const keys = await selectedKeys(source, grid);
    const body = `They are deleted from ${source.detail.name} in one transaction.`;
    const question = { title: `Delete ${plural(keys.length, 'row')}?`, body, confirmLabel: 'Delete', danger: true };
    const asks = keys.length > 1 && !isUndoable(source.database);
    if (asks && !(await confirm(question))) return;
    const first = selectedIntervals(grid)[0]?.first ?? 0;
    await applyChanges(
      source,
      keys.map((key) => ({ kind: 'delete', key })),
    );
    grid.goTo(Math.max(0, Math.min(first, grid.bounds.rows - 1)));
    await offerUndo(source.database, `Deleted ${plural(keys.length, 'row')} of ${source.detail.name}.`);
  });
}

export async function duplicateRows(source: TableSource, grid: GridHandle): Promise<void> {
  await guarded(source, grid, async () => {
    const keys = await selectedKeys(source, grid);
    const copies = await applyChanges(
      source,
      keys.map((key) => ({ kind: 'duplicate', key })),
    );
    const last = copies.at(-1);
    const position = last ? await source.find(last) : null;
    if (position !== null) grid.goTo(position);
    else
      notify({
        tone: 'success',
        text: `${plural(copies.length, 'row')} added. The current filter hides them.`,
      });
  });
}

export async function setNull(source: TableSource, grid: GridHandle): Promise<void> {
  await guarded(source, grid, async () => {
    const refusal = whyColumnIsFixed(source, grid.cursor.column);
    if (refusal) return notify({ tone: 'info', text: refusal });
    const changes = await selectedCellChanges(source, grid, (column, storageClass) =>
      storageClass !== 'null' && whyColumnIsFixed(source, column) === null ? null : undefined,
    );
    const body = 'Existing values are replaced in one transaction.';
    const question = {
      title: `Set cells of ${plural(changes.length, 'row')} to NULL?`,
      body,
      confirmLabel: 'Set to NULL',
      danger: true,
    };
    if (changes.length === 0) return;
    if (changes.length > 1 && !isUndoable(source.database) && !(await confirm(question))) return;
    await applyChanges(source, changes);
    if (changes.length > 1) await offerUndo(source.database, `Set cells of ${plural(changes.length, 'row')} to NULL.`);
  });
}

export async function goToRow(grid: GridHandle): Promise<void> {
  const count = grid.bounds.rows;
  const answer = await prompt({
    title: 'Go to row',
    label: `Row number, 1 to ${formatCount(count)}`,
    value: String(grid.cursor.row + 1),
    confirmLabel: 'Go',
    validate: (text) => (rowNumber(text, count) === null ? `Enter a number from 1 to ${formatCount(count)}.` : null),
  });
  const row = answer === null ? null : rowNumber(answer, count);
  if (row === null) return;
  grid.goTo(row - 1);
  grid.focus();
}

function rowNumber(text: string, count: number): number | null {
  const digits = text.replace(/[\s,.]/g, '');
  const row = /^\d+$/.test(digits) ? Number(digits) : 0;
  return row >= 1 && row <= count ? row : null;
}

export async function applyChanges(
  source: TableSource,
  changes: readonly RowChange[],
): Promise<readonly (readonly Value[])[]> {
  const reply = await client.call('edit.apply', { database: source.database, table: source.detail.name, changes });
  return reply.keys.filter((key) => key !== null);
}

/** Refuses in words what cannot be done to these rows, and tells what failed. */
async function guarded(source: TableSource, grid: GridHandle, work: () => Promise<void>): Promise<void> {
  const count = selectedRowCount(grid);
  const why = whyRowsAreFixed(source);
  if (why !== null) return notify({ tone: 'info', text: why });
  if (count === 0) return;
  if (count > MAX_ROWS_A_COMMAND) {
    const text = `${formatCount(count)} rows are too many for one step here. Select at most ${formatCount(MAX_ROWS_A_COMMAND)}, or use an SQL statement.`;
    return notify({ tone: 'info', text });
  }
  try {
    await work();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

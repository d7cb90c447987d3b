// Actions on whole rows and on several cells at once: each is one transaction.
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { RowChange, StorageClass, Value, DatabaseId } from '#shared/protocol/index.ts';
import { notifyFailure } from '../../state/databases.ts';
import { isUndoable, offerUndo } from '../../workbench/history/history.ts';
import { asHeld, type HeldChange } from '../../workbench/held/held-changes.ts';
import { assertNotHolding, hold, isHolding, newRowId, saveChanges } from '../../workbench/held/held-store.ts';
import { confirm, notify, prompt, useStore } from '../../state/store.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { applyMany, changedCells, readKeys, runAtOnce, selectedBlock, type SelectedBlock } from './bulk/bulk-run.ts';
import { changeStatement } from './bulk/cell-changes.ts';
import { valueFromText, whyColumnIsFixed, whyRowsAreFixed } from '../../workbench/rows/edit-session.ts';
import {
  eachRow,
  MAX_ROWS_A_COMMAND,
  MAX_ROWS_AT_ONCE,
  selectedCellChanges,
  selectedIntervals,
  selectedKeys,
  selectedNewCells,
  selectedNewRows,
  selectedRowCount,
} from './selected-rows.ts';
import { emptiedValue } from '../../workbench/cells/emptied-value.ts';
import { visibleName } from '#shared/visible-text.ts';
import { byName } from '#shared/by-name.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { readShown } from '../../grid/rows/read-shown.ts';
import { countOf, selectedRows } from '../../grid/input/selection.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { openReferring } from '../../workbench/relations/related-counts.ts';

/** Row commands while changes are held: copies become new rows, and a fill becomes one change for each row. */
const tooManyToHold = (rows: number): AppError =>
  AppError.refused(
    `${formatCount(rows)} rows are too many to hold at once. The limit is ${formatCount(MAX_ROWS_A_COMMAND)}. Nothing was changed.`,
  );

/** Copies the selected rows, including those that wait to be added. */
async function holdCopies(source: TableSource, grid: GridHandle): Promise<void> {
  const intervals = selectedRows(grid.selection, grid.bounds);
  if (countOf(intervals) > MAX_ROWS_A_COMMAND) throw tooManyToHold(countOf(intervals));
  const copies: HeldChange[] = [];
  const seen = grid.seenIn(intervals);
  for (const { first, last } of intervals) {
    for (const row of await readShown(source, first, last - first + 1, seen)) {
      const set = await valuesOf(source, row);
      copies.push({ table: source.detail.name, kind: 'insert', id: newRowId(), set });
    }
  }
  await hold(source.database, copies);
  grid.goTo(grid.storedRows + source.unsaved.added.length - 1);
}

/** Values for a copy of the row, without the columns that SQLite numbers itself. */
async function valuesOf(source: TableSource, { rows, index }: CachedRow): Promise<Readonly<Record<string, Value>>> {
  const set = byName<Value>();
  for (const [column, { name }] of source.columns.entries()) {
    if (whyColumnIsFixed(source, column) !== null || source.isNumberedBySqlite(column)) continue;
    const packed = column + source.hiddenColumns;
    set[name] = rows.isPreview(index, packed)
      ? await source.readWhole({ position: -1, column, rows, index })
      : rows.value(index, packed);
  }
  return set;
}

/** Copies the cells of the first row of the block into the rows below it. */
async function holdFill(source: TableSource, grid: GridHandle, block: SelectedBlock): Promise<void> {
  const count = block.rows.last - block.rows.first + 1;
  if (count > MAX_ROWS_A_COMMAND) throw tooManyToHold(count);
  const found: { readonly key: readonly Value[]; readonly row: CachedRow }[] = [];
  await eachRow(source, grid, [block.rows], (key, rows, index) => found.push({ key, row: { rows, index } }));
  const [first, ...others] = found;
  if (!first) return;
  const values = await valuesOf(source, first.row);
  const names = block.columns.map((column) => source.columns[column]!.name);
  const changes = others.map(({ key, row: { rows, index } }): RowChange => {
    const base = byName<Value>();
    block.columns.forEach((column, at) => {
      const packed = column + source.hiddenColumns;
      if (!rows.isPreview(index, packed)) base[names[at]!] = rows.value(index, packed);
    });
    const set = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
    return { kind: 'update', key, set, base };
  });
  await hold(source.database, asHeld(source.detail.name, changes, newRowId));
}

/** Keys are read before the user is asked, so that the answer applies to the same rows even if they move. */
export async function deleteRows(source: TableSource, grid: GridHandle): Promise<void> {
  await guarded(source, grid, MAX_ROWS_AT_ONCE, async () => {
    const keys = await selectedKeys(source, grid);
    const { database, detail } = source;
    if (await isHolding(database)) {
      const table = detail.name;
      return hold(database, [
        ...keys.map((key): HeldChange => ({ table, kind: 'delete', key })),
        ...selectedNewRows(source, grid).map((id): HeldChange => ({ table, kind: 'drop', id })),
      ]);
    }
    const question = {
      title: `Delete ${plural(keys.length, 'row')} of ${source.detail.name}?`,
      body: 'The rows are deleted in one transaction.',
      asks: 'confirm.changes',
      confirmLabel: 'Delete',
      danger: true,
    } as const;
    const asks = keys.length > 1 && !isUndoable(source.database);
    if (asks && !(await confirm(question))) return;
    const first = selectedIntervals(grid)[0]?.first ?? 0;
    const remove = async (change: RowDeletion, others = ''): Promise<void> => {
      await applyChanges(
        source,
        keys.map((key) => ({ ...change, key })),
      );
      grid.goTo(Math.max(0, Math.min(first, grid.bounds.rows - 1)));
      await offerUndo(database, `Deleted ${plural(keys.length, 'row')} of ${detail.name}${others}.`);
    };
    try {
      await remove({ kind: 'delete' });
    } catch (thrown) {
      notifyReferring(database, thrown, async (others) => {
        await assertNotHolding(database);
        await remove({ kind: 'delete', withReferring: true }, ` and ${others}`);
      });
    }
  });
}

type RowDeletion = Omit<Extract<RowChange, { readonly kind: 'delete' }>, 'key'>;

export async function duplicateRows(source: TableSource, grid: GridHandle): Promise<void> {
  await guarded(source, grid, MAX_ROWS_A_COMMAND, async () => {
    const { database } = source;
    if (await isHolding(database)) return holdCopies(source, grid);
    const keys = await selectedKeys(source, grid);
    const copies = await applyChanges(
      source,
      keys.map((key) => ({ kind: 'duplicate', key })),
    );
    await showAdded(source, grid, copies.at(-1));
  });
}

/** Moves the cursor to the last row that was added, if the row is among those shown. @param key undefined: it is held, or not known */
export async function showAdded(
  source: TableSource,
  grid: GridHandle,
  key: readonly Value[] | undefined,
): Promise<void> {
  const last = grid.storedRows + source.unsaved.added.length - 1;
  const isHeld = key === undefined && source.unsaved.added.length > 0;
  const position = key ? await source.find(key) : isHeld ? last : null;
  if (position !== null) grid.goTo(position);
}

export async function setNull(source: TableSource, grid: GridHandle): Promise<void> {
  const asNull = (_column: number, storageClass: StorageClass): null | undefined =>
    storageClass === 'null' ? undefined : null;
  await guarded(source, grid, MAX_ROWS_AT_ONCE, async () => void (await setSelected(source, grid, asNull, 'to NULL')));
}

/**
 * Empties the cells that are selected now, once they are on the clipboard: NULL, or the default of a column that cannot be NULL. What can be
 * neither keeps its value, which the user is told.
 * @param isCopied resolves with false if the cells are not on the clipboard: then nothing is emptied
 */
export async function emptyCut(source: TableSource, grid: GridHandle, isCopied: Promise<boolean>): Promise<void> {
  const kept = new Set<string>();
  const emptied = (column: number, storageClass: StorageClass): Value | undefined => {
    const declaration = source.declaration(column);
    const value = declaration && emptiedValue(declaration);
    if (declaration && value === undefined) kept.add(declaration.name);
    if (value === undefined || (value === null && storageClass === 'null')) return undefined;
    return value === null ? null : valueFromText(source, column, value, storageClass);
  };
  await guarded(source, grid, MAX_ROWS_AT_ONCE, async () => {
    if (!(await setSelected(source, grid, emptied, 'to NULL or their default', isCopied))) return;
    const names = [...kept].map((name) => `“${visibleName(name)}”`).join(', ');
    if (kept.size > 0) notify({ tone: 'info', text: `${names} cannot be NULL: copied, but not emptied.` });
  });
}

/**
 * Gives every selected cell the value that a typed text has in its column. Returns false if the user decided against it. @throws AppError;
 * nothing was changed then
 */
export const fillSelected = (source: TableSource, grid: GridHandle, text: string): Promise<boolean> =>
  setSelected(
    source,
    grid,
    (column, storageClass) => valueFromText(source, column, text, storageClass),
    'to one value',
  );

/**
 * One transaction, and one step of undo. Returns false if nothing was set, as the user decided or `mayBegin` resolves. @param to for messages
 */
async function setSelected(
  source: TableSource,
  grid: GridHandle,
  newValue: (column: number, storageClass: StorageClass) => Value | undefined,
  to: string,
  mayBegin: Promise<boolean> | true = true,
): Promise<boolean> {
  const refusal =
    whyColumnIsFixed(source, grid.cursor.column) ?? whyTooMany(selectedCount(source, grid), MAX_ROWS_AT_ONCE);
  if (refusal) throw AppError.refused(refusal);
  const valueOf = (column: number, storageClass: StorageClass): Value | undefined =>
    whyColumnIsFixed(source, column) === null ? newValue(column, storageClass) : undefined;
  // The selection can change as soon as anything is waited for.
  const added = selectedNewCells(source, grid, valueOf);
  const changes = await selectedCellChanges(source, grid, valueOf);
  if (!(await mayBegin)) return false;
  if (await isHolding(source.database)) {
    const held = [...asHeld(source.detail.name, changes, newRowId), ...added];
    if (held.length > 0) await hold(source.database, held);
    return true;
  }
  const rows = plural(changes.length, 'row');
  const question = {
    title: `Set cells of ${rows} ${to}?`,
    body: 'Existing values are replaced in one transaction.',
    asks: 'confirm.changes',
    confirmLabel: 'Set cells',
    danger: true,
  } as const;
  if (changes.length === 0) return true;
  if (changes.length > 1 && !isUndoable(source.database) && !(await confirm(question))) return false;
  await applyChanges(source, changes);
  if (changes.length > 1) await offerUndo(source.database, `Set cells of ${rows} ${to}.`);
  return true;
}

/** Copies the selected cells of the first row into the rows below it. */
export async function fillDown(source: TableSource, grid: GridHandle): Promise<void> {
  await guarded(source, grid, MAX_ROWS_AT_ONCE, async () => {
    const isHeld = await isHolding(source.database);
    const block = selectedBlock(grid);
    const rows = typeof block === 'string' ? 0 : block.rows.last - block.rows.first;
    if (typeof block === 'string' || rows === 0) {
      const text = typeof block === 'string' ? block : 'Select a block of cells to fill the rows below its first row.';
      return notify({ tone: 'info', text });
    }
    const refusal = block.columns.map((column) => whyColumnIsFixed(source, column)).find((why) => why !== null);
    if (refusal) return notify({ tone: 'info', text: refusal });
    if (isHeld) return holdFill(source, grid, block);
    const cells = changedCells(source, block.columns, await readKeys(source, grid, block.rows));
    const { name } = source.detail;
    await runAtOnce(
      source,
      { job: `Filling ${name}`, title: `Fill down in ${name}` },
      changeStatement({ kind: 'fill' }, cells),
    );
    await offerUndo(source.database, `Filled ${plural(rows, 'row')} of ${source.detail.name}.`);
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
  if (changes.length > MAX_ROWS_A_COMMAND) {
    if (await isHolding(source.database)) throw tooManyToHold(changes.length);
    await applyMany(source, changes);
    return [];
  }
  const { keys } = await saveChanges(source.database, source.detail.name, changes);
  return keys.filter((key) => key !== null);
}

/** Refuses with a message if these rows cannot be changed, and reports errors. */
async function guarded(
  source: TableSource,
  grid: GridHandle,
  maxRows: number,
  work: () => Promise<void>,
): Promise<void> {
  const count = selectedCount(source, grid);
  const why = whyRowsAreFixed(source) ?? whyTooMany(count, maxRows);
  if (why !== null) return notify({ tone: 'info', text: why });
  if (count === 0) return;
  try {
    await work();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

const selectedCount = (source: TableSource, grid: GridHandle): number =>
  selectedRowCount(grid) + selectedNewRows(source, grid).length;

const whyTooMany = (count: number, maxRows: number): string | null =>
  count > maxRows
    ? `${formatCount(count)} rows are too many to change at once. Select at most ${formatCount(maxRows)}, or use an SQL statement.`
    : null;

/**
 * Shows the failure of a deletion. @param deleteToo deletes the rows that refer to the row as well, which the message then names; called
 * only if that is possible
 */
function notifyReferring(database: DatabaseId, thrown: unknown, deleteToo: (others: string) => Promise<void>): void {
  const { message, referring, detail } = toAppError(thrown);
  const [first, ...rest] = referring ?? [];
  if (!referring || !first) return notifyFailure(thrown);
  const { activeTabId } = useStore.getState();
  const others = referring.map(({ table, rows }) => `${plural(rows, 'row')} of ${table}`).join(' and ');
  notify({
    tone: 'error',
    text: message,
    ...(activeTabId !== null && { tabId: activeTabId }),
    action: {
      label: rest.length === 0 ? 'Show them' : `Show rows of ${visibleName(first.table)}`,
      run: () => openReferring(database, first),
    },
    ...(detail?.['isDeletable'] === true && {
      secondAction: { label: 'Delete them, too', run: () => void deleteToo(others).catch(notifyFailure) },
    }),
  });
}

// Empties the selected cells of a result, or cuts them: each in the row of the table that it comes from, all of them in one step.
import type { RowChange, Column, Value } from '#shared/protocol/index.ts';
import { byName } from '#shared/by-name.ts';
import { visibleName } from '#shared/visible-text.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { readStored } from '../../grid/rows/read-shown.ts';
import { countOf, isSelected, selectedRows } from '../../grid/input/selection.ts';
import { notifyFailure } from '../../state/databases.ts';
import { confirm, notify } from '../../state/store.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { copyCells } from '../../workbench/cells/copy-cells.ts';
import { emptiedValue } from '../../workbench/cells/emptied-value.ts';
import { saveChanges } from '../../workbench/held/held-store.ts';
import { isUndoable, offerUndo } from '../../workbench/history/history.ts';
import { keyName } from '../../workbench/rows/own-edits.ts';
import { storedCell, valueHere } from './result-editing.ts';
import type { KeyedCell, ResultEditing } from './result-key-offers.ts';

/** Each row is checked against what the user saw, and one whose key is not in the result is looked for. */
const MAX_ROWS = 1000;

/** The text that is left in a cell; null: NULL. Undefined: it keeps its value. */
type Emptied = (column: Column) => string | null | undefined;

/** Nothing is emptied that is not on the clipboard. What cannot be emptied keeps its value, which the user is told. */
export const cutCells = (editing: ResultEditing, grid: GridHandle): Promise<void> =>
  guarded(editing, grid, async () => {
    // Both begin with what is selected now.
    const isCopied = copyCells(grid);
    const found = await findChanges(editing, grid, emptiedValue);
    if (!(await isCopied) || !(await store(editing, found))) return;
    const names = [...found.kept].map((name) => `“${visibleName(name)}”`).join(', ');
    if (names !== '') notify({ tone: 'info', text: `${names} cannot be emptied: copied, but kept.` });
  });

export const setCellsNull = (editing: ResultEditing, grid: GridHandle): Promise<void> =>
  guarded(editing, grid, async () => void (await store(editing, await findChanges(editing, grid, () => null))));

async function guarded(editing: ResultEditing, grid: GridHandle, work: () => Promise<void>): Promise<void> {
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const stored = cell && storedCell(editing, cell);
  if (typeof stored === 'string') return notify({ tone: 'info', topic: 'result-edit', text: stored });
  const rows = countOf(selectedRows(grid.selection, grid.bounds));
  if (rows > MAX_ROWS) {
    const text = `Up to ${formatCount(MAX_ROWS)} rows of a result can be changed at once. Nothing was changed: select fewer, or use an UPDATE statement.`;
    return notify({ tone: 'info', topic: 'result-edit', text });
  }
  await work().catch(notifyFailure);
}

interface Found {
  readonly table: string;
  readonly rows: readonly RowToEmpty[];
  /** Columns with cells that keep their values. */
  readonly kept: ReadonlySet<string>;
}

interface RowToEmpty {
  readonly cell: KeyedCell;
  readonly set: Record<string, Value>;
  readonly base: Record<string, Value>;
  /** What each of its cells in the result holds before and after. */
  readonly noted: { readonly cell: KeyedCell; readonly before: Value; readonly after: Value }[];
}

/** @throws AppError `refused` if the cells are from several tables: they could not be changed in one step */
async function findChanges(editing: ResultEditing, grid: GridHandle, emptied: Emptied): Promise<Found> {
  const rows = new Map<string, RowToEmpty>();
  const kept = new Set<string>();
  for (const cell of await selectedCells(editing, grid)) {
    const stored = storedCell(editing, cell);
    const left = typeof stored === 'string' ? undefined : emptied(stored.declaration);
    if (typeof stored === 'string' || left === undefined) {
      kept.add(editing.result.source.columns[cell.column]!.name);
      continue;
    }
    const before = valueHere(editing, stored, cell);
    const storageClass = cell.rows.storageClass(cell.index, stored.packed);
    const after = left === null ? null : stored.valueFromText(left, storageClass);
    if (before === null && after === null) continue;
    // A row of a table can be in several rows of the result.
    const name = JSON.stringify([stored.table, keyName(stored.keyValues)]);
    const row = rows.get(name) ?? { cell: stored, set: byName<Value>(), base: byName<Value>(), noted: [] };
    row.set[stored.column] = after;
    if (!cell.rows.isPreview(cell.index, stored.packed)) row.base[stored.column] = before;
    row.noted.push({ cell: stored, before, after });
    rows.set(name, row);
  }
  const tables = [...new Set([...rows.values()].map(({ cell: { table } }) => table))];
  if (tables.length > 1) {
    const names = tables.map((table) => `“${visibleName(table)}”`).join(' and ');
    throw AppError.refused(`These cells are from ${names}. Nothing was changed: select cells of one table at a time.`);
  }
  return { table: tables[0] ?? '', rows: [...rows.values()], kept };
}

async function selectedCells({ result }: ResultEditing, grid: GridHandle): Promise<readonly CellReference[]> {
  // Rows can move while they are read, and the selection with them.
  const { selection, bounds, columns } = grid;
  const intervals = selectedRows(selection, bounds);
  const seen = grid.seenIn(intervals);
  const cells: CellReference[] = [];
  for (const { first, last } of intervals)
    for (const [at, row] of (await readStored(result.source, first, last - first + 1, seen)).entries())
      columns.forEach((column, displayIndex) => {
        const position = first + at;
        if (isSelected(selection, position, displayIndex, bounds)) cells.push({ position, column, ...row });
      });
  return cells;
}

/** Returns false if the user decided against it. */
async function store({ result: { source } }: ResultEditing, { table, rows }: Found): Promise<boolean> {
  const { database } = source;
  if (rows.length === 0) return true;
  const what = `Set cells of ${plural(rows.length, 'row')} of ${table}`;
  const question = {
    title: `${what}?`,
    body: 'Existing values are replaced in one transaction.',
    asks: 'confirm.changes',
    confirmLabel: 'Set cells',
    danger: true,
  } as const;
  if (rows.length > 1 && !isUndoable(database) && !(await confirm(question))) return false;
  const changes: RowChange[] = [];
  for (const { cell, set, base } of rows) changes.push({ kind: 'update', key: await cell.key(), set, base });
  const { isHeld } = await saveChanges(database, table, changes);
  if (isHeld) rows[0]!.cell.noteHeld?.();
  else for (const { noted } of rows) for (const { cell, before, after } of noted) cell.noteStored(before, after);
  if (rows.length > 1) await offerUndo(database, `${what}.`);
  return true;
}

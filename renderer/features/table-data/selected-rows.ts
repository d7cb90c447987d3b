// The rows that a command applies to: read in pages, as keys and values, whether or not they are on screen.
import { AppError, type RowChange, type StorageClass, type Value } from '#shared/protocol/index.ts';
import { byName } from '#shared/by-name.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { countOf, isSelected, selectedColumns, selectedRows } from '../../grid/input/selection.ts';
import type { Bounds, Interval } from '../../grid/input/selection.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { CachedRow } from '../../grid/rows/row-cache.ts';
import { readStored } from '../../grid/rows/read-shown.ts';
import type { SeenRows } from '../../grid/rows/seen-rows.ts';
import type { HeldChange } from '../../workbench/held/held-changes.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

const ROWS_A_READ = 1000;
/** Up to this number, each row is checked against what the user saw; more are changed by a few statements, with progress and Stop. */
export const MAX_ROWS_A_COMMAND = 10_000;
/** Limit, because the window holds the changes in memory in the meantime. */
export const MAX_ROWS_AT_ONCE = 1_000_000;

/** Bounds of the stored rows: neither rows that wait to be saved nor a draft row. */
export const storedBounds = (grid: GridHandle): Bounds => ({
  rows: grid.storedRows,
  displayColumns: grid.bounds.displayColumns,
});

export const selectedIntervals = (grid: GridHandle): readonly Interval[] =>
  selectedRows(grid.selection, storedBounds(grid));

/** The declared types of the columns with selected cells. */
export const selectedTypes = (
  source: Pick<TableSource, 'declaration'>,
  { selection, bounds, columns }: Pick<GridHandle, 'selection' | 'bounds' | 'columns'>,
): readonly string[] =>
  selectedColumns(selection, bounds)
    .flatMap(({ first, last }) => columns.slice(first, last + 1))
    .map((column) => source.declaration(column)?.declaredType ?? '');

export const selectedRowCount = (grid: GridHandle): number => countOf(selectedIntervals(grid));

/** @throws AppError `refused` when a row has no usable key */
export async function selectedKeys(source: TableSource, grid: GridHandle): Promise<readonly (readonly Value[])[]> {
  const keys: (readonly Value[])[] = [];
  await eachSelectedRow(source, grid, (key) => void keys.push(key));
  return keys;
}

/** The new value of a selected cell; undefined leaves it unchanged. */
type NewValue = (column: number, storageClass: StorageClass) => Value | undefined;

/** The changes that give every selected cell its new value. */
export async function selectedCellChanges(
  source: TableSource,
  grid: GridHandle,
  newValue: NewValue,
): Promise<readonly RowChange[]> {
  const changes: RowChange[] = [];
  // Rows can move while they are read, and the selection with them.
  const { selection, bounds } = grid;
  await eachSelectedRow(source, grid, (key, rows, index, position) => {
    const set = byName<Value>();
    const base = byName<Value>();
    grid.columns.forEach((column, displayIndex) => {
      const packed = column + source.hiddenColumns;
      if (!isSelected(selection, position, displayIndex, bounds)) return;
      const value = newValue(column, rows.storageClass(index, packed));
      if (value === undefined) return;
      const name = source.columns[column]!.name;
      set[name] = value;
      if (!rows.isPreview(index, packed)) base[name] = rows.value(index, packed);
    });
    if (Object.keys(set).length > 0) changes.push({ kind: 'update', key, set, base });
  });
  return changes;
}

type RowVisitor = (key: readonly Value[], rows: PackedRowsReader, index: number, position: number) => void;

const eachSelectedRow = (source: TableSource, grid: GridHandle, visit: RowVisitor): Promise<void> =>
  eachRow(source, grid, selectedIntervals(grid), visit);

/**
 * Visits the rows that the user sees at these positions when it is called.
 * @throws AppError `refused` when a row has no usable key, no longer exists, or is elsewhere by now
 */
export async function eachRow(
  source: TableSource,
  grid: Pick<GridHandle, 'seenIn'>,
  intervals: readonly Interval[],
  visit: RowVisitor,
): Promise<void> {
  const wasExact = source.extent.exact;
  const seen = grid.seenIn(intervals);
  for (const { first, last } of intervals) {
    for (let start = first; start <= last; start += ROWS_A_READ) {
      const count = Math.min(ROWS_A_READ, last - start + 1);
      const shown = await readAll(source, start, count, seen);
      // If the number of rows was an estimate, there may have been fewer from the start.
      if (shown.length < count && wasExact)
        throw AppError.refused('Some of the selected rows no longer exist. Select the rows again.');
      for (const [at, { rows, index }] of shown.entries()) {
        const key = source.keyOf(rows, index);
        if (!key)
          throw AppError.refused(
            'The key of one of these rows is too long to use here. Use an SQL statement to change the row.',
          );
        visit(key, rows, index, start + at);
      }
    }
  }
}

/** While the rows are still being sorted, a page has only those found so far. Searching for one of them makes all of them known. */
async function readAll(
  source: TableSource,
  start: number,
  count: number,
  seen: SeenRows,
): Promise<readonly CachedRow[]> {
  const rows = await readStored(source, start, count, seen);
  if (rows.length === count || source.extent.exact) return rows;
  const last = rows.at(-1);
  await source.find((last && source.keyOf(last.rows, last.index)) ?? source.keyColumns.map(() => 0));
  return [...rows, ...(await readStored(source, start + rows.length, count - rows.length, seen))];
}

export function selectedNewRows(source: TableSource, grid: GridHandle): readonly string[] {
  const intervals = selectedRows(grid.selection, grid.bounds);
  return source.unsaved.added.flatMap(({ rows }, at) => {
    const position = grid.storedRows + at;
    const id = source.unsaved.idOf(rows);
    return id !== null && intervals.some(({ first, last }) => position >= first && position <= last) ? [id] : [];
  });
}

/** Changes that give the selected cells of rows that wait to be added their new values. */
export function selectedNewCells(source: TableSource, grid: GridHandle, newValue: NewValue): readonly HeldChange[] {
  const table = source.detail.name;
  return source.unsaved.added.flatMap(({ rows, index }, at): readonly HeldChange[] => {
    const set = byName<Value>();
    grid.columns.forEach((column, displayIndex) => {
      if (!isSelected(grid.selection, grid.storedRows + at, displayIndex, grid.bounds)) return;
      const value = newValue(column, rows.storageClass(index, column + source.hiddenColumns));
      if (value !== undefined) set[source.columns[column]!.name] = value;
    });
    const id = source.unsaved.idOf(rows);
    return id === null || Object.keys(set).length === 0 ? [] : [{ table, kind: 'fill', id, set }];
  });
}

// The rows a command is about: read in pages, as keys and values, whether or not they are on screen.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { RowChange } from '#shared/protocol/edit.ts';
import type { StorageClass, Value } from '#shared/protocol/values.ts';
import { countOf, isSelected, selectedRows } from '../../grid/input/selection.ts';
import type { Bounds, Interval } from '../../grid/input/selection.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { refused } from './refused.ts';

const ROWS_A_READ = 1000;
/** Up to here each row is checked against what the user saw; more are changed by a few statements, with progress and Stop. */
export const MAX_ROWS_A_COMMAND = 10_000;
/** The window holds what is changed in memory meanwhile. */
export const MAX_ROWS_AT_ONCE = 1_000_000;

/** Rows that are stored: a draft row is not among them. */
export const storedBounds = (grid: GridHandle): Bounds => ({
  rows: grid.bounds.rows - (grid.draftPosition >= 0 ? 1 : 0),
  displayColumns: grid.bounds.displayColumns,
});

export const selectedIntervals = (grid: GridHandle): readonly Interval[] =>
  selectedRows(grid.selection, storedBounds(grid));

export const selectedRowCount = (grid: GridHandle): number => countOf(selectedIntervals(grid));

/** @throws AppError `refused` when a row has no usable key */
export async function selectedKeys(source: TableSource, grid: GridHandle): Promise<readonly (readonly Value[])[]> {
  const keys: (readonly Value[])[] = [];
  await eachSelectedRow(source, grid, (key) => void keys.push(key));
  return keys;
}

/** What a selected cell becomes; undefined leaves it as it is. */
type NewValue = (column: number, storageClass: StorageClass) => Value | undefined;

/** The changes that give every selected cell its new value. */
export async function selectedCellChanges(
  source: TableSource,
  grid: GridHandle,
  newValue: NewValue,
): Promise<readonly RowChange[]> {
  const changes: RowChange[] = [];
  await eachSelectedRow(source, grid, (key, rows, index, position) => {
    const set: Record<string, Value> = {};
    const base: Record<string, Value> = {};
    grid.columns.forEach((column, displayIndex) => {
      const packed = column + source.hiddenColumns;
      if (!isSelected(grid.selection, position, displayIndex, grid.bounds)) return;
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
  eachRow(source, selectedIntervals(grid), visit);

/** @throws AppError `refused` when a row has no usable key */
export async function eachRow(source: TableSource, intervals: readonly Interval[], visit: RowVisitor): Promise<void> {
  for (const { first, last } of intervals) {
    for (let start = first; start <= last; start += ROWS_A_READ) {
      const page = await source.read(start, Math.min(ROWS_A_READ, last - start + 1));
      const rows = new PackedRowsReader(page.rows);
      for (let index = 0; index < page.rows.rowCount; index++) {
        const key = source.keyOf(rows, index);
        if (!key)
          throw refused('The key of one of these rows is too long to use here. Change the row with an SQL statement.');
        visit(key, rows, index, start + index);
      }
    }
  }
}

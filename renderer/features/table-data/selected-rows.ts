// The rows a command is about: read in pages, as keys and values, whether or not they are on screen.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { RowChange } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import { countOf, isSelected, selectedRows } from '../../grid/selection.ts';
import type { Bounds, Interval } from '../../grid/selection.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import type { TableSource } from './table-source.ts';

const ROWS_A_READ = 1000;
/** One transaction of more would hold up every other window; SQL does it better. */
export const MAX_ROWS_A_COMMAND = 10_000;

/** Rows that are stored: a draft row is not among them. */
const storedBounds = (grid: GridHandle): Bounds => ({
  rows: grid.bounds.rows - (grid.draftPosition >= 0 ? 1 : 0),
  places: grid.bounds.places,
});

export const selectedIntervals = (grid: GridHandle): readonly Interval[] => selectedRows(grid.selection, storedBounds(grid));

export const selectedRowCount = (grid: GridHandle): number => countOf(selectedIntervals(grid));

/** @throws when a row has no usable key */
export async function selectedKeys(source: TableSource, grid: GridHandle): Promise<readonly (readonly Value[])[]> {
  const keys: (readonly Value[])[] = [];
  await eachSelectedRow(source, grid, (key) => void keys.push(key));
  return keys;
}

/** The changes that set every selected cell of a column that can be written to NULL. */
export async function nullChanges(source: TableSource, grid: GridHandle, isWritable: (column: number) => boolean): Promise<readonly RowChange[]> {
  const changes: RowChange[] = [];
  await eachSelectedRow(source, grid, (key, rows, index, position) => {
    const set: Record<string, Value> = {};
    const base: Record<string, Value> = {};
    grid.columns.forEach((column, place) => {
      const packed = column + source.hiddenColumns;
      if (!isSelected(grid.selection, position, place, grid.bounds) || !isWritable(column)) return;
      if (rows.storageClass(index, packed) === 'null') return;
      const name = source.columns[column]!.name;
      set[name] = null;
      if (!rows.isPreview(index, packed)) base[name] = rows.value(index, packed);
    });
    if (Object.keys(set).length > 0) changes.push({ kind: 'update', key, set, base });
  });
  return changes;
}

type RowVisitor = (key: readonly Value[], rows: PackedRowsReader, index: number, position: number) => void;

async function eachSelectedRow(source: TableSource, grid: GridHandle, visit: RowVisitor): Promise<void> {
  for (const { first, last } of selectedIntervals(grid)) {
    for (let start = first; start <= last; start += ROWS_A_READ) {
      const page = await source.read(start, Math.min(ROWS_A_READ, last - start + 1));
      const rows = new PackedRowsReader(page.rows);
      for (let index = 0; index < page.rows.rowCount; index++) {
        const key = source.keyOf(rows, index);
        if (!key) throw new Error('The key of a selected row is too long to use here. Change the row with an SQL statement.');
        visit(key, rows, index, start + index);
      }
    }
  }
}

// How wide a column should be for what it holds.
import { displayCell } from './cell-display.ts';
import { CELL_PADDING } from './frame.ts';
import type { Fitters } from './frame.ts';
import { DEFAULT_COLUMN_WIDTH, MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './geometry.ts';
import type { GridColumn } from './grid-source.ts';
import { headerWidth } from './header-painter.ts';
import type { CachedRow } from './row-cache.ts';

/** A long text does not push the other columns out of the window; the person can still widen it. */
const MAX_NATURAL_WIDTH = 320;
const MIN_NATURAL_WIDTH = 64;
/** Enough to see what a column is like, few enough for 2,000 columns. */
const MAX_SAMPLED_CELLS = 8000;

const contentWidth = (fitters: Fitters, row: CachedRow, column: number): number => {
  const display = displayCell(row.rows, row.index, column);
  return fitters.cell.width(display.text) + CELL_PADDING * 2 + 2;
};

/** Widths for a first look, from the header and the first rows there are. */
export function naturalWidths(
  columns: readonly GridColumn[],
  hiddenColumns: number,
  fitters: Fitters,
  rows: readonly CachedRow[],
): readonly number[] {
  const sample = rows.slice(0, Math.max(4, Math.floor(MAX_SAMPLED_CELLS / Math.max(1, columns.length))));
  return columns.map((column, index) => {
    let width = Math.max(MIN_NATURAL_WIDTH, headerWidth(fitters, column));
    for (const row of sample) {
      if (width >= MAX_NATURAL_WIDTH) break;
      width = Math.max(width, contentWidth(fitters, row, index + hiddenColumns));
    }
    return Math.ceil(Math.min(width, MAX_NATURAL_WIDTH));
  });
}

/** The width that shows the header and every given row whole. */
export function fittingWidth(
  column: GridColumn | undefined,
  packedColumn: number,
  fitters: Fitters,
  rows: readonly CachedRow[],
): number {
  if (!column) return DEFAULT_COLUMN_WIDTH;
  const widest = rows.reduce((width, row) => Math.max(width, contentWidth(fitters, row, packedColumn)), headerWidth(fitters, column));
  return Math.ceil(Math.min(Math.max(widest, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH));
}

// Computes the width of a column from its content.
import { displayCell } from '../paint/cell-display.ts';
import { CELL_PADDING } from '../paint/frame.ts';
import type { Fitters } from '../paint/frame.ts';
import { DEFAULT_COLUMN_WIDTH, MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from './geometry.ts';
import type { GridColumn } from '../grid-source.ts';
import { headerWidth } from '../paint/header-painter.ts';
import type { CachedRow } from '../rows/row-cache.ts';

/** A long text must not push the other columns out of the window; the user can still widen it. */
const MAX_NATURAL_WIDTH = 320;
/** If there is room for all columns, a long text may use the rest, up to a readable line length. */
const MAX_WIDE_WIDTH = 760;
/** Numbers and names get longer further down: reserve four digits. */
const GROWTH_WIDTH = 30;
const MIN_NATURAL_WIDTH = 64;
/** Enough for a good estimate, few enough for 2,000 columns. */
const MAX_SAMPLED_CELLS = 8000;

const contentWidth = (fitters: Fitters, row: CachedRow, column: number, of: GridColumn): number => {
  const display = displayCell(row.rows, row.index, column, of);
  return fitters.cell.width(display.text) + CELL_PADDING * 2 + 2;
};

export interface Sample {
  /** The first available rows. */
  readonly rows: readonly CachedRow[];
  readonly rowCount: number;
  /** Width available to all columns together, without scrolling. */
  readonly room: number;
}

/** Initial widths, from the header and the sample. */
export function naturalWidths(
  columns: readonly GridColumn[],
  hiddenColumns: number,
  fitters: Fitters,
  { rows, rowCount, room }: Sample,
): readonly number[] {
  const sample = rows.slice(0, sampledRows(columns.length));
  const growth = rowCount > sample.length ? GROWTH_WIDTH : 0;
  const wanted = columns.map((column, index) => {
    let width = 0;
    for (const row of sample) {
      if (width >= MAX_WIDE_WIDTH) break;
      width = Math.max(width, contentWidth(fitters, row, index + hiddenColumns, column));
    }
    return Math.ceil(
      Math.max(MIN_NATURAL_WIDTH, headerWidth(fitters, column), Math.min(width + growth, MAX_WIDE_WIDTH)),
    );
  });
  return shared(wanted, room);
}

/** How many rows are measured of a table with this many columns. */
export const sampledRows = (columns: number): number =>
  Math.max(4, Math.floor(MAX_SAMPLED_CELLS / Math.max(1, columns)));

/** Distributes the remaining room among the truncated columns, in proportion to the width that each lacks. */
export function shared(wanted: readonly number[], room: number): readonly number[] {
  const modest = wanted.map((width) => Math.min(width, MAX_NATURAL_WIDTH));
  const lacking = sum(wanted) - sum(modest);
  const part = lacking === 0 ? 0 : Math.min(1, Math.max(0, room - sum(modest)) / lacking);
  return modest.map((width, column) => Math.floor(width + (wanted[column]! - width) * part));
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);

/** The width that shows the header and all given rows completely. */
export function fittingWidth(
  column: GridColumn | undefined,
  packedColumn: number,
  fitters: Fitters,
  rows: readonly CachedRow[],
): number {
  if (!column) return DEFAULT_COLUMN_WIDTH;
  const widest = rows.reduce(
    (width, row) => Math.max(width, contentWidth(fitters, row, packedColumn, column)),
    headerWidth(fitters, column),
  );
  return Math.ceil(Math.min(Math.max(widest, MIN_COLUMN_WIDTH), MAX_COLUMN_WIDTH));
}

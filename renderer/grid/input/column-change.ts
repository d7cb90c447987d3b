// Changes to the column of the current cell without a pointer.
import type { ColumnModel } from '../layout/column-model.ts';
import type { GridView } from '../layout/geometry.ts';
import type { Fitters } from '../paint/frame.ts';
import type { CachedRow } from '../rows/row-cache.ts';

export type ColumnChange = 'move-left' | 'move-right' | 'narrow' | 'widen' | 'fit' | 'fit-all';

/** The position of a column after a change. */
export interface ChangedColumn {
  readonly name: string;
  /** Counts from 0. */
  readonly displayIndex: number;
  readonly count: number;
  readonly widthPixels: number;
}

const RESIZE_PIXELS = 16;

/** Returns the arrangement after a change of the column at `place`, which exists. */
export function changedColumns(
  columns: ColumnModel,
  displayIndex: number,
  change: ColumnChange,
  rows: readonly CachedRow[],
  fitters: Fitters,
): GridView {
  switch (change) {
    case 'move-left':
      return columns.movedBy(displayIndex, -1);
    case 'move-right':
      return columns.movedBy(displayIndex, 1);
    case 'narrow':
      return columns.resizedBy(displayIndex, -RESIZE_PIXELS);
    case 'widen':
      return columns.resizedBy(displayIndex, RESIZE_PIXELS);
    case 'fit':
      return columns.fitted(displayIndex, rows, fitters);
    case 'fit-all':
      return columns.allFitted(rows, fitters);
  }
}

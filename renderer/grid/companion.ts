// A grid that scrolls together with another: what each grid tells the other, and asks about the cells of the other.
import type { Selection } from './input/selection.ts';
import type { GridSource } from './grid-source.ts';
import type { CachedRow } from './rows/row-cache.ts';

/** `content`: the values differ. `order`: the other side has this row, too, at another position. */
export type CellDifference = 'content' | 'order';

/** Difference by row and source column; null if the cell is the same on both sides, or the other side has not read that row. */
export type CellDifferences = (row: number, column: number) => CellDifference | null;

/** What a companion may read from a grid and do to the grid. */
export interface PairedGrid {
  readonly source: Pick<GridSource, 'columns'>;
  readonly selection: Selection;
  /** Pixels from the first cell. */
  readonly scrolledTo: { readonly top: number; readonly left: number };
  /** Null until there are rows to measure. */
  readonly naturalWidths: readonly number[] | null;
  row(position: number): CachedRow | null;
  scrollTo(displayIndex: { readonly top: number; readonly left: number }): void;
  select(selection: Selection, reveal?: boolean): void;
  setNaturalWidths(widths: readonly number[]): void;
  differencesChanged(): void;
}

export interface GridCompanion {
  /** Called when `grid` appears on screen; null when it is gone. */
  join(grid: PairedGrid | null): void;
  scrolled(): void;
  selected(): void;
  /** Called when rows of this grid have changed, with which cells of the other grid are compared. */
  rowsChanged(): void;
  readonly differenceAt: CellDifferences;
  /** False until the widths that both grids share are known; missing where each grid has widths of its own. */
  sharesWidths?(): boolean;
}

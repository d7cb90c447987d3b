// What painting and input may read from a grid on screen and do to the grid. The controller implements this, and so do fakes in tests.
import type { GridColumn, GridSource } from './grid-source.ts';
import type { Bounds, CellPosition, Selection } from './input/selection.ts';
import type { ColumnLayout, GridView } from './layout/geometry.ts';
import type { CellBox, GridSpace } from './layout/grid-space.ts';

export interface GridSurface {
  readonly source: GridSource;
  /** The columns of the source with their formats. */
  readonly shownColumns: readonly GridColumn[];
  readonly selection: Selection;
  readonly layout: ColumnLayout;
  /** False while the places of columns and rows are not decided: then nothing is shown. */
  readonly isLaidOut: boolean;
  /** Width of the row numbers in pixels. */
  readonly gutter: number;
  readonly bounds: Bounds;
  readonly visible: GridSpace['visible'];
  /** How many places at the left do not scroll now. */
  readonly frozen: number;
  /** Width of all frozen columns together, in pixels. */
  readonly frozenWidth: number;
  /** Box of a cell, in pixels of the grid's box. */
  boxOf(position: CellPosition): CellBox;
  select(selection: Selection): void;
  /** Selects the cells that the pointer points at, in the rows that are visible there. @param reveal false: keeps the scroll position */
  point(selection: Selection, reveal?: boolean): void;
  setView(view: GridView): void;
}

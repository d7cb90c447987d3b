// What painting and input may ask of a grid on screen and do to it. The controller is one; tests make others.
import type { GridSource } from './grid-source.ts';
import type { Bounds, CellPosition, Selection } from './input/selection.ts';
import type { ColumnLayout, GridView } from './layout/geometry.ts';
import type { CellBox, GridSpace } from './layout/grid-space.ts';

export interface GridSurface {
  readonly source: GridSource;
  readonly selection: Selection;
  readonly layout: ColumnLayout;
  /** In pixels: the width of the row numbers. */
  readonly gutter: number;
  readonly bounds: Bounds;
  readonly visible: GridSpace['visible'];
  /** In pixels of the grid's box. */
  boxOf(position: CellPosition): CellBox;
  /** @param reveal false: stays where it is scrolled to */
  select(selection: Selection, reveal?: boolean): void;
  setView(view: GridView): void;
}

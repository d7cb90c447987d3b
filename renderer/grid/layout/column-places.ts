// Where the columns in view are, for content that its owner keeps above them.
import type { GridSurface } from '../grid-surface.ts';

/** In pixels of the grid's box. */
export interface ColumnPlace {
  /** Of the source. */
  readonly column: number;
  readonly left: number;
  readonly width: number;
}

export interface ColumnPlaces {
  /** Width of the row numbers. */
  readonly gutter: number;
  /** From left to right: the columns in view, and one more on each side, so that Tab finds the next before it is scrolled to. */
  readonly columns: readonly ColumnPlace[];
}

export const NO_PLACES: ColumnPlaces = { gutter: 0, columns: [] };

export function columnPlaces(grid: Pick<GridSurface, 'gutter' | 'layout' | 'visible' | 'boxOf'>): ColumnPlaces {
  const { columns: shown } = grid.layout;
  const { first, last } = grid.visible.displayColumns;
  const columns: ColumnPlace[] = [];
  for (
    let displayIndex = Math.max(0, first - 1);
    displayIndex <= Math.min(last + 1, shown.length - 1);
    displayIndex++
  ) {
    const { x, width } = grid.boxOf({ row: 0, displayIndex });
    columns.push({ column: shown[displayIndex]!, left: x, width });
  }
  return { gutter: grid.gutter, columns };
}

export function samePlaces(a: ColumnPlaces, b: ColumnPlaces): boolean {
  return (
    a.gutter === b.gutter &&
    a.columns.length === b.columns.length &&
    a.columns.every((place, at) => {
      const other = b.columns[at]!;
      return place.column === other.column && place.left === other.left && place.width === other.width;
    })
  );
}

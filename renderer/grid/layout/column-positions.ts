// Positions of the columns in view, for content that its owner keeps above them.
import type { GridSurface } from '../grid-surface.ts';
import { HEADER_HEIGHT, gutterWidth } from './geometry.ts';

/** Position of a column, in pixels of the grid's box. */
interface ColumnPosition {
  readonly column: number;
  readonly left: number;
  readonly width: number;
}

export interface ColumnPositions {
  /** Width of the row numbers. */
  readonly gutter: number;
  /** Columns in view, from left to right, and one more on each side, so that Tab finds the next before it is scrolled to. */
  readonly columns: readonly ColumnPosition[];
}

export const NO_POSITIONS: ColumnPositions = { gutter: gutterWidth(0), columns: [] };

export function columnPositions(
  grid: Pick<GridSurface, 'gutter' | 'layout' | 'visible' | 'frozen' | 'frozenWidth' | 'boxOf'>,
): ColumnPositions {
  const { columns: shown } = grid.layout;
  const { first, last } = grid.visible.displayColumns;
  const columns: ColumnPosition[] = [];
  const add = (displayIndex: number): void => {
    const { x, width } = grid.boxOf({ row: 0, displayIndex });
    // Frozen columns cover what is scrolled under them.
    const covered = displayIndex < grid.frozen || grid.frozen === 0 ? x : grid.gutter + grid.frozenWidth;
    const left = Math.max(x, covered);
    columns.push({ column: shown[displayIndex]!, left, width: Math.max(1, width - (left - x)) });
  };
  for (let displayIndex = 0; displayIndex < grid.frozen; displayIndex++) add(displayIndex);
  const end = Math.min(last + 1, shown.length - 1);
  for (let displayIndex = Math.max(grid.frozen, first - 1); displayIndex <= end; displayIndex++) add(displayIndex);
  return { gutter: grid.gutter, columns };
}

/** Rectangle of a column's header on screen. @param box of the grid */
export function headerRect(box: DOMRect, { columns }: ColumnPositions, column: number): DOMRect {
  const place = columns.find((each) => each.column === column);
  return new DOMRect(box.x + (place?.left ?? 0), box.y, place?.width ?? 0, HEADER_HEIGHT);
}

export function samePositions(a: ColumnPositions, b: ColumnPositions): boolean {
  return (
    a.gutter === b.gutter &&
    a.columns.length === b.columns.length &&
    a.columns.every((place, at) => {
      const other = b.columns[at]!;
      return place.column === other.column && place.left === other.left && place.width === other.width;
    })
  );
}

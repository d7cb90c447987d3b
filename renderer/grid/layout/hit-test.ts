// Finds what is under a point of the grid: pure, from geometry.
import { columnWindow, contentX } from './column-window.ts';
import { HEADER_HEIGHT, ROW_HEIGHT, displayIndexAt, resizableColumnAt } from './geometry.ts';
import type { ColumnLayout } from './geometry.ts';
import { clampPosition } from '../input/selection.ts';
import type { CellPosition } from '../input/selection.ts';
import { MAX_MOVED_ROWS } from '../rows/row-motion.ts';

export interface HitSpace {
  readonly layout: ColumnLayout;
  readonly gutter: number;
  readonly rows: number;
  readonly top: number;
  readonly left: number;
  /** Size of the grid, excluding scroll bars. */
  readonly width: number;
  readonly height: number;
  /** How far below its place a row is painted now; null while all of them are in their places. */
  readonly offset: ((row: number) => number) | null;
}

export interface HitTarget {
  readonly zone: 'corner' | 'header' | 'gutter' | 'cells' | 'outside' | 'scroll-bar';
  /** The nearest cell when the point is outside of all. */
  readonly position: CellPosition;
  /** The place whose right edge can be dragged here. */
  readonly resizable: number | null;
}

export function hitTest(space: HitSpace, x: number, y: number): HitTarget {
  const { layout } = space;
  const at = contentXOf(space, x);
  const row = rowAt(space, y - HEADER_HEIGHT + space.top);
  const displayIndex = displayIndexAt(layout, at);
  const nearest = displayIndex ?? (at < 0 ? 0 : layout.columns.length - 1);
  const position = clampPosition(
    { row, displayIndex: nearest },
    { rows: space.rows, displayColumns: layout.columns.length },
  );
  const isHeader = y < HEADER_HEIGHT;
  const resizable = isHeader && x >= space.gutter ? resizableColumnAt(layout, at) : null;
  const zone = (): HitTarget['zone'] => {
    if (x > space.width || y > space.height) return 'scroll-bar';
    if (isHeader && x < space.gutter) return 'corner';
    if (isHeader) return displayIndex === null && resizable === null ? 'outside' : 'header';
    if (row >= space.rows) return 'outside';
    return x < space.gutter ? 'gutter' : displayIndex === null ? 'outside' : 'cells';
  };
  return { zone: zone(), position, resizable };
}

/** Row that is painted there. The gap of a removed row belongs to the row that is closing the gap. */
function rowAt({ offset, rows }: HitSpace, y: number): number {
  const inPlace = Math.floor(y / ROW_HEIGHT);
  if (!offset) return inPlace;
  const topOf = (row: number): number => row * ROW_HEIGHT + offset(row);
  let row = Math.min(inPlace + MAX_MOVED_ROWS, rows - 1);
  while (row >= 0 && topOf(row) > y) row--;
  return row >= 0 && y < topOf(row) + ROW_HEIGHT ? row : row + 1;
}

/** The place a column dragged to `x` would land before. */
export function dropIndexAt(space: HitSpace, x: number): number {
  const { layout } = space;
  const at = contentXOf(space, x);
  const displayIndex = displayIndexAt(layout, at);
  if (displayIndex === null) return at < 0 ? 0 : layout.columns.length;
  const middle = (layout.edges[displayIndex]! + layout.edges[displayIndex + 1]!) / 2;
  return at < middle ? displayIndex : displayIndex + 1;
}

const contentXOf = ({ layout, gutter, left, width }: HitSpace, x: number): number =>
  contentX(columnWindow(layout, left, Math.max(0, width - gutter)), x - gutter);

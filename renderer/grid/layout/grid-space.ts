// Converts between cells and pixels of the grid's box, at the current scroll position.
import { columnWindow, placeLeft, scrolledPositions } from './column-window.ts';
import type { ColumnWindow } from './column-window.ts';
import { HEADER_HEIGHT, PLAIN_VIEW, ROW_HEIGHT, layoutColumns, visibleRows } from './geometry.ts';
import type { ColumnLayout } from './geometry.ts';
import { hitTest } from './hit-test.ts';
import type { HitSpace, HitTarget } from './hit-test.ts';
import type { RowMotion } from '../rows/row-motion.ts';
import type { CellPosition } from '../input/selection.ts';
import type { Viewport } from './viewport.ts';

/** Zone and cell at a point of the grid. `row` and `column` are the nearest if the point is outside all cells. */
export interface GridHit {
  readonly zone: HitTarget['zone'];
  readonly row: number;
  readonly column: number;
}

export interface CellBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Interval {
  readonly first: number;
  readonly last: number;
}

interface SpaceParts {
  readonly viewport: Viewport;
  readonly motion: RowMotion;
  readonly layout: () => ColumnLayout;
  readonly gutter: () => number;
  readonly rowCount: () => number;
  /** False while nothing is shown: then the pointer is over nothing. */
  readonly isLaidOut: () => boolean;
}

const NO_COLUMNS = layoutColumns(0, PLAIN_VIEW, () => 0);

export class GridSpace {
  readonly #parts: SpaceParts;

  constructor(parts: SpaceParts) {
    this.#parts = parts;
  }

  get gutter(): number {
    return this.#parts.gutter();
  }

  /** `displayColumns` are the scrolled columns, beside the frozen ones. */
  get visible(): { readonly rows: Interval; readonly displayColumns: Interval } {
    const { viewport } = this.#parts;
    return {
      rows: visibleRows(viewport.top, viewport.space),
      displayColumns: scrolledPositions(this.columns),
    };
  }

  get columns(): ColumnWindow {
    const { viewport, layout } = this.#parts;
    return columnWindow(layout(), viewport.left, viewport.cellsWidth);
  }

  get hits(): HitSpace {
    const { viewport, motion, layout, rowCount, isLaidOut } = this.#parts;
    const { top, left, width, height } = viewport;
    if (!isLaidOut())
      return { layout: NO_COLUMNS, gutter: this.gutter, rows: 0, top, left, width, height, offset: null };
    const nowMs = performance.now();
    const offset = motion.isMoving(nowMs) ? (row: number) => motion.offset(row, nowMs) : null;
    return { layout: layout(), gutter: this.gutter, rows: rowCount(), top, left, width, height, offset };
  }

  hitAt(x: number, y: number): GridHit {
    const { zone, position } = hitTest(this.hits, x, y);
    return { zone, row: position.row, column: this.#parts.layout().columns[position.displayIndex] ?? 0 };
  }

  /** The part on screen of what is at a point: a cell, a header, or a row number. */
  hitBoxAt(x: number, y: number): CellBox | null {
    const { zone, position } = hitTest(this.hits, x, y);
    if (zone !== 'cells' && zone !== 'header' && zone !== 'gutter') return null;
    const cell = this.boxOf(position);
    const { width } = this.#parts.viewport;
    const from = zone === 'gutter' ? 0 : Math.max(cell.x, this.gutter);
    const to = zone === 'gutter' ? this.gutter : Math.min(cell.x + cell.width, width);
    const isHeader = zone === 'header';
    const top = isHeader ? 0 : Math.max(cell.y, HEADER_HEIGHT);
    const bottom = isHeader ? HEADER_HEIGHT : cell.y + cell.height;
    return { x: from, y: top, width: to - from, height: bottom - top };
  }

  boxOf({ row, displayIndex }: CellPosition): CellBox {
    const { viewport, motion, layout } = this.#parts;
    const { edges } = layout();
    return {
      x: this.gutter + placeLeft(this.columns, displayIndex),
      y: HEADER_HEIGHT + row * ROW_HEIGHT + motion.offset(row, performance.now()) - viewport.top,
      width: (edges[displayIndex + 1] ?? 0) - (edges[displayIndex] ?? 0),
      height: ROW_HEIGHT,
    };
  }
}

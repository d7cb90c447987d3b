// Paints the grid, once in an animation frame however often it is asked to, and again while something glows or moves.
import type { DraftRow, Frame, SortMark } from './frame.ts';
import type { GridController } from './grid-controller.ts';
import type { GridRows } from './grid-rows.ts';
import type { Painter } from './painter.ts';
import type { RowMotion } from './row-motion.ts';
import type { Viewport } from './viewport.ts';

/** What is painted besides the rows. */
export interface Marks {
  sort: readonly SortMark[];
  draft: DraftRow | null;
  focused: boolean;
  /** Where a dragged header would be dropped: before this place. */
  dropBefore: number | null;
}

interface PaintParts {
  readonly grid: GridController;
  readonly marks: Readonly<Marks>;
  readonly painter: Painter;
  readonly viewport: Viewport;
  readonly motion: RowMotion;
  readonly rows: () => GridRows;
  onPainted(frame: Frame): void;
}

export class PaintLoop {
  readonly #parts: PaintParts;
  #request = 0;

  constructor(parts: PaintParts) {
    this.#parts = parts;
  }

  dispose(): void {
    cancelAnimationFrame(this.#request);
  }

  request(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame(() => this.paint());
  }

  /** Now: what is painted in this task is shown with the next frame. */
  paint(): void {
    const { viewport, painter, motion, rows, onPainted } = this.#parts;
    this.dispose();
    this.#request = 0;
    if (viewport.width === 0 || viewport.height === 0) return;
    const frame = this.#frame();
    rows().want(frame.firstRow, frame.lastRow, viewport.direction);
    painter.paint(frame, viewport.pixelRatio);
    if (rows().glow.isGlowing(frame.nowMs) || motion.isMoving(frame.nowMs)) this.request();
    onPainted(frame);
  }

  #frame(): Frame {
    const { grid, marks, painter, viewport, motion, rows } = this.#parts;
    const { canvas } = painter.context;
    const { source, bounds } = grid;
    const visible = grid.visible;
    const nowMs = performance.now();
    return {
      ...marks,
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      top: viewport.top,
      left: viewport.left,
      gutter: grid.gutter,
      columns: source.columns,
      hiddenColumns: source.hiddenColumns,
      layout: grid.layout,
      firstRow: visible.rows.first,
      lastRow: Math.min(visible.rows.last + motion.rowsMissing(nowMs), bounds.rows - 1),
      firstPlace: visible.places.first,
      lastPlace: visible.places.last,
      bounds,
      selection: grid.selection,
      row: (position) => rows().row(position),
      glow: rows().glow,
      nowMs,
      offset: (row) => motion.offset(row, nowMs),
    };
  }
}

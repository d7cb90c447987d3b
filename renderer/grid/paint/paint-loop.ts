// Paints the grid, once per animation frame however often it is requested, and repeatedly while something glows or moves. Frames in which
// rows only fade repaint only those rows: otherwise several windows with a stream of changes would paint all the time.
import type { DraftRow, Frame, SortColumn } from './frame.ts';
import type { GridSurface } from '../grid-surface.ts';
import type { CellTints } from '../cell-tints.ts';
import type { CellDifferences } from '../companion.ts';
import type { GridRows } from '../rows/grid-rows.ts';
import type { Painter } from './painter.ts';
import type { RowMotion } from '../rows/row-motion.ts';
import type { Viewport } from '../layout/viewport.ts';

/** State that is painted in addition to the rows. */
export interface PaintState {
  sort: readonly SortColumn[];
  draft: DraftRow | null;
  focused: boolean;
  /** A dragged header would be dropped before this position. */
  dropBefore: number | null;
  differenceAt: CellDifferences | null;
  tints: CellTints | null;
}

interface PaintParts {
  readonly grid: GridSurface;
  readonly state: Readonly<PaintState>;
  readonly painter: Painter;
  readonly viewport: Viewport;
  readonly motion: RowMotion;
  readonly rows: () => GridRows;
  onPainted(frame: Frame): void;
  /** Painting threw: nothing is painted from now on. */
  onFailed(error: unknown): void;
}

/** Time between two visible steps of a fading glow: painting more often would make no visible difference. */
const FADE_STEP_MS = 30;

export class PaintLoop {
  readonly #parts: PaintParts;
  #request = 0;
  /** The next frame only needs to paint the next step of a glow. */
  #onlyFades = false;
  #paintedAtMs = -Infinity;

  constructor(parts: PaintParts) {
    this.#parts = parts;
  }

  dispose(): void {
    cancelAnimationFrame(this.#request);
  }

  request(): void {
    this.#onlyFades = false;
    this.#requestFrame();
  }

  /** Paints now: the result is shown with the next frame. */
  paint(): void {
    const { viewport, painter, rows, onPainted } = this.#parts;
    this.dispose();
    this.#request = 0;
    if (viewport.width === 0 || viewport.height === 0) return;
    const frame = this.#frame();
    rows().want(frame.firstRow, frame.lastRow, viewport.direction);
    const paint = this.#parts.grid.isLaidOut ? painter.paint : painter.paintNothing;
    if (!this.#painted(() => paint.call(painter, frame, viewport.pixelRatio))) return;
    this.#paintedAtMs = frame.nowMs;
    this.#goOn(frame);
    onPainted(frame);
  }

  #goOn({ nowMs }: Frame): void {
    const { motion, rows } = this.#parts;
    const isMoving = motion.isMoving(nowMs);
    if (!rows().glow.isGlowing(nowMs) && !isMoving) return;
    this.#onlyFades = !isMoving;
    this.#requestFrame();
  }

  /** Catches errors: in a frame callback they would only reach the console, and the grid would silently stop updating. */
  #painted(paint: () => void): boolean {
    try {
      paint();
      return true;
    } catch (error) {
      this.#parts.onFailed(error);
      return false;
    }
  }

  #requestFrame(): void {
    if (this.#request === 0)
      this.#request = requestAnimationFrame(() => (this.#onlyFades ? this.#fade() : this.paint()));
  }

  #fade(): void {
    const { viewport, painter } = this.#parts;
    this.#request = 0;
    if (performance.now() - this.#paintedAtMs < FADE_STEP_MS) return this.#requestFrame();
    if (!this.#parts.grid.isLaidOut) return;
    const frame = this.#frame();
    const lit = litRows(frame);
    // Also repaints rows that have just faded completely, which are only forgotten afterwards.
    if (lit && !this.#painted(() => painter.paintRows(frame, lit.first, lit.last, viewport.pixelRatio))) return;
    this.#paintedAtMs = frame.nowMs;
    this.#goOn(frame);
  }

  #frame(): Frame {
    const { grid, state, painter, viewport, motion, rows } = this.#parts;
    const { canvas } = painter.context;
    const { source, bounds } = grid;
    const visible = grid.visible;
    const nowMs = performance.now();
    return {
      ...state,
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      top: viewport.top,
      left: viewport.left,
      gutter: grid.gutter,
      columns: grid.shownColumns,
      hiddenColumns: source.hiddenColumns,
      unsaved: source.unsaved ?? null,
      layout: grid.layout,
      firstRow: visible.rows.first,
      lastRow: Math.min(visible.rows.last + motion.rowsMissing(nowMs), bounds.rows - 1),
      firstDisplayIndex: visible.displayColumns.first,
      lastDisplayIndex: visible.displayColumns.last,
      frozen: grid.frozen,
      frozenWidth: grid.frozenWidth,
      bounds,
      selection: grid.selection,
      row: (position) => rows().row(position),
      glow: rows().glow,
      nowMs,
      offset: (row) => motion.offset(row, nowMs),
    };
  }
}

/** Range from the first to the last visible row that glows, or did in the last frame. */
function litRows({ firstRow, lastRow, row, glow }: Frame): { readonly first: number; readonly last: number } | null {
  let [first, last] = [-1, -1];
  for (let position = firstRow; position <= lastRow; position++) {
    const cached = row(position);
    if (!cached || !glow.isKnown(cached)) continue;
    if (first < 0) first = position;
    last = position;
  }
  return first < 0 ? null : { first, last };
}

// Tells the owner of a grid after a paint that the first rows are there, and where the columns are now.
import type { GridEvents } from '../grid-events.ts';
import type { GridSurface } from '../grid-surface.ts';
import { NO_POSITIONS, columnPositions, samePositions } from '../layout/column-positions.ts';

type Events = Pick<GridEvents, 'onFrame' | 'onFirstRows' | 'onColumnsPlaced'>;

type PaintedGrid = Pick<GridSurface, 'isLaidOut'> &
  Parameters<typeof columnPositions>[0] & {
    /** The row; null while it is not loaded. */
    row(position: number): unknown;
  };

export class PaintReport {
  readonly #grid: PaintedGrid;
  readonly #events: Events;
  #firstRowsSeen = false;
  #positions = NO_POSITIONS;

  constructor(grid: PaintedGrid, events: Events) {
    this.#grid = grid;
    this.#events = events;
  }

  /** The next rows are the first of another source. */
  sourceChanged(): void {
    this.#firstRowsSeen = false;
  }

  /** @param isEmpty there are no rows, and no row will arrive */
  painted(firstRow: number, isEmpty: boolean): void {
    this.#events.onFrame();
    if (!this.#grid.isLaidOut) return;
    this.#tellPositions();
    if (this.#firstRowsSeen || !(isEmpty || this.#grid.row(firstRow) !== null)) return;
    this.#firstRowsSeen = true;
    this.#events.onFirstRows();
  }

  #tellPositions(): void {
    const positions = columnPositions(this.#grid);
    if (samePositions(positions, this.#positions)) return;
    this.#positions = positions;
    this.#events.onColumnsPlaced(positions);
  }
}

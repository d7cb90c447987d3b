// Keeps two grids together that show two results of the same question: what is in view, the selection, the widths; and marks cells that differ.
import type { GridController } from './grid-controller.ts';
import { sameCell } from './rows/same-cell.ts';

export type GridSide = 'left' | 'right';

/** `content`: the value itself. `order`: the other side has this row too, elsewhere. */
export type CellMark = 'content' | 'order';

/** What is known of rows beside what both grids have read. */
export interface RowKnowledge {
  /** The other side has this row too, somewhere. */
  isElsewhere(side: GridSide, row: number): boolean;
  /** Row numbers from here on are of no row on that side. */
  readonly rows: Readonly<Record<GridSide, number>>;
}

const OTHER: Readonly<Record<GridSide, GridSide>> = { left: 'right', right: 'left' };

export class GridLink {
  readonly #grids: Record<GridSide, GridController | null> = { left: null, right: null };
  readonly #knows: RowKnowledge;
  #isFollowing = false;
  #sharesWidths = false;

  constructor(knows: RowKnowledge) {
    this.#knows = knows;
  }

  join(side: GridSide, grid: GridController | null): void {
    this.#grids[side] = grid;
    this.#sharesWidths = false;
    if (grid) this.rowsChanged(side);
  }

  scrolled(side: GridSide): void {
    this.#follow(side, (grid, other) => other.scrollTo(grid.scrolledTo));
  }

  selected(side: GridSide): void {
    this.#follow(side, (grid, other) => other.select(grid.selection, false));
  }

  /** Its rows are what the cells of the other one are marked by. */
  rowsChanged(side: GridSide): void {
    const [grid, other] = [this.#grids[side], this.#grids[OTHER[side]]];
    other?.marksChanged();
    if (this.#sharesWidths || !grid?.naturalWidths || !other?.naturalWidths) return;
    this.#sharesWidths = true;
    const [own, theirs] = [grid.naturalWidths, other.naturalWidths];
    const count = Math.max(own.length, theirs.length);
    const widths = Array.from({ length: count }, (_, column) => Math.max(own[column] ?? 0, theirs[column] ?? 0));
    for (const each of [grid, other]) each.setNaturalWidths(widths);
  }

  /** More is known of the rows: marks may be others. */
  refresh(): void {
    for (const grid of Object.values(this.#grids)) grid?.marksChanged();
  }

  /** Null as long as the other side has not read that row. */
  markOf(side: GridSide, row: number, column: number): CellMark | null {
    const [grid, other] = [this.#grids[side], this.#grids[OTHER[side]]];
    if (!grid || !other) return null;
    const isAlone = row >= this.#knows.rows[OTHER[side]];
    if (!isAlone && column < other.source.columns.length) {
      const [here, there] = [grid.row(row), other.row(row)];
      if (!here || !there || sameCell(here, there, column)) return null;
    }
    return this.#knows.isElsewhere(side, row) ? 'order' : 'content';
  }

  #follow(side: GridSide, take: (grid: GridController, other: GridController) => void): void {
    const [grid, other] = [this.#grids[side], this.#grids[OTHER[side]]];
    if (this.#isFollowing || !grid || !other) return;
    // What the follower says meanwhile is an echo, or how far it could go.
    this.#isFollowing = true;
    try {
      take(grid, other);
    } finally {
      this.#isFollowing = false;
    }
  }
}

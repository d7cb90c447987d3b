// Links two grids with results of the same statement: scrolling, selection and widths; also tells which cells differ.
import type { CellDifference, GridCompanion, PairedGrid } from '../../grid/companion.ts';
import { sameCell } from '../../grid/rows/same-cell.ts';

export type GridSide = 'left' | 'right';

/** Facts about rows beyond what both grids have read. */
interface RowKnowledge {
  /** The other side has this row too, at another position. */
  isElsewhere(side: GridSide, row: number): boolean;
  /** Rows from this number on do not exist on that side. */
  readonly rows: Readonly<Record<GridSide, number>>;
}

const OTHER: Readonly<Record<GridSide, GridSide>> = { left: 'right', right: 'left' };

export class LinkedGrids {
  readonly left: GridCompanion = this.#companionOf('left');
  readonly right: GridCompanion = this.#companionOf('right');
  readonly #grids: Record<GridSide, PairedGrid | null> = { left: null, right: null };
  readonly #knows: RowKnowledge;
  #isFollowing = false;
  #sharesWidths = false;

  constructor(knows: RowKnowledge) {
    this.#knows = knows;
  }

  #companionOf(side: GridSide): GridCompanion {
    return {
      sharesWidths: () => this.#sharesWidths || this.#grids[OTHER[side]] === null,
      join: (grid) => {
        this.#grids[side] = grid;
        this.#sharesWidths = false;
        if (grid) this.#rowsChanged(side);
        else this.#grids[OTHER[side]]?.differencesChanged();
      },
      scrolled: () => this.#follow(side, (grid, other) => other.scrollTo(grid.scrolledTo)),
      selected: () => this.#follow(side, (grid, other) => other.select(grid.selection, false)),
      rowsChanged: () => this.#rowsChanged(side),
      differenceAt: (row, column) => this.#differenceAt(side, row, column),
    };
  }

  #rowsChanged(side: GridSide): void {
    const [grid, other] = [this.#grids[side], this.#grids[OTHER[side]]];
    other?.differencesChanged();
    if (this.#sharesWidths || !grid?.naturalWidths || !other?.naturalWidths) return;
    this.#sharesWidths = true;
    const [own, theirs] = [grid.naturalWidths, other.naturalWidths];
    const count = Math.max(own.length, theirs.length);
    const widths = Array.from({ length: count }, (_, column) => Math.max(own[column] ?? 0, theirs[column] ?? 0));
    for (const each of [grid, other]) each.setNaturalWidths(widths);
  }

  #differenceAt(side: GridSide, row: number, column: number): CellDifference | null {
    const [grid, other] = [this.#grids[side], this.#grids[OTHER[side]]];
    if (!grid || !other) return null;
    const isAlone = row >= this.#knows.rows[OTHER[side]];
    if (!isAlone && column < other.source.columns.length) {
      const [here, there] = [grid.row(row), other.row(row)];
      if (!here || !there || sameCell(here, there, column)) return null;
    }
    return this.#knows.isElsewhere(side, row) ? 'order' : 'content';
  }

  #follow(side: GridSide, take: (grid: PairedGrid, other: PairedGrid) => void): void {
    const [grid, other] = [this.#grids[side], this.#grids[OTHER[side]]];
    if (this.#isFollowing || !grid || !other) return;
    // Events of the follower in the meantime are echoes, or say how far it could scroll.
    this.#isFollowing = true;
    try {
      take(grid, other);
    } finally {
      this.#isFollowing = false;
    }
  }
}

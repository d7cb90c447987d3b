// What the grid tells its owner.
import type { GridView } from './layout/geometry.ts';
import type { RowMoves } from './rows/row-follower.ts';
import type { CellPosition } from './input/selection.ts';

export interface GridEvents {
  onSelectionChange(): void;
  /** Other rows or columns are in view. */
  onScrolled(): void;
  /** Painted rows, selection or columns are at rest: mirror them. */
  onSettled(): void;
  /** After each paint: the cell editor follows its cell. */
  onFrame(): void;
  onEdit(position: CellPosition, text: string | null): void;
  /** Rows that are followed are elsewhere now, or gone. */
  onRowsMoved(moves: RowMoves): void;
  /** Values on screen may be others: an open editor looks whether its own is. */
  onRowsChanged(): void;
  onFirstRows(): void;
  onError(error: unknown): void;
  /** It cannot be painted. */
  onFailed(error: unknown): void;
  /** Does it now, or after keys that were pressed before. */
  afterKeys(step: () => void): void;
  onSort(column: number, additive: boolean): void;
  onViewChange(view: GridView): void;
}

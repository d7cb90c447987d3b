// The events a grid sends to its owner.
import type { ColumnPositions } from './layout/column-positions.ts';
import type { GridView } from './layout/geometry.ts';
import type { CellPosition } from './input/selection.ts';

export interface GridEvents {
  onSelectionChange(): void;
  /** Other rows or columns are in view. */
  onScrolled(): void;
  /** Painting, selection and columns have come to rest: update the mirror. */
  onSettled(): void;
  /** Called after each paint: the cell editor follows its cell. */
  onFrame(): void;
  onEdit(position: CellPosition, text: string | null): void;
  /** Followed rows have moved, or are gone. */
  onRowsMoved(): void;
  /** The row under the cursor has left its place: keys wait until it is found, because they are meant for it. */
  onSearch(search: Promise<void>): void;
  /** Values on screen may have changed: an open editor checks its own. */
  onRowsChanged(): void;
  onFirstRows(): void;
  onError(error: unknown): void;
  /** Painting failed. */
  onFailed(error: unknown): void;
  /** Runs `step` now, or after keys that were pressed before. */
  afterKeys(step: () => void): void;
  onSort(column: number, additive: boolean): void;
  onViewChange(view: GridView): void;
  /** Called after a paint if columns are in other places than after the one before. */
  onColumnsPlaced(places: ColumnPositions): void;
}

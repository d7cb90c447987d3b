// Colors that the owner of a grid gives to cells.
import type { CachedRow } from './rows/row-cache.ts';

export const TINT_COLORS = ['green', 'blue', 'purple', 'orange', 'red'] as const;
export type TintColor = (typeof TINT_COLORS)[number];

export interface CellTint {
  readonly color: TintColor;
  /** Above 0: the part of the cell's width that is painted, from the left. 1 is the whole cell. */
  readonly share: number;
}

/** Called for each cell that is painted. @param column of the source */
export type CellTints = (row: CachedRow, column: number) => CellTint | null;

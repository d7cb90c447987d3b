// What a source shows in place of stored rows while changes wait to be saved: other values, rows to be added, and marks.
import type { CachedRow } from './rows/row-cache.ts';

/** `changed`: differs from the stored value. `conflict`: others have changed the stored value, too. `deleted`, `added`: the whole row. */
export type UnsavedMark = 'changed' | 'conflict' | 'deleted' | 'added';

export interface UnsavedRows {
  /** Shown after the last stored row. */
  readonly added: readonly CachedRow[];
  /** The row with its unsaved values; `row` itself if it has none. The same object until the unsaved values change. */
  shown(row: CachedRow): CachedRow;
  /** Whether a row to be added has no value there, so that it gets the default of the column. @param row as it is shown */
  isUnset(row: CachedRow, column: number): boolean;
  /** @param row as it is shown */
  markOf(row: CachedRow, column: number): UnsavedMark | null;
}

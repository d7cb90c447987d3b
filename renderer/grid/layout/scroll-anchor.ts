// Keeps the visible rows in place when rows above them are added or removed.
import { ROW_HEIGHT } from './geometry.ts';
import type { GridSource } from '../grid-source.ts';
import { destinationsOf } from '../rows/row-patch.ts';
import type { RangeChange } from '../rows/row-patch.ts';
import type { Viewport } from './viewport.ts';

/** How many rows the first visible row that still exists has moved; null if none exists. */
export function shiftOf(change: RangeChange, first: number, last: number): number | null {
  const destinations = destinationsOf(change);
  for (let row = first; row <= last; row++) {
    const destination = destinations[row - change.start];
    if (destination !== undefined && destination >= 0) return destination - (row - change.start);
  }
  return null;
}

/** The rows on screen before the patch. */
interface SeenRows {
  readonly top: number;
  readonly first: number;
  readonly last: number;
}

/** Scrolls with the rows after a patch. `onLate`: called if the row had to be located first. */
export function scrollAlong(
  change: RangeChange,
  { top, first, last }: SeenRows,
  viewport: Viewport,
  source: GridSource,
  onLate: () => void,
): void {
  // At the very top, added rows are shown instead.
  if (top === 0) return;
  const shift = shiftOf(change, first, last);
  if (shift !== null) return viewport.holdAt(top + shift * ROW_HEIGHT);
  const row = change.before[first - change.start];
  const topNow = viewport.top;
  void (row && source.locate(row))?.then(
    (found) => {
      if (found === null || viewport.top !== topNow) return;
      viewport.holdAt(top + (found - first) * ROW_HEIGHT);
      onLate();
    },
    () => undefined, // the reader was closed: another source will follow
  );
}

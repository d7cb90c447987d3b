// Keeps what a person looks at where it is on screen when rows above it come or go.
import { ROW_HEIGHT } from './geometry.ts';
import type { GridSource } from '../grid-source.ts';
import { destinationsOf } from '../rows/row-patch.ts';
import type { RangeChange } from '../rows/row-patch.ts';
import type { Viewport } from './viewport.ts';

/** By how many rows the first row on screen that is still there has moved; null when none of them is. */
export function shiftOf(change: RangeChange, first: number, last: number): number | null {
  const destinations = destinationsOf(change);
  for (let row = first; row <= last; row++) {
    const destination = destinations[row - change.start];
    if (destination !== undefined && destination >= 0) return destination - (row - change.start);
  }
  return null;
}

/** What was on screen before the patch. */
export interface SeenRows {
  readonly top: number;
  readonly first: number;
  readonly last: number;
}

/** Scrolls with the rows after a patch. `onLate`: the row had first to be found. */
export function scrollAlong(
  change: RangeChange,
  { top, first, last }: SeenRows,
  viewport: Viewport,
  source: GridSource,
  onLate: () => void,
): void {
  // At the very top there is nothing above: what comes there is shown.
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
    () => undefined, // lost with its reader: what comes next is another source
  );
}

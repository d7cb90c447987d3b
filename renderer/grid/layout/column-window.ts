// Columns in view and their positions: the frozen ones stay at the left, the others scroll beside them. Pixels count from the row numbers.
import { visibleColumns } from './geometry.ts';
import type { ColumnLayout } from './geometry.ts';

/** Frozen columns leave at least this much for the others; frozen columns that do not fit scroll with the others. */
const MIN_SCROLLED_WIDTH = 120;

export interface ColumnWindow {
  readonly layout: ColumnLayout;
  /** How many places at the left do not scroll now. */
  readonly frozen: number;
  /** Width of all frozen columns together. */
  readonly frozenWidth: number;
  /** How far the other columns are scrolled. */
  readonly left: number;
  /** Room for all columns in view. */
  readonly width: number;
}

export function columnWindow(layout: ColumnLayout, left: number, width: number): ColumnWindow {
  let { frozen } = layout;
  while (frozen > 0 && layout.edges[frozen]! > width - MIN_SCROLLED_WIDTH) frozen--;
  return { layout, frozen, frozenWidth: layout.edges[frozen]!, left, width };
}

/** Left edge of a place. */
export const placeLeft = ({ layout, frozen, left }: ColumnWindow, displayIndex: number): number =>
  (layout.edges[displayIndex] ?? 0) - (displayIndex < frozen ? 0 : left);

/** Position of `x` among all columns, as if nothing was scrolled. */
export const contentX = ({ frozen, frozenWidth, left }: ColumnWindow, x: number): number =>
  frozen > 0 && x < frozenWidth ? x : x + left;

/** First and last scrolled place with at least one visible pixel; `last` is before `first` if there are none. */
export function scrolledPositions({ layout, frozen, frozenWidth, left, width }: ColumnWindow): {
  readonly first: number;
  readonly last: number;
} {
  const { first, last } = visibleColumns(layout, left + frozenWidth, Math.max(1, width - frozenWidth));
  return { first: Math.max(first, frozen), last };
}

/**
 * Scrolls as little as needed to show the place beside the frozen ones; if the place is wider than the room there, its left edge is shown.
 */
export function leftToShow({ layout, frozen, frozenWidth, left, width }: ColumnWindow, displayIndex: number): number {
  if (displayIndex < frozen) return left;
  const start = layout.edges[displayIndex]! - frozenWidth;
  const end = layout.edges[displayIndex + 1]! - frozenWidth;
  const room = width - frozenWidth;
  if (start < left || end - start > room) return start;
  return end > left + room ? end - room : left;
}

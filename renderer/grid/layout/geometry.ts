// Positions of rows and columns: converts pixels to rows and back for any number of rows, and computes column edges for any number of
// columns.
import { lastWhere } from '#shared/binary-search.ts';

/** Row height of every grid of the window, in pixels. Grids on screen follow once an attribute of the document changes. */
export let ROW_HEIGHT = 25;

export function setRowHeight(pixels: number): void {
  ROW_HEIGHT = pixels;
}

export const HEADER_HEIGHT = 29;
export const MIN_COLUMN_WIDTH = 40;
export const MAX_COLUMN_WIDTH = 1200;
export const DEFAULT_COLUMN_WIDTH = 160;

/**
 * Chromium clamps a box at 33,554,428 physical pixels (2^25 layout units of 1/64 px), so page zoom and a dense display
 * eat into it: this leaves room for a factor of four. Higher tables are scrolled in proportion.
 */
export const MAX_SCROLL_HEIGHT = 8_000_000;

/** The vertical space: everything below the header. */
export interface ScrollSpace {
  readonly rows: number;
  readonly viewportHeight: number;
}

/** `top` is authoritative (pixels from the first row); `scrollTop` is the matching position of the native scroll bar. */
export interface ScrollState {
  readonly top: number;
  readonly scrollTop: number;
}

export const contentHeight = (rows: number): number => rows * ROW_HEIGHT;

/** Height of the scrolled element. */
export const scrollHeight = (rows: number): number => Math.min(contentHeight(rows), MAX_SCROLL_HEIGHT);

const maxTop = (space: ScrollSpace): number => Math.max(0, contentHeight(space.rows) - space.viewportHeight);
const maxScrollTop = (space: ScrollSpace): number => Math.max(0, scrollHeight(space.rows) - space.viewportHeight);
const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Returns the state that shows `top` (clamped to the content). */
export function scrollTo(top: number, space: ScrollSpace): ScrollState {
  const range = maxTop(space);
  const kept = clamp(top, 0, range);
  return { top: kept, scrollTop: range === 0 ? 0 : (kept / range) * maxScrollTop(space) };
}

/**
 * The native scroll bar moved to `scrollTop`. Steps of a wheel, touch pad or page key move the rows by the same number of pixels; a jump
 * (dragging the thumb) moves them in proportion.
 */
export function scrolled(state: ScrollState, scrollTop: number, space: ScrollSpace): ScrollState {
  const range = maxTop(space);
  const scrollRange = maxScrollTop(space);
  if (range === scrollRange) return { top: clamp(scrollTop, 0, range), scrollTop };
  const step = scrollTop - state.scrollTop;
  const isJump = Math.abs(step) > Math.max(1000, space.viewportHeight * 2);
  const top = isJump ? (scrollTop / scrollRange) * range : state.top + step;
  return { top: clamp(top, 0, range), scrollTop };
}

/**
 * After steps, the scroll bar has moved further than its share. True if it must be corrected now, because it is at an end where it would
 * swallow the next step although there are more rows; otherwise that can wait for a quiet moment.
 */
export function mustResync(state: ScrollState, space: ScrollSpace): boolean {
  const atStart = state.scrollTop <= 0 && state.top > 0;
  const atEnd = state.scrollTop >= maxScrollTop(space) - 1 && state.top < maxTop(space);
  return atStart || atEnd;
}

/** Scrolls as little as needed to show `row` completely. */
export function scrollToRow(state: ScrollState, row: number, space: ScrollSpace): ScrollState {
  const y = row * ROW_HEIGHT;
  if (y < state.top) return scrollTo(y, space);
  if (y + ROW_HEIGHT > state.top + space.viewportHeight) return scrollTo(y + ROW_HEIGHT - space.viewportHeight, space);
  return state;
}

/** Shows `row` with rows above and below it: nothing moves if rows on both sides are in view, otherwise the row is placed a third down. */
export function scrollToAround(state: ScrollState, row: number, space: ScrollSpace): ScrollState {
  const y = row * ROW_HEIGHT;
  const { viewportHeight } = space;
  if (viewportHeight < ROW_HEIGHT * 4) return scrollToRow(state, row, space);
  const hasAbove = y - ROW_HEIGHT >= state.top;
  const hasBelow = y + ROW_HEIGHT * 2 <= state.top + viewportHeight;
  if (hasAbove && hasBelow) return state;
  const next = scrollTo(Math.max(0, y - Math.floor(viewportHeight / 3)), space);
  return next.top === state.top ? state : next;
}

/** First and last row with at least one visible pixel; `last` is −1 if there are no rows. */
export function visibleRows(top: number, space: ScrollSpace): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT));
  const last = Math.min(space.rows, Math.ceil((top + space.viewportHeight) / ROW_HEIGHT)) - 1;
  return { first, last };
}

/** The arrangement of columns, by index into the source's columns, so that duplicate names do no harm. */
export interface GridView {
  /** Source columns in display order; missing columns follow. */
  readonly order: readonly number[];
  readonly widths: Readonly<Record<number, number>>;
  readonly hidden: readonly number[];
  /** How many of the shown columns stay at the left when the others are scrolled. */
  readonly frozen: number;
}

export const PLAIN_VIEW: GridView = { order: [], widths: {}, hidden: [], frozen: 0 };

/** A *place* is a position among the shown columns; a *column* is an index into the source's columns. */
export interface ColumnLayout {
  /** Column at each place. */
  readonly columns: readonly number[];
  /** Left edge of each place, and the right edge of the last: one more entry than places. */
  readonly edges: Float64Array;
  readonly width: number;
  /** How many places stay at the left, if there is room. */
  readonly frozen: number;
}

/** Every column in display order, hidden ones in their places. */
export function fullOrder(count: number, { order }: Pick<GridView, 'order'>): number[] {
  const known = new Set(order.filter((column) => column >= 0 && column < count));
  const columns = [...known];
  for (let column = 0; column < count; column++) if (!known.has(column)) columns.push(column);
  return columns;
}

/** `naturalWidth` is called for columns the user has not resized. */
export function layoutColumns(count: number, view: GridView, naturalWidth: (column: number) => number): ColumnLayout {
  const hidden = new Set(view.hidden);
  const columns = fullOrder(count, view);
  const shown = columns.filter((column) => !hidden.has(column));
  const edges = new Float64Array(shown.length + 1);
  shown.forEach((column, displayIndex) => {
    const width = clamp(Math.round(view.widths[column] ?? naturalWidth(column)), MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH);
    edges[displayIndex + 1] = edges[displayIndex]! + width;
  });
  return {
    columns: shown,
    edges,
    width: edges[shown.length]!,
    frozen: clamp(Math.floor(view.frozen), 0, shown.length),
  };
}

/** The place at `x` of the content, or null right of the last column. */
export function displayIndexAt(layout: ColumnLayout, x: number): number | null {
  if (x < 0 || x >= layout.width) return null;
  return lastWhere(layout.columns.length, (index) => layout.edges[index]! <= x);
}

/** First and last place with at least one visible pixel; `last` is −1 if there are no columns. */
export function visibleColumns(
  layout: ColumnLayout,
  left: number,
  width: number,
): { readonly first: number; readonly last: number } {
  if (layout.columns.length === 0 || left >= layout.width) return { first: 0, last: -1 };
  return {
    first: displayIndexAt(layout, Math.max(0, left)) ?? 0,
    last: displayIndexAt(layout, left + width - 1) ?? layout.columns.length - 1,
  };
}

/** The place whose right edge is within reach of `x`, for resizing. */
export function resizableColumnAt(layout: ColumnLayout, x: number, reach = 4): number | null {
  const displayIndex = displayIndexAt(layout, Math.min(Math.max(0, x), layout.width - 1));
  if (displayIndex === null) return null;
  if (Math.abs(layout.edges[displayIndex + 1]! - x) <= reach) return displayIndex;
  if (displayIndex > 0 && Math.abs(layout.edges[displayIndex]! - x) <= reach) return displayIndex - 1;
  return null;
}

/** Least number of digits for which row numbers have room, so that most tables have their columns at the same places. */
const GUTTER_DIGITS = 4;
const DIGIT_WIDTH = 7.2;
const GUTTER_PADDING = 20;
/** A number with more digits than there is room for is painted narrower; it can be read up to this part of its width. */
const NARROWEST = 0.7;

const digitsOf = (rows: number): number => String(Math.max(1, rows)).length;

/** Width of the row numbers, for the number of digits in the last one. */
export const gutterWidth = (rows: number): number =>
  Math.ceil(Math.max(GUTTER_DIGITS, digitsOf(rows)) * DIGIT_WIDTH + GUTTER_PADDING);

/** Room for a row number, with less space before the number than where the number fits. */
export const numberRoom = (gutter: number): number => gutter - GUTTER_PADDING + 7;

/** Width of the row numbers for other rows in the same columns: the same, unless their numbers could not be read. */
export const keptGutterWidth = (gutter: number, rows: number): number =>
  digitsOf(rows) * DIGIT_WIDTH * NARROWEST <= numberRoom(gutter) ? gutter : gutterWidth(rows);

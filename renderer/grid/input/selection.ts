// Selections of cells: pure values, in rows and display indexes (see geometry.ts), shared by mouse, keyboard and copy.

export interface CellPosition {
  readonly row: number;
  readonly displayIndex: number;
}

/** `rows` spans all columns, `columns` all rows, even if their number changes. */
export type Span = 'cells' | 'rows' | 'columns' | 'all';

interface SelectedRange {
  readonly span: Span;
  /** The fixed corner. In the last range this is the current cell. */
  readonly from: CellPosition;
  /** The corner that moves with Shift. */
  readonly to: CellPosition;
}

/** Never empty; the last range is the active one. */
export interface Selection {
  readonly ranges: readonly [SelectedRange, ...SelectedRange[]];
}

export interface Bounds {
  readonly rows: number;
  readonly displayColumns: number;
}

/** Both ends included. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

const single = (span: Span, position: CellPosition): Selection => ({
  ranges: [{ span, from: position, to: position }],
});

export const FIRST_CELL: Selection = single('cells', { row: 0, displayIndex: 0 });

export const activeRange = (selection: Selection): SelectedRange => selection.ranges[selection.ranges.length - 1]!;

/** The current cell. */
export const cursorOf = (selection: Selection): CellPosition => activeRange(selection).from;

/** The corner that moves, which must stay in view while the selection grows. */
export const headOf = (selection: Selection): CellPosition => activeRange(selection).to;

export const selectCell = (position: CellPosition): Selection => single('cells', position);

/** Moves the free corner of the active range (Shift). */
export function extendTo(selection: Selection, to: CellPosition, span: Span = activeRange(selection).span): Selection {
  const active = activeRange(selection);
  return {
    ranges: [...selection.ranges.slice(0, -1), { span, from: active.from, to }] as unknown as Selection['ranges'],
  };
}

/** Starts one more range (Ctrl). */
export const addRange = (selection: Selection, position: CellPosition, span: Span = 'cells'): Selection => ({
  ranges: [...selection.ranges, { span, from: position, to: position }],
});

export interface Modifiers {
  readonly extend: boolean;
  readonly add: boolean;
}

/** Selection after a click with these modifiers. */
export function clicked(selection: Selection, position: CellPosition, span: Span, modifiers: Modifiers): Selection {
  if (modifiers.extend) return extendTo(selection, position, span);
  return modifiers.add ? addRange(selection, position, span) : single(span, position);
}

export const selectAll = (selection: Selection): Selection => single('all', cursorOf(selection));

/** Widens the active range to whole rows or columns, keeping its corners. */
export const widened = (selection: Selection, span: 'rows' | 'columns'): Selection =>
  extendTo(
    selection,
    headOf(selection),
    activeRange(selection).span === 'cells' || activeRange(selection).span === span ? span : 'all',
  );

export function rowsOf(range: SelectedRange, bounds: Bounds): Interval {
  if (range.span === 'columns' || range.span === 'all') return { first: 0, last: bounds.rows - 1 };
  return {
    first: Math.min(range.from.row, range.to.row),
    last: Math.min(Math.max(range.from.row, range.to.row), bounds.rows - 1),
  };
}

export function placesOf(range: SelectedRange, bounds: Bounds): Interval {
  if (range.span === 'rows' || range.span === 'all') return { first: 0, last: bounds.displayColumns - 1 };
  return {
    first: Math.min(range.from.displayIndex, range.to.displayIndex),
    last: Math.min(Math.max(range.from.displayIndex, range.to.displayIndex), bounds.displayColumns - 1),
  };
}

const within = (value: number, interval: Interval): boolean => value >= interval.first && value <= interval.last;

export const isSelected = (selection: Selection, row: number, displayIndex: number, bounds: Bounds): boolean =>
  selection.ranges.some((range) => within(row, rowsOf(range, bounds)) && within(displayIndex, placesOf(range, bounds)));

/** True if exactly the current cell is selected: it is outlined instead of tinted. */
export function isSingleCell(selection: Selection): boolean {
  const { span, from, to } = activeRange(selection);
  return (
    selection.ranges.length === 1 && span === 'cells' && from.row === to.row && from.displayIndex === to.displayIndex
  );
}

/** True if whole rows (or everything) are selected, so row commands are unambiguous. */
export const selectsWholeRows = (selection: Selection): boolean =>
  selection.ranges.every((range) => range.span === 'rows' || range.span === 'all');

/** Sorted, without overlaps. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  const merged: Interval[] = [];
  for (const interval of [...intervals].sort((a, b) => a.first - b.first)) {
    if (interval.last < interval.first) continue;
    const before = merged[merged.length - 1];
    if (before && interval.first <= before.last + 1) {
      merged[merged.length - 1] = { first: before.first, last: Math.max(before.last, interval.last) };
    } else merged.push(interval);
  }
  return merged;
}

export const selectedRows = (selection: Selection, bounds: Bounds): readonly Interval[] =>
  mergeIntervals(selection.ranges.map((range) => rowsOf(range, bounds)));

export const selectedColumns = (selection: Selection, bounds: Bounds): readonly Interval[] =>
  mergeIntervals(selection.ranges.map((range) => placesOf(range, bounds)));

export const countOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, interval) => sum + interval.last - interval.first + 1, 0);

export const clampPosition = (position: CellPosition, bounds: Bounds): CellPosition => ({
  row: Math.min(Math.max(position.row, 0), Math.max(0, bounds.rows - 1)),
  displayIndex: Math.min(Math.max(position.displayIndex, 0), Math.max(0, bounds.displayColumns - 1)),
});

/** The selection after the number of rows or columns decreased. */
export function clampSelection(selection: Selection, bounds: Bounds): Selection {
  const fits = (position: CellPosition): boolean =>
    position.row < Math.max(1, bounds.rows) && position.displayIndex < Math.max(1, bounds.displayColumns);
  if (selection.ranges.every((range) => fits(range.from) && fits(range.to))) return selection;
  const ranges = selection.ranges.map((range) => ({
    ...range,
    from: clampPosition(range.from, bounds),
    to: clampPosition(range.to, bounds),
  }));
  return { ranges: ranges as unknown as Selection['ranges'] };
}

/** The selection after columns moved: every corner stays with its column. */
export function moveColumns(selection: Selection, newPlaceOf: (displayIndex: number) => number): Selection {
  const move = (position: CellPosition): CellPosition => ({
    row: position.row,
    displayIndex: newPlaceOf(position.displayIndex),
  });
  const ranges = selection.ranges.map((range) => ({ ...range, from: move(range.from), to: move(range.to) }));
  return { ranges: ranges as unknown as Selection['ranges'] };
}

/** The corners of the ranges, two each: where a row must be followed when rows move. */
export const cornersOf = (selection: Selection): readonly CellPosition[] =>
  selection.ranges.flatMap(({ from, to }) => [from, to]);

/** The selection after rows moved: `rows` are those of its corners, in the order of {@link cornersOf}. */
export function placeRows(selection: Selection, rows: readonly number[]): Selection {
  const ranges = selection.ranges.map((range, index) => ({
    ...range,
    from: { ...range.from, row: rows[2 * index]! },
    to: { ...range.to, row: rows[2 * index + 1]! },
  }));
  return { ranges: ranges as unknown as Selection['ranges'] };
}

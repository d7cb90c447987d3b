import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import {
  FIRST_CELL,
  addRange,
  clampSelection,
  clicked,
  countOf,
  cursorOf,
  extendTo,
  headOf,
  isSelected,
  isSingleCell,
  mergeIntervals,
  moveColumns,
  selectAll,
  selectCell,
  selectedColumns,
  selectedRows,
  selectsWholeRows,
  widened,
} from './selection.ts';

const bounds = { rows: 100, displayColumns: 10 };
const plain = { extend: false, add: false };

test('a range covers the cells between its corners, in any direction', () => {
  const cell = fc.record({ row: fc.nat(99), displayIndex: fc.nat(9) });
  fc.assert(
    fc.property(cell, cell, cell, (from, to, probe) => {
      const selection = extendTo(selectCell(from), to);
      const inside =
        probe.row >= Math.min(from.row, to.row) &&
        probe.row <= Math.max(from.row, to.row) &&
        probe.displayIndex >= Math.min(from.displayIndex, to.displayIndex) &&
        probe.displayIndex <= Math.max(from.displayIndex, to.displayIndex);
      expect(isSelected(selection, probe.row, probe.displayIndex, bounds)).toBe(inside);
      expect(cursorOf(selection)).toEqual(from);
      expect(headOf(selection)).toEqual(to);
    }),
    { seed: 20_263, numRuns: seedCount(100) },
  );
});

test('rows span every column, columns every row, also those that come later', () => {
  const rows = clicked(FIRST_CELL, { row: 5, displayIndex: 3 }, 'rows', plain);
  expect(isSelected(rows, 5, 9, bounds)).toBe(true);
  expect(isSelected(rows, 5, 15, { ...bounds, displayColumns: 20 })).toBe(true);
  expect(selectsWholeRows(rows)).toBe(true);
  const columns = clicked(FIRST_CELL, { row: 5, displayIndex: 3 }, 'columns', plain);
  expect(selectedRows(columns, { ...bounds, rows: 5_000_000 })).toEqual([{ first: 0, last: 4_999_999 }]);
  expect(selectsWholeRows(columns)).toBe(false);
});

test('Shift extends, Ctrl adds, a click starts anew', () => {
  const first = clicked(FIRST_CELL, { row: 2, displayIndex: 2 }, 'cells', plain);
  const extended = clicked(first, { row: 4, displayIndex: 3 }, 'cells', { extend: true, add: false });
  const added = clicked(extended, { row: 9, displayIndex: 0 }, 'cells', { extend: false, add: true });
  expect(selectedRows(added, bounds)).toEqual([
    { first: 2, last: 4 },
    { first: 9, last: 9 },
  ]);
  expect(cursorOf(added)).toEqual({ row: 9, displayIndex: 0 });
  expect(isSingleCell(added)).toBe(false);
  expect(isSingleCell(clicked(added, { row: 1, displayIndex: 1 }, 'cells', plain))).toBe(true);
});

test('everything keeps the current cell', () => {
  const all = selectAll(selectCell({ row: 7, displayIndex: 7 }));
  expect(cursorOf(all)).toEqual({ row: 7, displayIndex: 7 });
  expect(countOf(selectedRows(all, bounds)) * countOf(selectedColumns(all, bounds))).toBe(1000);
});

test('rows and columns together are everything', () => {
  expect(widened(widened(FIRST_CELL, 'rows'), 'columns').ranges[0].span).toBe('all');
  expect(widened(widened(FIRST_CELL, 'rows'), 'rows').ranges[0].span).toBe('rows');
});

test('intervals are sorted and joined where they touch', () => {
  const interval = fc.tuple(fc.nat(40), fc.nat(6)).map(([first, length]) => ({ first, last: first + length }));
  fc.assert(
    fc.property(fc.array(interval), (intervals) => {
      const merged = mergeIntervals(intervals);
      const covered = new Set(
        intervals.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at)),
      );
      expect(countOf(merged)).toBe(covered.size);
      merged.slice(1).forEach((next, index) => expect(next.first).toBeGreaterThan(merged[index]!.last + 1));
    }),
    { seed: 20_264, numRuns: seedCount(100) },
  );
});

test('fewer rows pull the selection in; otherwise it is the same object', () => {
  const selection = extendTo(selectCell({ row: 90, displayIndex: 9 }), { row: 99, displayIndex: 9 });
  expect(clampSelection(selection, bounds)).toBe(selection);
  const clamped = clampSelection(selection, { rows: 50, displayColumns: 5 });
  expect(cursorOf(clamped)).toEqual({ row: 49, displayIndex: 4 });
  expect(cursorOf(clampSelection(selection, { rows: 0, displayColumns: 0 }))).toEqual({ row: 0, displayIndex: 0 });
});

test('a moved column takes its selection along', () => {
  const moved = moveColumns(
    addRange(selectCell({ row: 1, displayIndex: 0 }), { row: 2, displayIndex: 4 }),
    (displayIndex) => 9 - displayIndex,
  );
  expect(moved.ranges.map((range) => range.from.displayIndex)).toEqual([9, 5]);
});

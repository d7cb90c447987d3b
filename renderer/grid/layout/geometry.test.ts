import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MAX_SCROLL_HEIGHT,
  MIN_COLUMN_WIDTH,
  PLAIN_VIEW,
  ROW_HEIGHT,
  contentHeight,
  layoutColumns,
  mustResync,
  displayIndexAt,
  resizableColumnAt,
  scrollHeight,
  scrollTo,
  scrollToAround,
  scrollToRow,
  scrolled,
  visibleColumns,
  visibleRows,
} from './geometry.ts';

const seeded = { seed: 20_262 };
const space = { rows: 5_000_000, viewportHeight: 700 };
const spaces = fc.record({
  rows: fc.integer({ min: 0, max: 2 ** 40 }),
  viewportHeight: fc.integer({ min: 0, max: 3000 }),
});

test('any row of any table can be scrolled to, and the bar stands within its range', () => {
  fc.assert(
    fc.property(spaces, fc.double({ min: 0, max: 1, noNaN: true }), (anySpace, share) => {
      const row = Math.floor(share * Math.max(0, anySpace.rows - 1));
      const state = scrollToRow({ top: 0, scrollTop: 0 }, row, anySpace);
      expect(state.scrollTop).toBeGreaterThanOrEqual(0);
      expect(state.scrollTop).toBeLessThanOrEqual(MAX_SCROLL_HEIGHT);
      const { first, last } = visibleRows(state.top, anySpace);
      if (anySpace.rows > 0 && anySpace.viewportHeight >= ROW_HEIGHT) {
        expect(row).toBeGreaterThanOrEqual(first);
        expect(row).toBeLessThanOrEqual(last);
      }
    }),
    seeded,
  );
});

test('the ends of the bar are the ends of the table', () => {
  const bottom = contentHeight(space.rows) - space.viewportHeight;
  expect(scrollTo(Infinity, space)).toEqual({
    top: bottom,
    scrollTop: scrollHeight(space.rows) - space.viewportHeight,
  });
  expect(scrolled({ top: 0, scrollTop: 0 }, scrollHeight(space.rows) - space.viewportHeight, space).top).toBe(bottom);
  expect(scrolled({ top: bottom, scrollTop: MAX_SCROLL_HEIGHT - 700 }, 0, space).top).toBe(0);
});

test('small steps move pixel for pixel, however high the table', () => {
  const start = scrollTo(60_000_000, space);
  expect(scrolled(start, start.scrollTop + 40, space).top).toBeCloseTo(60_000_040, 6);
  expect(scrolled(start, start.scrollTop - 100, space).top).toBeCloseTo(59_999_900, 6);
});

test('a jump moves in proportion', () => {
  const half = (scrollHeight(space.rows) - space.viewportHeight) / 2;
  expect(scrolled({ top: 0, scrollTop: 0 }, half, space).top).toBeCloseTo(
    (contentHeight(space.rows) - space.viewportHeight) / 2,
    3,
  );
});

test('a low table is scrolled by the browser alone', () => {
  const low = { rows: 1000, viewportHeight: 500 };
  expect(scrolled({ top: 0, scrollTop: 0 }, 12_345, low)).toEqual({ top: 12_345, scrollTop: 12_345 });
});

test('a bar that stands at an end too early is put back at once', () => {
  expect(mustResync({ top: 5000, scrollTop: 0 }, space)).toBe(true);
  expect(mustResync({ top: 0, scrollTop: 0 }, space)).toBe(false);
  expect(mustResync({ top: 5000, scrollTop: 300 }, space)).toBe(false);
  expect(mustResync({ top: 5000, scrollTop: MAX_SCROLL_HEIGHT - 700 }, space)).toBe(true);
});

test('scrolling to a row in view changes nothing', () => {
  const state = scrollTo(1000 * ROW_HEIGHT, space);
  expect(scrollToRow(state, 1003, space)).toBe(state);
  expect(scrollToRow(state, 999, space).top).toBe(999 * ROW_HEIGHT);
  expect(scrollToRow(state, 1028, space).top).toBe(1029 * ROW_HEIGHT - 700);
});

test('a row that is gone to has rows around it, except at the ends', () => {
  const state = scrollTo(1000 * ROW_HEIGHT, space);
  expect(scrollToAround(state, 1003, space)).toBe(state);
  expect(scrollToAround(state, 1026, space)).toBe(state);
  const third = Math.floor(space.viewportHeight / 3);
  for (const row of [999, 1000, 1027, 1028, 4000])
    expect(scrollToAround(state, row, space).top).toBe(row * ROW_HEIGHT - third);
  expect(scrollToAround(state, 2, space).top).toBe(0);
  const end = scrollToAround(state, space.rows - 1, space);
  expect(end.top).toBe(space.rows * ROW_HEIGHT - space.viewportHeight);
  expect(scrollToAround(end, space.rows - 1, space)).toBe(end);
  const low = { rows: 100, viewportHeight: ROW_HEIGHT * 2 };
  expect(scrollToAround({ top: 0, scrollTop: 0 }, 1, low).top).toBe(0);
});

test('without rows nothing is visible', () =>
  expect(visibleRows(0, { rows: 0, viewportHeight: 700 })).toEqual({ first: 0, last: -1 }));

const natural = (column: number): number => 50 + (column % 7) * 20;

test('every x inside the columns belongs to the place whose edges enclose it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 }), fc.double({ min: 0, max: 0.9999, noNaN: true }), (count, share) => {
      const layout = layoutColumns(count, PLAIN_VIEW, natural);
      const x = share * layout.width;
      const displayIndex = displayIndexAt(layout, x)!;
      expect(layout.edges[displayIndex]!).toBeLessThanOrEqual(x);
      expect(layout.edges[displayIndex + 1]!).toBeGreaterThan(x);
    }),
    seeded,
  );
});

test('order, widths and hidden columns; what is not named follows', () => {
  const layout = layoutColumns(5, { ...PLAIN_VIEW, order: [3, 1, 99], widths: { 3: 200, 1: 5 }, hidden: [0] }, natural);
  expect(layout.columns).toEqual([3, 1, 2, 4]);
  expect([...layout.edges]).toEqual([0, 200, 200 + MIN_COLUMN_WIDTH, 330, 460]);
});

test('only columns with a visible pixel are visible', () => {
  const layout = layoutColumns(10, PLAIN_VIEW, () => 100);
  expect(visibleColumns(layout, 150, 200)).toEqual({ first: 1, last: 3 });
  expect(visibleColumns(layout, 100, 100)).toEqual({ first: 1, last: 1 });
  expect(visibleColumns(layout, 0, 5000)).toEqual({ first: 0, last: 9 });
  expect(visibleColumns(layout, 1000, 100)).toEqual({ first: 0, last: -1 });
  expect(visibleColumns(layoutColumns(0, PLAIN_VIEW, natural), 0, 100)).toEqual({ first: 0, last: -1 });
});

test('edges are within reach from both sides, also right of the last column', () => {
  const layout = layoutColumns(3, PLAIN_VIEW, () => 100);
  expect([97, 103, 150, 299, 303, 2].map((x) => resizableColumnAt(layout, x))).toEqual([0, 0, null, 2, 2, null]);
});

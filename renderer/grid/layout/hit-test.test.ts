import { describe, expect, test } from 'vitest';
import { HEADER_HEIGHT, PLAIN_VIEW, ROW_HEIGHT, layoutColumns } from './geometry.ts';
import { dropIndexAt, hitTest } from './hit-test.ts';

const space = {
  layout: layoutColumns(4, PLAIN_VIEW, () => 100),
  gutter: 40,
  rows: 10,
  top: 50,
  left: 30,
  width: 500,
  height: 600,
  offset: null,
};
const yOf = (row: number): number => HEADER_HEIGHT + row * ROW_HEIGHT - space.top + 5;

test.each([
  [10, yOf(3), 'gutter', 3, 0],
  [60, yOf(3), 'cells', 3, 0],
  [120, yOf(9), 'cells', 9, 1],
  [60, yOf(10), 'outside', 9, 0],
  [450, yOf(3), 'outside', 3, 3],
  [510, yOf(3), 'scroll-bar', 3, 3],
  [60, 605, 'scroll-bar', 9, 0],
])('%d, %d is in the %s; the nearest cell is %d, %d', (x, y, zone, row, displayIndex) => {
  expect(hitTest(space, x, y)).toMatchObject({ zone, position: { row, displayIndex: displayIndex } });
});

describe('while rows make room for others', () => {
  const rowAt = (y: number, offset: (row: number) => number): number =>
    hitTest({ ...space, top: 0, offset }, 60, HEADER_HEIGHT + y * ROW_HEIGHT).position.row;

  test('the gap of a removed row belongs to the row that closes it', () => {
    // The row before row 2 is gone: the ones from there on are still most of a row below their places.
    const closing = (row: number): number => (row >= 2 ? 0.8 * ROW_HEIGHT : 0);
    expect([1.9, 2.1, 2.7, 2.9, 3.7, 3.9].map((y) => rowAt(y, closing))).toEqual([1, 2, 2, 2, 2, 3]);
  });

  test('the row below an added one is where it is painted', () => {
    const opening = (row: number): number => (row > 2 ? -0.8 * ROW_HEIGHT : 0);
    expect([1.9, 2.1, 2.3, 3.1, 3.3].map((y) => rowAt(y, opening))).toEqual([1, 2, 3, 3, 4]);
  });

  test('what is below the last row is no row', () => {
    const closing = (): number => 0.5 * ROW_HEIGHT;
    const zoneAt = (y: number) =>
      hitTest({ ...space, top: 0, offset: closing }, 60, HEADER_HEIGHT + y * ROW_HEIGHT).zone;
    expect([0.2, 10.4, 10.6].map(zoneAt)).toEqual(['cells', 'cells', 'outside']);
  });
});

test.each([
  [10, 'corner'],
  [60, 'header'],
  [450, 'outside'],
])('%d at the top is in the %s', (x, zone) => expect(hitTest(space, x, 10).zone).toBe(zone));

test('edges are dragged in the header only', () => {
  expect(hitTest(space, 40 + 100 - 30, 10).resizable).toBe(0);
  expect(hitTest(space, 40 + 100 - 30, 100).resizable).toBeNull();
});

test('a dragged column lands at the nearer edge', () => {
  expect([20, 55, 80, 100, 180, 490].map((x) => dropIndexAt(space, x))).toEqual([0, 0, 1, 1, 2, 4]);
});

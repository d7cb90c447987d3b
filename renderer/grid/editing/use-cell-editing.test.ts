import { expect, test } from 'vitest';
import { placeEditor } from './use-cell-editing.tsx';

const GRID = { width: 800, height: 600 };
const TEXT = { width: 121, height: 27 };
const LIST = { width: 340, height: 240 };

test.each([29, 300, 420, 540, 574])('the text is on its cell at %i, wherever its list has room', (y) => {
  expect(placeEditor({ x: 200, y }, GRID, TEXT, LIST)).toMatchObject({ x: 199, y: Math.min(y - 1, 573), shift: 0 });
});

test.each([
  ['below, where it fits', 300, 240, { isAbove: false, room: 274 }],
  ['above, where it does not', 400, 240, { isAbove: true, room: 399 }],
  ['below, where there is more room than above', 280, 500, { isAbove: false, room: 294 }],
  ['below a cell that is scrolled out of sight', 700, 240, { isAbove: false, room: 0 }],
] as const)('what is beside the text is %s', (_where, y, height, place) => {
  expect(placeEditor({ x: 200, y }, GRID, TEXT, { width: 340, height })).toMatchObject(place);
});

test('at the right edge what is wider than the text moves alone', () => {
  expect(placeEditor({ x: 600, y: 100 }, GRID, TEXT, LIST)).toMatchObject({ x: 599, shift: -139 });
});

test('a text larger than its cell is shown whole', () => {
  const long = { width: 520, height: 225 };
  expect(placeEditor({ x: 600, y: 574 }, GRID, long, { width: 0, height: 0 })).toMatchObject({ x: 280, y: 375 });
});

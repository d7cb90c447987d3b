import { expect, test } from 'vitest';
import { gridView, sortColumns, tableArrangement } from './grid-view.ts';

const names = ['id', 'name', '__proto__', 'price'];
const asc = (column: string) => ({ column, descending: false });
const desc = (column: string) => ({ column, descending: true });

test('an arrangement survives the way to the grid and back', () => {
  const arrangement = { widths: { name: 200, price: 80 }, order: ['price', 'id'], hidden: ['name'], frozen: 2 };
  expect(tableArrangement(gridView(arrangement, names), names)).toEqual(arrangement);
});

test('columns that are gone are left out', () => {
  expect(
    gridView({ widths: { gone: 5, id: 60 }, order: ['gone', 'name'], hidden: ['gone', 'price'], frozen: 1 }, names),
  ).toEqual({
    order: [1],
    widths: { 0: 60 },
    hidden: [3],
    frozen: 1,
  });
  expect(gridView({ widths: {}, order: [], hidden: ['a'], frozen: 0 }, ['a']).hidden).toEqual([]);
  expect(sortColumns([asc('gone'), desc('price')], names)).toEqual([{ column: 3, descending: true }]);
});

import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { LinkedGrids, type GridSide } from './linked-grids.ts';
import type { PairedGrid } from '../../grid/companion.ts';
import { rowsOfPage, type CachedRow } from '../../grid/rows/row-cache.ts';
import { FIRST_CELL, selectCell, type Selection } from '../../grid/input/selection.ts';

/** The part of a grid that the link uses; scrolling stops at its last row. */
class FakeGrid {
  readonly source = { columns: [{}, {}] };
  scrolledTo = { top: 0, left: 0 };
  selection: Selection = FIRST_CELL;
  naturalWidths: readonly number[] | null = null;
  widths: readonly number[] | null = null;
  marked = 0;
  readonly rows: readonly CachedRow[];
  readonly #side: GridSide;
  readonly #maxTop: number;

  constructor(side: GridSide, values: readonly (readonly [number, string])[], maxTop = 1000) {
    const writer = new PackedRowsWriter(2);
    for (const [number, text] of values) {
      writer.integer(number);
      writer.text(text);
    }
    this.rows = rowsOfPage(writer.finish());
    this.#side = side;
    this.#maxTop = maxTop;
  }

  row(position: number): CachedRow | null {
    return this.rows[position] ?? null;
  }

  scrollTo({ top, left }: { readonly top: number; readonly left: number }): void {
    this.scrolledTo = { top: Math.min(top, this.#maxTop), left };
    grids[this.#side].scrolled();
  }

  select(selection: Selection): void {
    this.selection = selection;
    grids[this.#side].selected();
  }

  setNaturalWidths(widths: readonly number[]): void {
    this.widths = widths;
  }

  differencesChanged(): void {
    this.marked++;
  }
}

let grids: LinkedGrids;
let left: FakeGrid;
let right: FakeGrid;

beforeEach(() => {
  grids = new LinkedGrids({ isElsewhere: (_side, row) => row === 2, rows: { left: 4, right: 3 } });
  left = new FakeGrid('left', [[1, 'a'], [2, 'b'], [3, 'c'], [4, 'd']]); // prettier-ignore
  right = new FakeGrid('right', [[1, 'a'], [2, 'x'], [9, 'c']], 50); // prettier-ignore
  grids.left.join(left as unknown as PairedGrid);
  grids.right.join(right as unknown as PairedGrid);
});

test('what one shows the other shows, and how far it cannot follow is not told back', () => {
  left.scrollTo({ top: 200, left: 30 });
  expect(right.scrolledTo).toEqual({ top: 50, left: 30 });
  expect(left.scrolledTo).toEqual({ top: 200, left: 30 });
  right.scrollTo({ top: 20, left: 0 });
  expect(left.scrolledTo).toEqual({ top: 20, left: 0 });
  right.select(selectCell({ row: 2, displayIndex: 1 }));
  expect(left.selection).toBe(right.selection);
});

test('cells that differ are told, once both are here', () => {
  const differences = (side: GridSide) =>
    [0, 1, 2, 3].map((row) => [0, 1].map((column) => grids[side].differenceAt(row, column)));
  expect(differences('left')).toEqual([[null, null], [null, 'content'], ['order', null], ['content', 'content']]); // prettier-ignore
  expect(differences('right').slice(0, 3)).toEqual([[null, null], [null, 'content'], ['order', null]]); // prettier-ignore
  expect(grids.left.differenceAt(0, 7)).toBe('content'); // a column that only one side has
  grids.right.join(null);
  expect(grids.left.differenceAt(1, 1)).toBeNull();
});

test('both get the wider of their widths, once both have measured', () => {
  left.naturalWidths = [80, 100];
  grids.left.rowsChanged();
  expect(left.widths).toBeNull();
  expect(grids.left.sharesWidths?.()).toBe(false);
  right.naturalWidths = [90, 60, 70];
  const before = left.marked;
  grids.right.rowsChanged();
  expect(left.widths).toEqual([90, 100, 70]);
  expect(right.widths).toEqual([90, 100, 70]);
  expect(left.marked).toBe(before + 1);
  expect(grids.left.sharesWidths?.()).toBe(true);
});

test('a grid whose companion is not there has its own widths', () => {
  left.naturalWidths = [80, 100];
  const before = left.marked;
  grids.right.join(null);
  expect(grids.left.sharesWidths?.()).toBe(true);
  expect(left.marked, 'is painted').toBe(before + 1);
});

import { expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { rowsOfPage } from '../../grid/rows/row-cache.ts';
import type { SeenRows } from '../../grid/rows/seen-rows.ts';
import { addRange, extendTo, selectCell } from '../../grid/input/selection.ts';
import { eachRow, selectedTypes } from './selected-rows.ts';

/** Rows with their number as key. A page has `mostAtOnce` rows at most, as with long values. */
function sourceOf(count: number, mostAtOnce: number, isThere = () => true, known = count): TableSource {
  return {
    keyColumns: [0],
    extent: { rows: known, exact: known === count },
    async read(start: number, wanted: number) {
      const writer = new PackedRowsWriter(1);
      const end = isThere() ? Math.min(count, start + Math.min(wanted, mostAtOnce)) : 0;
      for (let row = start; row < end; row++) writer.integer(row);
      return { rows: writer.finish(), start, exactPosition: true, extent: { rows: count } };
    },
    keyOf: (rows: PackedRowsReader, index: number) => [rows.value(index, 0)],
  } as unknown as TableSource;
}

async function keysOf(
  source: TableSource,
  first: number,
  last: number,
  seen: SeenRows = new Map(),
): Promise<readonly unknown[]> {
  const keys: unknown[] = [];
  await eachRow(source, { seenIn: () => seen }, [{ first, last }], ([key], _rows, _index, position) =>
    keys.push([key, position]),
  );
  return keys;
}

test('every selected row is visited, however few rows a page has', async () => {
  for (const mostAtOnce of [1, 7, 1000, 5000])
    expect(await keysOf(sourceOf(3000, mostAtOnce), 10, 2500)).toEqual(
      Array.from({ length: 2491 }, (_, at) => [at + 10, at + 10]),
    );
});

test('the number of rows does not have to be known', async () => {
  expect(await keysOf(sourceOf(3000, 1000, undefined, 0), 0, 1)).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test('rows that are still being sorted are waited for', async () => {
  const all = sourceOf(3000, 1000, undefined, 1200);
  let isSorted = false;
  const source = Object.assign(all, {
    keyColumns: [0],
    read: (
      (read) => (start: number, count: number) =>
        read(start, isSorted ? count : Math.min(count, 300 - start))
    )(all.read.bind(all)),
    find: async () => {
      isSorted = true;
      return 0;
    },
  });
  expect(await keysOf(source, 250, 1100)).toHaveLength(851);
  isSorted = false;
  expect(await keysOf(source, 400, 1100)).toHaveLength(701);
});

test('rows that are gone are refused, and not left out', async () => {
  await expect(
    keysOf(
      sourceOf(3000, 100, () => false),
      0,
      1,
    ),
  ).rejects.toThrow('no longer exist');
  let reads = 0;
  await expect(
    keysOf(
      sourceOf(3000, 100, () => ++reads < 3),
      0,
      400,
    ),
  ).rejects.toThrow('no longer exist');
});

/** What the user saw: rows with these keys from `start` on. */
function seenFrom(start: number, keys: readonly number[]): SeenRows {
  const writer = new PackedRowsWriter(1);
  for (const key of keys) writer.integer(key);
  return new Map(rowsOfPage(writer.finish()).map((row, at) => [start + at, row]));
}

test('the rows that were seen are visited where others have come to their positions', async () => {
  expect(await keysOf(sourceOf(3000, 1000), 100, 101, seenFrom(100, [99, 100]))).toEqual([
    [99, 100],
    [100, 101],
  ]);
  // Two rows were seen at the end of the table, and one of them is still there.
  expect(await keysOf(sourceOf(11, 1000), 10, 11, seenFrom(10, [11, 12]))).toEqual([
    [11, 10],
    [12, 11],
  ]);
});

test('the rows that are read are visited where they are the ones that were seen', async () => {
  expect(await keysOf(sourceOf(3000, 1000), 100, 102, seenFrom(101, [101]))).toHaveLength(3);
});

test('rows are refused where others have come and not all of them were seen', async () => {
  await expect(keysOf(sourceOf(3000, 1000), 100, 2500, seenFrom(100, [99, 100]))).rejects.toThrow('are elsewhere');
  await expect(keysOf(sourceOf(3000, 1000), 100, 2500, seenFrom(2500, [2499]))).rejects.toThrow('are elsewhere');
});

test('the types of all columns with selected cells are known, also of moved ones and of separate ranges', () => {
  const declared = ['INTEGER', 'TEXT', 'DATE', 'REAL'];
  const source = { declaration: (column: number) => ({ declaredType: declared[column] }) } as unknown as TableSource;
  // The last column was moved to the front.
  const grid = { columns: [3, 0, 1, 2], bounds: { rows: 9, displayColumns: 4 } };
  const two = extendTo(selectCell({ row: 0, displayIndex: 1 }), { row: 5, displayIndex: 2 });
  expect(selectedTypes(source, { ...grid, selection: two })).toEqual(['INTEGER', 'TEXT']);
  const more = addRange(two, { row: 1, displayIndex: 3 });
  expect(selectedTypes(source, { ...grid, selection: more })).toEqual(['INTEGER', 'TEXT', 'DATE']);
});

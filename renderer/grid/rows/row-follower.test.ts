import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import { RowFollower } from './row-follower.ts';
import type { RangeChange } from './row-patch.ts';

/** Keys of the rows there are; the grid holds those of `here`. */
let keys: number[];
let here: readonly CachedRow[];
let moves: [number, number | null][];
let follower: RowFollower;

const rowsOf = (names: readonly number[]): CachedRow[] => {
  const writer = new PackedRowsWriter(1);
  for (const name of names) writer.integer(name);
  return rowsOfPage(writer.finish());
};
const keyOf = ({ rows, index }: CachedRow): number => rows.number(index, 0);

beforeEach(() => {
  keys = [10, 11, 12, 13, 14];
  here = rowsOf(keys);
  moves = [];
  follower = new RowFollower({
    row: (position) => here[position] ?? null,
    locate: (row) => {
      const position = keys.indexOf(keyOf(row));
      return Promise.resolve(position < 0 ? null : position);
    },
    onMoved: (moved) => moves.push(...moved),
  });
});

/** The rows are these now, and all of them are watched. */
function become(now: number[]): void {
  const before = here;
  keys = now;
  const origins = Int32Array.from(now, (key) => before.findIndex((row) => keyOf(row) === key));
  here = now.map((key, index) => before[origins[index]!] ?? rowsOf([key])[0]!);
  const change: RangeChange = { start: 0, before, after: here, origins, kept: origins };
  follower.patched(change);
}

test('a row that moved inside the watched range is told at once', () => {
  follower.follow([1, 3]);
  become([10, 9, 11, 12, 13, 14]);
  expect(moves).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('a row that is gone is told as gone, once; its place is followed from then on', async () => {
  follower.follow([2]);
  become([10, 11, 13, 14]);
  await expect.poll(() => moves).toEqual([[2, null]]);
  become([9, 10, 11, 13, 14]);
  expect(moves.at(-1)).toEqual([2, 3]);
});

test('a row outside of the watched range is looked for', async () => {
  follower.follow([4]);
  keys = [1, 2, 3, ...keys];
  follower.changed({ start: 0, count: 3 });
  await expect.poll(() => moves).toEqual([[4, 7]]);
});

test('what is in the watched range is not looked for', async () => {
  follower.follow([1]);
  keys = [1, 2, ...keys];
  follower.changed({ start: 0, count: 3 });
  await Promise.resolve();
  expect(moves).toEqual([]);
});

import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import { RowFollower } from './row-follower.ts';
import type { FollowedRow } from './row-follower.ts';
import type { RangeChange } from './row-patch.ts';

/** Keys of the rows there are; the grid holds those of `here`. */
let keys: number[];
let here: readonly CachedRow[];
let followed: readonly FollowedRow[];
let searches: number;
/** Delays what the grid is told of where rows are. */
let answering: Promise<void>;
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
  [followed, searches, answering] = [[], 0, Promise.resolve()];
  follower = new RowFollower({
    row: (position) => here[position] ?? null,
    isSame: (a, b) => keyOf(a) === keyOf(b),
    locate: async (row) => {
      const position = keys.indexOf(keyOf(row));
      await answering;
      return position < 0 ? null : position;
    },
    onMoved: () => undefined,
    onSearch: (search) => {
      searches++;
      void search.then(() => searches--);
    },
  });
});

const follow = (...positions: readonly number[]): void => {
  followed = positions.map((position) => follower.at(position));
  follower.follow(followed);
};
const positions = (): readonly number[] => followed.map(({ position }) => position);

/** The rows are these now, and all of them are watched except those `beyond`. */
function become(now: number[], beyond: number[] = []): void {
  const before = here;
  keys = [...now, ...beyond];
  const origins = Int32Array.from(now, (key) => before.findIndex((row) => keyOf(row) === key));
  here = now.map((key, index) => before[origins[index]!] ?? rowsOf([key])[0]!);
  const change: RangeChange = { start: 0, before, after: here, origins, kept: origins };
  follower.patched(change);
}

test('a row that moved inside the watched range is known to have moved at once', () => {
  follow(1, 3);
  become([10, 9, 11, 12, 13, 14]);
  expect(positions()).toEqual([2, 4]);
  expect(searches).toBe(0);
});

test('a row that is gone is told as gone; its place is followed from then on', async () => {
  follow(2);
  become([10, 11, 13, 14]);
  await expect.poll(() => followed[0]!.isGone).toBe(true);
  expect(positions()).toEqual([2]);
  become([9, 10, 11, 13, 14]);
  expect(positions()).toEqual([3]);
});

test('the row that took the place of one that is gone is known once it is read', async () => {
  follow(4);
  keys = [10, 11, 12, 13, 15];
  follower.changed({ start: 0, count: 3 });
  await expect.poll(() => followed[0]!.isGone).toBe(true);
  // What is loaded there is still the row that is gone.
  follower.follow(followed);
  expect(followed[0]!.row).toBeNull();
  here = rowsOf(keys);
  follower.follow(followed);
  expect(keyOf(followed[0]!.row!)).toBe(15);
});

test('a row outside of the watched range is looked for', async () => {
  follow(4);
  keys = [1, 2, 3, ...keys];
  follower.changed({ start: 0, count: 3 });
  await expect.poll(positions).toEqual([7]);
});

test('what is in the watched range is not looked for', async () => {
  follow(1);
  keys = [1, 2, ...keys];
  follower.changed({ start: 0, count: 3 });
  await Promise.resolve();
  expect(positions()).toEqual([1]);
});

/** Answers come once the function that is returned has been called. */
function holdAnswers(): () => void {
  let answer!: () => void;
  answering = new Promise((resolve) => (answer = resolve));
  return answer;
}

test('a row that takes the place of one that is being looked for is another one', async () => {
  const answer = holdAnswers();
  follow(1, 2);
  // Row 11 leaves the range, as after an edit in a sorted table, and row 12 comes to its place.
  become([10, 12, 13, 14], [15, 16, 11]);
  expect(positions()).toEqual([1, 1]);
  expect(searches).toBe(1);
  answer();
  await expect.poll(positions).toEqual([6, 1]);
  expect(searches).toBe(0);
});

test('a row is looked for again where rows have moved in the meantime', async () => {
  const answer = holdAnswers();
  follow(1);
  become([10, 12, 13], [14, 11]);
  become([9, 10, 12, 13], [14, 11]);
  expect(positions()).toEqual([1]);
  answer();
  await expect.poll(positions).toEqual([5]);
  expect(searches).toBe(0);
});

test('nothing waits for an answer to a question of before the row was followed again', async () => {
  const answer = holdAnswers();
  follow(1);
  const [row] = followed;
  follower.changed({ start: 2, count: 3 });
  become([10, 12, 13, 14], [11]);
  follower.follow([]);
  answer();
  await expect.poll(() => searches).toBe(0);
  // It came back to where it was.
  become([10, 11, 12, 13, 14]);
  follower.follow([row!]);
  await expect.poll(() => searches).toBe(0);
  expect(row!.position).toBe(1);
});

test('nothing waits for a row that is no longer followed', async () => {
  holdAnswers();
  follow(1);
  become([10, 12, 13]);
  expect(searches).toBe(1);
  follow(0);
  await expect.poll(() => searches).toBe(0);
  expect(positions()).toEqual([0]);
});

test('a row that is followed again is located, although it was dropped in the meantime', async () => {
  const answer = holdAnswers();
  follow(1);
  const [row] = followed;
  become([10, 12, 13], [14, 11]);
  follower.follow([]);
  follower.follow([row!]);
  expect(searches).toBeGreaterThan(0);
  answer();
  await expect.poll(() => row!.position).toBe(4);
  await expect.poll(() => searches).toBe(0);
});

test('a row that was still waiting to be located is so after it was dropped, too', async () => {
  const answer = holdAnswers();
  follow(0, 1);
  const [, row] = followed;
  become([12, 13, 14], [10, 11]);
  follower.follow([]);
  follower.follow([row!]);
  answer();
  await expect.poll(() => row!.position).toBe(4);
  await expect.poll(() => searches).toBe(0);
});

test('the host waits for a row that leaves while it is being located for another reason', async () => {
  const answer = holdAnswers();
  follow(1);
  follower.changed({ start: 2, count: 3 });
  follower.changed({ start: 2, count: 3 });
  expect(searches).toBe(0);
  become([10, 12, 13, 14], [11]);
  expect(searches).toBe(1);
  // What is under way says where the row was before.
  answer();
  await expect.poll(() => searches).toBe(0);
  expect(positions()).toEqual([4]);
});

test('the host waits for rows beyond an edge of the watched range where rows moved, and for no others', async () => {
  const watched = { start: 2, before: here.slice(2), after: here.slice(2) };
  follow(0);
  follower.patched({ ...watched, origins: Int32Array.of(0, 1, -1), kept: Int32Array.of(0, 1, -1) });
  expect(searches).toBe(0);
  // The first row of all went to the end, so that each of the others moved up.
  keys = [11, 12, 13, 14, 10];
  follower.patched({ ...watched, origins: Int32Array.of(1, 2, -1), kept: Int32Array.of(1, 2, -1) });
  expect(searches).toBe(1);
  await expect.poll(() => searches).toBe(0);
  expect(positions()).toEqual([4]);
});

import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import type { FollowedRow } from './row-follower.ts';
import { seenIn, selectedKeysOf } from './seen-rows.ts';
import type { KnownRows, SeenRows } from './seen-rows.ts';

/** Positions and the keys of the rows there; a text is longer than what is loaded of it. */
type Rows = readonly (readonly [position: number, key: number | string])[];

const rowOf = (key: number | string): CachedRow => {
  const writer = new PackedRowsWriter(1, { previewBytes: 2 });
  if (typeof key === 'number') writer.integer(key);
  else writer.text(key);
  return rowsOfPage(writer.finish())[0]!;
};
const placed = (rows: Rows): SeenRows => new Map(rows.map(([position, key]) => [position, rowOf(key)]));
const corners = (rows: Rows): readonly FollowedRow[] =>
  rows.map(([position, key]) => ({ position, row: rowOf(key), isGone: false }));
const keysOf = (seen: SeenRows): Rows =>
  [...seen].sort(([a], [b]) => a - b).map(([position, { rows, index }]) => [position, rows.number(index, 0)]);

let loaded: SeenRows;
let known: KnownRows;

const load = (rows: Rows): void => void (loaded = placed(rows));

beforeEach(() => {
  load(Array.from({ length: 6 }, (_, at) => [at + 10, at + 100] as const));
  known = {
    source: { keyColumns: [0], extent: { rows: 50, exact: true } },
    current: (first, last) => [...loaded].filter(([position]) => first <= position && position <= last),
  };
});

const RANGE = [{ first: 8, last: 12 }];

test('what is loaded of a selection is seen, and so are its corners elsewhere', () => {
  const selected = corners([
    [8, 98],
    [12, 102],
    [30, 120],
  ]);
  expect(keysOf(seenIn(known, RANGE, selected))).toEqual([
    [8, 98],
    [10, 100],
    [11, 101],
    [12, 102],
  ]);
});

test('nothing but the corners is known where one of them is no longer where it was', () => {
  // Two rows were added above, and the selection has not moved yet.
  const selected = corners([
    [8, 100],
    [12, 104],
  ]);
  expect(keysOf(seenIn(known, RANGE, selected))).toEqual([
    [8, 100],
    [12, 104],
  ]);
});

test('one range is between its corners, even while they have one position', () => {
  const keys = { corners: [[100], [104]] };
  expect(
    selectedKeysOf(
      known,
      RANGE,
      corners([
        [12, 104],
        [8, 100],
      ]),
      true,
    ),
  ).toEqual(keys);
  expect(
    selectedKeysOf(
      known,
      [{ first: 8, last: 8 }],
      corners([
        [8, 100],
        [8, 104],
      ]),
      true,
    ),
  ).toEqual(keys);
});

test('more ranges, and one with a corner that is not loaded, are told by the outermost rows that are known', () => {
  const ranges = [...RANGE, { first: 14, last: 14 }, { first: 30, last: 40 }];
  expect(selectedKeysOf(known, ranges, corners([[40, 130]]), false)).toEqual({
    seen: [
      { position: 10, key: [100] },
      { position: 12, key: [102] },
      { position: 14, key: [104] },
      { position: 40, key: [130] },
    ],
  });
  const toCome = [...corners([[8, 98]]), { position: 12, row: null, isGone: false }];
  expect(selectedKeysOf(known, RANGE, toCome, true)).toEqual({
    seen: [
      { position: 8, key: [98] },
      { position: 12, key: [102] },
    ],
  });
});

test('rows that are not stored, keys that are loaded in part, and rows without keys say nothing', () => {
  const selected = corners([
    [49, 139],
    [50, 0],
  ]);
  const last = [{ first: 49, last: 50 }];
  expect(keysOf(seenIn(known, last, selected))).toEqual([[49, 139]]);
  expect(selectedKeysOf(known, last, selected, true)).toEqual({ seen: [{ position: 49, key: [139] }] });
  load([
    [10, 'long'],
    [11, 101],
  ]);
  const beginning = [{ first: 10, last: 11 }];
  expect(
    selectedKeysOf(
      known,
      beginning,
      corners([
        [10, 'long'],
        [11, 101],
      ]),
      true,
    ),
  ).toEqual({
    seen: [{ position: 11, key: [101] }],
  });
  known = { ...known, source: { ...known.source, keyColumns: [] } };
  expect(selectedKeysOf(known, RANGE, corners([[8, 98]]), false)).toEqual({});
});

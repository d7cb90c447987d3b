import { beforeEach, expect, test } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import { seenEdgesOf, seenIn } from './seen-rows.ts';
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
  const corners = placed([
    [8, 98],
    [12, 102],
    [30, 120],
  ]);
  expect(keysOf(seenIn(known, RANGE, corners))).toEqual([
    [8, 98],
    [10, 100],
    [11, 101],
    [12, 102],
  ]);
  expect(seenEdgesOf(known, RANGE, corners)).toEqual([
    { position: 8, key: [98] },
    { position: 12, key: [102] },
  ]);
});

test('nothing but the corners is known where one of them is no longer where it was', () => {
  // Two rows were added above, and the selection has not moved yet.
  const corners = placed([
    [8, 100],
    [12, 104],
  ]);
  expect(keysOf(seenIn(known, RANGE, corners))).toEqual([
    [8, 100],
    [12, 104],
  ]);
  expect(seenEdgesOf(known, RANGE, corners).map(({ key }) => key[0])).toEqual([100, 104]);
});

test('edges that are not corners are the outermost loaded rows', () => {
  const ranges = [...RANGE, { first: 14, last: 14 }, { first: 30, last: 40 }];
  expect(seenEdgesOf(known, ranges, placed([[40, 130]]))).toEqual([
    { position: 10, key: [100] },
    { position: 12, key: [102] },
    { position: 14, key: [104] },
    { position: 40, key: [130] },
  ]);
});

test('rows that are not stored, keys that are loaded in part, and rows without keys say nothing', () => {
  const corners = placed([
    [49, 139],
    [50, 0],
    [51, 0],
  ]);
  const last = [{ first: 49, last: 51 }];
  expect(keysOf(seenIn(known, last, corners))).toEqual([[49, 139]]);
  expect(seenEdgesOf(known, last, corners)).toEqual([{ position: 49, key: [139] }]);
  load([
    [10, 'long'],
    [11, 101],
  ]);
  expect(seenEdgesOf(known, RANGE, placed([]))).toEqual([{ position: 11, key: [101] }]);
  known = { ...known, source: { ...known.source, keyColumns: [] } };
  expect(seenEdgesOf(known, RANGE, placed([[8, 98]]))).toEqual([]);
});

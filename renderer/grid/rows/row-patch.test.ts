import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { RowsPatch } from '#shared/protocol/live.ts';
import { rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';
import { comingAndGoing } from './row-motion.ts';
import { destinationsOf, patchRows } from './row-patch.ts';
import type { RangeChange } from './row-patch.ts';
import { shiftOf } from '../layout/scroll-anchor.ts';

type Row = readonly [key: number, text: string];

const COUNT = 8;
const rowsOf = (rows: readonly Row[]): CachedRow[] => rowsOfPage(packed(rows));
const shown = (rows: readonly CachedRow[]): Row[] =>
  rows.map(({ rows: cells, index }) => [cells.number(index, 0), cells.text(index, 1)] as const);

function packed(rows: readonly Row[]) {
  const writer = new PackedRowsWriter(2);
  for (const [key, text] of rows) {
    writer.integer(key);
    writer.text(text);
  }
  return writer.finish();
}

/** Makes a patch like the worker: only rows that are new or differ are shipped. */
function patchBetween(before: readonly Row[], after: readonly Row[], start = 0): RowsPatch {
  const shipped: Row[] = [];
  const origins = after.map(([key, text]) => {
    const origin = before.findIndex((row) => row[0] === key && row[1] === text);
    if (origin < 0) shipped.push([key, text]);
    return origin;
  });
  const extent = { rows: 1000, exact: true };
  return {
    reader: 1,
    watch: 1,
    start,
    origins: Int32Array.from(origins),
    rows: packed(shipped),
    exactPosition: true,
    extent,
  };
}

const change = (before: readonly Row[], after: readonly Row[], { start = 0, keyed = true } = {}): RangeChange =>
  patchRows(rowsOf(before), patchBetween(before, after, start), keyed ? [0] : []);
const numbered = (...keys: readonly number[]): Row[] => keys.map((key) => [key, `row ${key}`] as const);

describe('a patch', () => {
  it('gives the rows as they are now, whatever happened to them', () => {
    const table = fc.uniqueArray(fc.tuple(fc.nat(30), fc.constantFrom('a', 'b', 'c')), {
      selector: ([key]) => key,
      maxLength: COUNT,
    });
    fc.assert(
      fc.property(fc.array(table, { minLength: 2, maxLength: 60 }), (states) => {
        let rows: readonly CachedRow[] = rowsOf(states[0]!);
        states.slice(1).forEach((state, index) => {
          rows = patchRows(rows, patchBetween(states[index]!, state), [0]).after;
          expect(shown(rows)).toEqual(state);
        });
      }),
      { seed: 20261, numRuns: seedCount(100) },
    );
  });

  it('leaves unchanged rows the same objects, and does not hold on to old buffers for ever', () => {
    let state: Row[] = numbered(1, 2, 3);
    const first = rowsOf(state);
    let rows: readonly CachedRow[] = first;
    for (let turn = 0; turn < 100; turn++) {
      const next: Row[] = [...state.slice(0, 2), [3, `turn ${turn}`]];
      rows = patchRows(rows, patchBetween(state, next), [0]).after;
      state = next;
    }
    expect(rows[0]).toBe(first[0]);
    expect(shown(rows)).toEqual(state);
    expect(new Set(rows.map((row) => row.rows)).size).toBeLessThan(25);
  });

  it('knows a changed row by its key, wherever it went', () => {
    const { origins } = change(
      [
        [1, 'ant'],
        [2, 'bee'],
        [3, 'cat'],
      ],
      [
        [3, 'ape'],
        [1, 'ant'],
        [2, 'bee'],
      ],
    );
    expect([...origins]).toEqual([2, 0, 1]);
  });

  it('knows a changed row without a key by its place between rows that stayed', () => {
    const before: Row[] = [
      [0, 'ant'],
      [0, 'bee'],
      [0, 'cat'],
    ];
    expect([...change(before, [before[0]!, [0, 'BEE'], before[2]!], { keyed: false }).origins]).toEqual([0, 1, 2]);
    expect([...change(before, [before[0]!, [0, 'new'], ...before.slice(1)], { keyed: false }).origins]).toEqual([
      0, -1, 1, 2,
    ]);
    expect([...destinationsOf(change(before, [before[0]!, before[2]!], { keyed: false }))]).toEqual([0, -1, 1]);
  });
});

describe('what comes and goes', () => {
  const moves = (before: readonly Row[], after: readonly Row[], start = 0) =>
    comingAndGoing(change(before, after, { start }), COUNT);

  it('is a row put in and a row taken out', () => {
    expect(moves(numbered(1, 2, 3), numbered(1, 9, 2, 3))).toEqual({ inserted: [1], removed: [] });
    expect(moves(numbered(1, 2, 3), numbered(1, 3))).toEqual({ inserted: [], removed: [1] });
    expect(moves(numbered(1, 2, 3), numbered(1, 2, 3, 4))).toEqual({ inserted: [3], removed: [] });
    expect(moves(numbered(1, 2, 3), numbered(1, 2))).toEqual({ inserted: [], removed: [2] });
    expect(moves(numbered(1, 2), numbered(0, 1, 2))).toEqual({ inserted: [0], removed: [] });
  });

  it('is not a changed value, but is a row that went to another place', () => {
    expect(
      moves(
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [1, 'a'],
          [2, 'B'],
        ],
      ),
    ).toEqual({ inserted: [], removed: [] });
    expect(moves(numbered(1, 2, 3, 4), [[4, 'now first'], ...numbered(1, 2, 3)])).toEqual({
      inserted: [0],
      removed: [4],
    });
  });

  it('is not what was only pushed over the edge of the range', () => {
    const full = numbered(1, 2, 3, 4, 5, 6, 7, 8);
    expect(moves(full, numbered(1, 9, 2, 3, 4, 5, 6, 7))).toEqual({ inserted: [1], removed: [] });
    expect(moves(full, numbered(1, 3, 4, 5, 6, 7, 8, 9))).toEqual({ inserted: [], removed: [1] });
    expect(moves(full, numbered(0, 1, 2, 3, 4, 5, 6, 7), 128)).toEqual({ inserted: [], removed: [] });
  });
});

describe('the first row on screen', () => {
  it('is held where it is, or the next that is still there', () => {
    const before = numbered(1, 2, 3, 4, 5, 6);
    expect(shiftOf(change(before, numbered(9, 1, 2, 3, 4, 5), { start: 128 }), 130, 132)).toBe(1);
    expect(shiftOf(change(before, numbered(1, 2, 4, 5, 6), { start: 128 }), 130, 132)).toBe(-1);
    expect(shiftOf(change(before, numbered(11, 12, 13), { start: 128 }), 130, 132)).toBeNull();
  });
});

import { beforeEach, expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { WatchedRange } from '#shared/protocol/live.ts';
import { NO_ROWS } from '#shared/packed-rows/format.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { GridSource } from '../grid-source.ts';
import type { FreshRows } from './row-cache.ts';
import { RowWatch } from './row-watch.ts';

interface Question {
  readonly range: WatchedRange | null;
  answer(exactPosition?: boolean): Promise<void>;
  fail(code: 'unavailable' | 'stopped'): Promise<void>;
}

let asked: Question[];
let got: FreshRows[];
let watch: RowWatch;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const extent = { rows: 1000, exact: true };

beforeEach(() => {
  asked = [];
  got = [];
  const source: Pick<GridSource, 'watch' | 'keyColumns'> = {
    keyColumns: [],
    watch: (range) =>
      new Promise((resolve, reject) => {
        const number = asked.length + 1;
        asked.push({
          range,
          answer(exactPosition = true) {
            const writer = new PackedRowsWriter(1);
            writer.text('a');
            const page = { rows: writer.finish(), start: range?.start ?? 0, exactPosition, extent };
            resolve(range && { watch: number, page });
            return settled();
          },
          fail(code) {
            reject(new AppError({ code, message: '' }));
            return settled();
          },
        });
      }),
  };
  watch = new RowWatch(source, (rows) => got.push(rows));
});

const patch = (number: number, start = 0) =>
  ({
    reader: 1,
    watch: number,
    start,
    origins: Int32Array.of(0),
    rows: NO_ROWS,
    exactPosition: true,
    extent,
  }) as const;

test('watches whole pages around what is on screen, with room for a few rows more', async () => {
  watch.rest(10, 50);
  watch.rest(12, 52);
  expect(asked.map(({ range }) => range)).toEqual([{ start: 0, count: 128 }]);
  await asked[0]!.answer();
  expect(got).toHaveLength(1);
  watch.rest(100, 125);
  expect(asked[1]!.range).toEqual({ start: 0, count: 256 });
});

test('one question at a time, then only the newest place', async () => {
  watch.rest(0, 40);
  for (let row = 1000; row < 3000; row += 100) watch.rest(row, row + 40);
  expect(asked).toHaveLength(1);
  await asked[0]!.answer();
  expect(asked).toHaveLength(2);
  expect(asked[1]!.range).toEqual({ start: 2816, count: 256 });
});

test('takes patches of the present watch only', async () => {
  watch.rest(0, 40);
  await asked[0]!.answer();
  expect(watch.patch(patch(1))).not.toBeNull();
  expect(watch.patch(patch(7))).toBeNull();
  watch.rest(500, 540);
  expect(watch.patch(patch(1))).not.toBeNull();
  await asked[1]!.answer();
  expect(watch.patch(patch(1))).toBeNull();
  expect(watch.patch(patch(2, 384))).not.toBeNull();
});

test('lets go while nobody looks, and at the end', async () => {
  watch.rest(0, 40);
  await asked[0]!.answer();
  watch.rest(0, -1);
  expect(asked[1]!.range).toBeNull();
  await asked[1]!.answer();
  expect(watch.range).toBeNull();
  watch.rest(0, 40);
  await asked[2]!.answer();
  watch.dispose();
  expect(asked[3]!.range).toBeNull();
});

test('asks for what is on screen again after letting go', async () => {
  watch.rest(0, 40);
  await asked[0]!.answer();
  watch.rest(0, -1);
  watch.rest(500, 540);
  await asked[1]!.answer();
  expect(asked[2]!.range).toEqual({ start: 384, count: 256 });
});

test('tries again after a failure, that of a server that was away included', async () => {
  watch.rest(0, 40);
  await asked[0]!.fail('stopped');
  watch.rest(0, 40);
  expect(asked).toHaveLength(2);
  await asked[1]!.fail('unavailable');
  watch.rest(0, 40);
  expect(asked).toHaveLength(3);
  await asked[2]!.answer();
  expect(watch.range).not.toBeNull();
});

test('a place that was only estimated is asked for again once it is known', async () => {
  watch.rest(0, 40);
  await asked[0]!.answer(false);
  watch.positionsLearned();
  watch.rest(0, 40);
  expect(asked).toHaveLength(2);
  await asked[1]!.answer();
  watch.positionsLearned();
  watch.rest(0, 40);
  expect(asked).toHaveLength(2);
});

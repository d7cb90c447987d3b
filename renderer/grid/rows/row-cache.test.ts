import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ErrorCode } from '#shared/protocol/errors.ts';
import type { RowsPage } from '#shared/protocol/rows.ts';
import { PAGE_ROWS, RETRY_MS, RowCache, rowsOfPage } from './row-cache.ts';
import type { CachedRow } from './row-cache.ts';

interface Read {
  readonly page: number;
  answer(mark?: string, options?: { rows?: number; exactPosition?: boolean; extent?: number }): Promise<void>;
  fail(code?: ErrorCode): Promise<void>;
}

const ROWS = 1_000_000;
let reads: Read[];
let painted: number;
let errors: unknown[];
let cache: RowCache;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  reads = [];
  painted = 0;
  errors = [];
  cache = new RowCache({
    onPage: () => painted++,
    onError: (error) => errors.push(error),
    read: (start, count) =>
      new Promise<RowsPage>((resolve, reject) => {
        reads.push({
          page: start / PAGE_ROWS,
          answer(mark = 'row', { rows = count, exactPosition = true, extent = ROWS } = {}) {
            const writer = new PackedRowsWriter(1);
            for (let row = 0; row < rows; row++) writer.text(`${mark} ${start + row}`);
            resolve({ rows: writer.finish(), start, exactPosition, extent: { rows: extent, exact: true } });
            return settled();
          },
          fail(code = 'internal') {
            reject(new AppError({ code, message: 'No.' }));
            return settled();
          },
        });
      }),
  });
});

afterEach(() => void vi.useRealTimers());

function rowsNamed(mark: string, count: number): CachedRow[] {
  const writer = new PackedRowsWriter(1);
  for (let row = 0; row < count; row++) writer.text(`${mark} ${row}`);
  return rowsOfPage(writer.finish());
}

const textAt = (position: number): string | null => {
  const row = cache.row(position);
  return row && row.rows.text(row.index, 0);
};
const asked = (): number[] => reads.map((read) => read.page);
const show = (page: number, direction: -1 | 0 | 1 = 0): void =>
  cache.want(page * PAGE_ROWS, page * PAGE_ROWS + 40, direction, ROWS);

test('reads what is visible, then one page ahead', async () => {
  show(5, 1);
  expect(asked()).toEqual([5, 6]);
  await reads[0]!.answer();
  expect(textAt(5 * PAGE_ROWS + 3)).toBe(`row ${5 * PAGE_ROWS + 3}`);
  expect(textAt(6 * PAGE_ROWS)).toBeNull();
  expect(painted).toBe(1);
});

test('never asks for pages scrolled past', async () => {
  for (let page = 10; page < 60; page++) show(page);
  expect(asked()).toEqual([10, 11]);
  await reads[0]!.answer();
  await reads[1]!.answer();
  expect(asked()).toEqual([10, 11, 59]);
});

test('asks once for a page that is on its way', () => {
  show(3);
  show(3);
  expect(asked()).toEqual([3]);
});

test('after a change old rows stay until the new ones are there', async () => {
  show(0);
  await reads[0]!.answer('old');
  cache.invalidate();
  expect(textAt(0)).toBe('old 0');
  expect(asked()).toEqual([0, 0]);
  await reads[1]!.answer('new');
  expect(textAt(0)).toBe('new 0');
});

test('rows are outdated from a change until they have been read again, or cannot be read', async () => {
  const at = 5 * PAGE_ROWS + 3;
  expect(cache.isOutdated(at)).toBe(true);
  show(5);
  await reads[0]!.answer();
  expect(cache.isOutdated(at)).toBe(false);
  cache.invalidate();
  expect(cache.isOutdated(at)).toBe(true);
  await reads[1]!.answer();
  expect(cache.isOutdated(at)).toBe(false);
  cache.invalidate();
  await reads[2]!.fail();
  expect(cache.isOutdated(at)).toBe(false);
});

test('an answer from before a change is replaced, never the other way round', async () => {
  show(0);
  cache.invalidate();
  expect(asked()).toEqual([0, 0]);
  await reads[1]!.answer('new');
  await reads[0]!.answer('old');
  expect(textAt(0)).toBe('new 0');
});

test('what is kept in step is not read again after a change, and gives way to no older answer', async () => {
  show(0);
  const rows = rowsNamed('patched', PAGE_ROWS);
  cache.put({ start: 0, rows, exactPosition: true, extent: { rows: ROWS, exact: true } }, PAGE_ROWS);
  cache.invalidate({ start: 0, count: PAGE_ROWS });
  await reads[0]!.answer('old');
  expect(textAt(5)).toBe('patched 5');
  show(0);
  expect(asked()).toEqual([0]);
  cache.invalidate();
  expect(asked()).toEqual([0, 0]);
});

test('rows that came over the edge of a page are where they belong', () => {
  const rows = rowsNamed('row', PAGE_ROWS + 3);
  cache.put({ start: PAGE_ROWS, rows, exactPosition: true, extent: { rows: ROWS, exact: true } }, PAGE_ROWS * 2);
  expect(textAt(PAGE_ROWS * 2 + 2)).toBe(`row ${PAGE_ROWS + 2}`);
  expect(textAt(PAGE_ROWS * 2 + 3)).toBeNull();
});

test('asks for nothing while nobody looks', async () => {
  show(0);
  await reads[0]!.answer();
  cache.rest();
  cache.invalidate();
  expect(asked()).toEqual([0]);
  show(0);
  expect(asked()).toEqual([0, 0]);
});

test('pages out of sight are read again only when they come back', async () => {
  show(0);
  await reads[0]!.answer('old');
  show(9);
  await reads[1]!.answer('old');
  cache.invalidate();
  expect(asked()).toEqual([0, 9, 9]);
  show(0);
  expect(asked()).toEqual([0, 9, 9, 0]);
});

test('rows at an estimated position are read again when positions become known', async () => {
  show(7);
  await reads[0]!.answer('guess', { exactPosition: false });
  show(7);
  expect(asked()).toEqual([7]);
  cache.invalidateEstimates();
  await reads[1]!.answer('sure');
  cache.invalidateEstimates();
  expect(asked()).toEqual([7, 7]);
  expect(textAt(7 * PAGE_ROWS)).toBe(`sure ${7 * PAGE_ROWS}`);
});

test('a short page is filled up when the source has grown, and only then', async () => {
  cache.want(0, 40, 0, 50);
  await reads[0]!.answer('row', { rows: 50, extent: 50 });
  cache.want(0, 40, 0, 50);
  expect(asked()).toEqual([0]);
  cache.want(0, 40, 0, 500);
  expect(asked()).toEqual([0, 0]);
});

test('a page that fails is told once and tried again after the next change', async () => {
  show(0);
  await reads[0]!.fail();
  show(0);
  expect(asked()).toEqual([0]);
  expect(errors).toHaveLength(1);
  cache.invalidate();
  expect(asked()).toEqual([0, 0]);
});

test('a page that failed is tried again when the user comes back to it', async () => {
  show(0);
  await reads[0]!.fail();
  show(9);
  await reads[1]!.answer();
  show(0);
  expect(asked()).toEqual([0, 9, 0]);
  await reads[2]!.fail();
  expect(errors).toHaveLength(2);
});

test('while a server is away, what is on screen is tried again and again, ever more rarely, and told once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  show(3);
  await reads[0]!.fail('unavailable');
  vi.advanceTimersByTime(RETRY_MS.least - 1);
  expect(asked()).toEqual([3]);
  vi.advanceTimersByTime(1);
  expect(asked()).toEqual([3, 3]);
  await reads[1]!.fail('unavailable');
  vi.advanceTimersByTime(RETRY_MS.least);
  expect(asked()).toEqual([3, 3]);
  vi.advanceTimersByTime(RETRY_MS.least);
  expect(asked()).toEqual([3, 3, 3]);
  expect(errors).toHaveLength(1);
  await reads[2]!.answer();
  expect(textAt(3 * PAGE_ROWS)).toBe(`row ${3 * PAGE_ROWS}`);
  vi.advanceTimersByTime(RETRY_MS.most);
  expect(asked()).toEqual([3, 3, 3]);
});

test('what fails for good is not tried again, nor anything once the grid is gone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  show(0);
  await reads[0]!.fail('corrupt');
  vi.advanceTimersByTime(RETRY_MS.most);
  expect(asked()).toEqual([0]);
  show(1);
  await reads[1]!.fail('unavailable');
  cache.dispose();
  vi.advanceTimersByTime(RETRY_MS.most);
  expect(asked()).toEqual([0, 1]);
});

test('holds a bounded number of pages, the newest', async () => {
  for (let page = 0; page < 300; page++) {
    show(page);
    await reads[reads.length - 1]!.answer();
  }
  const held = Array.from({ length: 300 }, (_, page) => page).filter((page) => cache.row(page * PAGE_ROWS));
  expect(held).toHaveLength(200);
  expect(held[0]).toBe(100);
});

test('after dispose answers are dropped', async () => {
  show(0);
  cache.dispose();
  await reads[0]!.answer();
  expect(textAt(0)).toBeNull();
  expect(painted).toBe(0);
});

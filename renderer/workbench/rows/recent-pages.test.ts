import { expect, test } from 'vitest';
import type { RowsPage } from '#shared/protocol/index.ts';
import { RecentPages } from './recent-pages.ts';

const pageAt = (start: number, { rowCount = 128, exactPosition = true, bytes = 0 } = {}): RowsPage => {
  const rows = {
    rowCount,
    columnCount: 1,
    types: new Uint8Array(),
    slots: new ArrayBuffer(0),
    heap: new Uint8Array(bytes),
  };
  return { start, exactPosition, extent: { rows: 1000, exact: true }, rows };
};

test('a page is taken once after each offer, and not before', () => {
  const pages = new RecentPages();
  const page = pageAt(128);
  pages.note(page, pages.version);
  expect(pages.take(128)).toBeNull();
  pages.offer();
  expect(pages.take(0)).toBeNull();
  expect(pages.take(128)).toBe(page);
  expect(pages.take(128)).toBeNull();
});

test('pages end with a change of their rows, also those that were requested before it', () => {
  const pages = new RecentPages();
  pages.note(pageAt(0), pages.version);
  const { version } = pages;
  pages.rowsChanged();
  pages.note(pageAt(128), version);
  pages.offer();
  expect(pages.take(0)).toBeNull();
  expect(pages.take(128)).toBeNull();
});

test('another number of rows ends the pages whose place was estimated, and the last one', () => {
  const pages = new RecentPages();
  pages.note(pageAt(0), pages.version);
  pages.note(pageAt(128, { exactPosition: false }), pages.version);
  pages.note(pageAt(256, { rowCount: 20 }), pages.version);
  pages.extentChanged();
  pages.offer();
  expect([0, 128, 256].map((start) => pages.take(start)?.start)).toEqual([0, undefined, undefined]);
});

test('only the last three pages are kept, and none that is large', () => {
  const pages = new RecentPages();
  for (const start of [0, 128, 256, 384]) pages.note(pageAt(start), pages.version);
  pages.note(pageAt(512, { bytes: 2 * 1024 * 1024 }), pages.version);
  pages.offer();
  expect([0, 128, 256, 384, 512].map((start) => pages.take(start)?.start)).toEqual([
    undefined,
    128,
    256,
    384,
    undefined,
  ]);
});

import { expect, test } from 'vitest';
import { committedFrames } from './schema-load.ts';

const MAGIC = 0x377f0682;

/** A WAL of frames for these pages, each committed. */
function walOf(pages: readonly number[], { pageBytes = 512, isBigEndian = false } = {}): Uint8Array {
  const bytes = new Uint8Array(32 + pages.length * (24 + pageBytes));
  const view = new DataView(bytes.buffer);
  let [first, second] = [0, 0];
  const add = (from: number, length: number): void => {
    for (let at = from; at < from + length; at += 8) {
      first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
      second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
    }
  };
  const sign = (at: number): void => {
    view.setUint32(at, first);
    view.setUint32(at + 4, second);
  };
  [isBigEndian ? MAGIC + 1 : MAGIC, 3_007_000, pageBytes, 0, 7, 8].forEach((value, at) =>
    view.setUint32(4 * at, value),
  );
  add(0, 24);
  sign(24);
  pages.forEach((page, index) => {
    const at = 32 + index * (24 + pageBytes);
    [page, 1, 7, 8].forEach((value, place) => view.setUint32(at + 4 * place, value));
    bytes.fill(index + 1, at + 24, at + 24 + pageBytes);
    add(at, 8);
    add(at + 24, pageBytes);
    sign(at + 16);
  });
  return bytes;
}

const framesIn = (wal: Uint8Array): ReturnType<typeof committedFrames> =>
  committedFrames((offset, length) => wal.subarray(offset, offset + length));

test.each([false, true])('the newest version of each page is found, with either order of bytes: %s', (isBigEndian) => {
  const frames = framesIn(walOf([1, 2, 1], { isBigEndian }));
  expect(frames).toEqual({ pageBytes: 512, offsets: new Map([[1, 32 + 2 * 536 + 24], [2, 32 + 536 + 24]]) }); // prettier-ignore
});

test('a frame without a page ends the WAL, as it does for SQLite', () => {
  expect([...framesIn(walOf([1, 2, 0, 1]))!.offsets]).toEqual([[1, 56], [2, 592]]); // prettier-ignore
});

test('SQLite passes over a WAL whose pages have no size that it knows', () => {
  expect(framesIn(walOf([1], { pageBytes: 600 }))).toBeNull();
});

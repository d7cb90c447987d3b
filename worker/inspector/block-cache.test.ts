import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { BlockCache } from './block-cache.ts';

const BLOCK = 64;

function setUp(sizeBytes: number) {
  const file = Uint8Array.from({ length: sizeBytes }, (_, index) => (index * 31) % 251);
  const fetches: [number, number][] = [];
  const shared = new Uint8Array(BLOCK);
  const cache = new BlockCache(sizeBytes, BLOCK, (offset, length) => {
    fetches.push([offset, length]);
    shared.set(file.subarray(offset, offset + length));
    return shared.subarray(0, length);
  });
  const read = (offset: number, length: number): Uint8Array => {
    const into = new Uint8Array(length);
    expect(cache.read(offset, into)).toBe(true);
    return into;
  };
  return { file, fetches, read };
}

it('gives the bytes of the file, in whatever order and size they are read', () => {
  const reads = fc.array(fc.tuple(fc.nat(9_999), fc.integer({ min: 1, max: 300 })), { maxLength: 200 });
  fc.assert(
    fc.property(reads, (wanted) => {
      const { file, read } = setUp(10_000);
      for (const [offset, length] of wanted) {
        const count = Math.min(length, file.length - offset);
        expect(read(offset, count)).toEqual(file.slice(offset, offset + count));
      }
    }),
    { seed: 7, numRuns: seedCount(50) },
  );
});

it('reads ahead in order, with a block each', () => {
  const { fetches, read } = setUp(1000);
  for (let offset = 0; offset < 1000; offset += 8) read(offset, 8);
  expect(fetches.length).toBeLessThanOrEqual(1 + Math.ceil(1000 / BLOCK));
  expect(fetches.at(-1)).toEqual([960, 40]);
});

it('fetches single parts where the reading jumps', () => {
  const { fetches, read } = setUp(100_000);
  for (const offset of [5_000, 90_000, 30_000, 70_000]) read(offset, 8);
  expect(fetches.every(([, length]) => length === 8)).toBe(true);
});

it('says when the file cannot be read, and does not ask twice', () => {
  const fetch = vi.fn(() => null);
  const cache = new BlockCache(1000, BLOCK, fetch);
  const into = new Uint8Array(8);
  expect([cache.read(0, into), cache.read(8, into)]).toEqual([false, false]);
  expect(fetch).toHaveBeenCalledTimes(2);
});

it('takes no fewer bytes than it asked for', () => {
  const cache = new BlockCache(1000, BLOCK, (_offset, length) => new Uint8Array(length - 1));
  expect([cache.read(0, new Uint8Array(8)), cache.read(56, new Uint8Array(8))]).toEqual([false, false]);
});

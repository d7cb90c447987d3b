import { expect, it } from 'vitest';
import { readMoments } from './replicas.ts';

type File = readonly [min: number, max: number, seconds: number];

const hex = (txid: number): string => txid.toString(16).padStart(16, '0');
const printed = (files: readonly File[]): string =>
  JSON.stringify(
    files.map(([min, max, seconds]) => ({
      ...{ level: 0, size: 600, min_txid: hex(min), max_txid: hex(max) },
      timestamp: new Date(Date.UTC(2026, 10, 20, 14) + seconds * 1000).toISOString().replace('.000', ''),
    })),
  );
const momentsOf = (...files: readonly File[]) =>
  readMoments(printed(files))?.map(({ txid, atMs }) => [
    Number(`0x${txid}`),
    (atMs - Date.UTC(2026, 10, 20, 14)) / 1000,
  ]);

it('lists every transaction that is kept apart, newest first', () => {
  expect(momentsOf([1, 1, 0], [2, 2, 5], [3, 3, 5])).toEqual([
    [3, 5],
    [2, 5],
    [1, 0],
  ]);
});

it('lists only the last of transactions that were merged, at the time it was first written', () => {
  // A snapshot of 1 to 9, merged files up to 12, and single ones after them, one of which was not removed yet.
  expect(momentsOf([1, 9, 86_400], [1, 5, 60], [6, 9, 120], [10, 12, 150], [12, 12, 149], [13, 13, 160])).toEqual([
    [13, 160],
    [12, 149],
    [9, 120],
    [5, 60],
  ]);
});

it('leaves out what has lost the files it was added to', () => {
  expect(momentsOf([7, 7, 1], [8, 8, 2])).toEqual([]);
  expect(momentsOf([1, 1, 0], [3, 3, 2])).toEqual([[1, 0]]);
  // Leftovers from before the oldest snapshot.
  expect(momentsOf([7, 7, 1], [8, 8, 2], [1, 8, 3], [9, 9, 4])).toEqual([
    [9, 4],
    [8, 2],
  ]);
});

it('adds a merged file to a state in the middle of it', () => {
  expect(momentsOf([1, 9, 0], [8, 12, 5])).toEqual([
    [12, 5],
    [9, 0],
  ]);
});

it('an empty list has no moments, and what is no list is not taken for one', () => {
  expect(readMoments('[]')).toEqual([]);
  expect(readMoments('null')).toEqual([]);
  for (const text of ['', 'level  min_txid', '{}', '[{"min_txid":"../x"}]', '[{"min_txid":"1","max_txid":"2"}]'])
    expect(readMoments(text)).toBeNull();
});

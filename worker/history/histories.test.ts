import { expect, test } from 'vitest';
import { ownerOf, removeHistory } from './histories.ts';

const ONE = '0c9a7a5e-1111-4222-8333-444455556666';
const TWO = '0c9a7a5e-1111-4222-8333-444455556667';

test('files of a history say which database they are about', () => {
  expect(ownerOf(`/history-${ONE}.sqlite3`)).toBe(ONE);
  expect(ownerOf(`/history-${ONE}.sqlite3-wal`)).toBe(ONE);
  expect(ownerOf(`/snapshot-${ONE}-12-before`)).toBe(ONE);
  for (const other of [`/db-${ONE}.sqlite3`, '/history-x.sqlite3', `/other-${ONE}-`, '/catalogue.sqlite3'])
    expect(ownerOf(other)).toBeNull();
});

test('all of them go with their database, and no others', () => {
  const names = new Set([
    `/history-${ONE}.sqlite3`,
    `/history-${ONE}.sqlite3-wal`,
    `/snapshot-${ONE}-1-before`,
    `/snapshot-${ONE}-1-before-wal`,
    `/snapshot-${ONE}-2-after`,
    `/history-${TWO}.sqlite3`,
    `/db-${ONE}.sqlite3`,
  ]);
  const remove = (name: string): void => {
    for (const suffix of ['', '-wal', '-journal']) names.delete(name + suffix);
  };
  const pool = { names: () => [...names], remove } as unknown as Parameters<typeof removeHistory>[0];
  removeHistory(pool, ONE);
  expect([...names]).toEqual([`/history-${TWO}.sqlite3`, `/db-${ONE}.sqlite3`]);
});

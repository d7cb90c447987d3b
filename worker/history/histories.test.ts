import { expect, test } from 'vitest';
import { isOfComparisonCopy, ownerOf, removeHistory } from './histories.ts';

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

test('what is kept of a copy that is measured is told from histories of databases and of other copies', () => {
  for (const comparisonCopy of [`comparison-copy-${ONE}`, `file:comparison-copy-${ONE}`, `file:twin-${ONE}`]) {
    expect(isOfComparisonCopy(`/history-${comparisonCopy}.sqlite3`, comparisonCopy)).toBe(true);
    expect(isOfComparisonCopy(`/history-${comparisonCopy}.sqlite3`)).toBe(true);
    expect(isOfComparisonCopy(`/snapshot-${comparisonCopy}-1-before`, comparisonCopy)).toBe(true);
    expect(isOfComparisonCopy(`/history-${comparisonCopy}.sqlite3`, `comparison-copy-${TWO}`)).toBe(false);
    expect(ownerOf(`/history-${comparisonCopy}.sqlite3`)).toBeNull();
  }
  for (const other of [`/history-${ONE}.sqlite3`, '/history-file:0c9a7a5e.sqlite3', `/comparison-copy-${ONE}.sqlite3`])
    expect(isOfComparisonCopy(other)).toBe(false);
});

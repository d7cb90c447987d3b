import { expect, it } from 'vitest';
import type { SavedQuery } from '#shared/protocol/index.ts';
import { folderIn, foldersOf, tagsIn } from './query-list.ts';

const query = (name: string, folder = '', tags: readonly string[] = [], sql = ''): SavedQuery =>
  ({ id: name, name, folder, tags, sql }) as unknown as SavedQuery;
const QUERIES = [
  query('Zero', '', ['daily'], 'SELECT 0'),
  query('One', 'a'),
  query('Two', 'a', [], 'FROM Daily_total'),
];
const found = (words: string): readonly string[] =>
  foldersOf(QUERIES, words).flatMap(({ queries }) => queries.map(({ name }) => name));

it('groups by folder, in the order given, and finds every word anywhere', () => {
  expect(foldersOf(QUERIES, '').map(({ name, queries }) => [name, queries.length])).toEqual([
    ['', 1],
    ['a', 2],
  ]);
  expect(found('daily')).toEqual(['Zero', 'Two']);
  expect(found('#daily')).toEqual(['Zero']);
  expect(found('SELECT zero')).toEqual(['Zero']);
  expect(found('a one')).toEqual(['One']);
  expect(found('nothing')).toEqual([]);
});

it('reads tags and folders as people type them', () => {
  expect(tagsIn(' #daily, sales  daily,,')).toEqual(['daily', 'sales']);
  expect(tagsIn('')).toEqual([]);
  expect(folderIn(' a / b// ')).toBe('a/b');
  expect(folderIn('/')).toBe('');
});

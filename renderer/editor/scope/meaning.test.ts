import { expect, test } from 'vitest';
import { meaningAt, referencesAt } from './meaning.ts';
import type { SchemaColumns } from './names.ts';

const SCHEMA: SchemaColumns = [
  {
    table: 'Album',
    columns: ['AlbumId', 'Title', 'ArtistId'],
    types: ['INTEGER', 'TEXT', ''],
    primaryKey: ['AlbumId'],
    references: [{ columns: ['ArtistId'], target: 'Artist', targetColumns: ['ArtistId'] }],
  },
  {
    table: 'Artist',
    columns: ['ArtistId', 'Name'],
    types: ['INTEGER', 'TEXT'],
    primaryKey: ['ArtistId'],
    references: [],
  },
];

const at = (text: string) => {
  const position = text.indexOf('|');
  return { sql: text.replace('|', ''), position };
};

const meaning = (text: string) => {
  const { sql, position } = at(text);
  return meaningAt(sql, position, SCHEMA);
};

/** The statement with each place that is renamed in braces. */
function renamed(text: string): string {
  const { sql, position } = at(text);
  const ranges = [...referencesAt(sql, position)].sort((a, b) => b.from - a.from);
  return ranges.reduce((out, { from, to }) => `${out.slice(0, from)}{${out.slice(from, to)}}${out.slice(to)}`, sql);
}

test('tells type, key, and reference of a column', () => {
  expect(meaning('SELECT a.Alb|umId FROM Album a')).toMatchObject({
    title: 'Album.AlbumId',
    lines: ['INTEGER', 'Primary key'],
  });
  expect(meaning('SELECT Artist|Id FROM Album')).toMatchObject({
    lines: ['No declared type', '(ArtistId) → Artist (ArtistId)'],
    table: 'Album',
  });
  expect(meaning('SELECT * FROM Album a WHERE EXISTS (SELECT 1 FROM Artist WHERE Ti|tle = 1)')).toMatchObject({
    title: 'Album.Title',
  });
  expect(meaning('SELECT x| FROM (SELECT 1 AS x)')).toMatchObject({ title: 'x', table: null });
});

test('tells what aliases, CTEs, functions, and PRAGMAs are', () => {
  expect(meaning('SELECT a|.Title FROM Album a')).toMatchObject({
    title: 'a = Album',
    definition: { from: 'SELECT a.Title FROM Album '.length },
    table: 'Album',
  });
  expect(meaning('SELECT 1 FROM Alb|um a')).toMatchObject({ title: 'a = Album', definition: null, table: 'Album' });
  expect(meaning('WITH c AS (SELECT Title FROM Album) SELECT * FROM c|')).toMatchObject({
    title: 'c',
    lines: ['WITH', 'Title'],
    definition: { from: 5, to: 6 },
  });
  expect(meaning('SELECT sub|str(1, 2)')).toMatchObject({ title: 'substr(X, start, length?)' });
  expect(meaning('PRAGMA foreign|_keys')).toMatchObject({
    title: 'PRAGMA foreign_keys',
    lines: [expect.any(String), 'ON, OFF'],
  });
  expect(meaning('SELECT | 1')).toBeNull();
  expect(meaning('SELECT nothing|')).toBeNull();
});

test('finds each use of an alias, and no other name that looks like it', () => {
  expect(renamed("SELECT a|.Title, a.AlbumId, b.a FROM Album a, Artist b WHERE a.Title = 'a.'")).toBe(
    "SELECT {a}.Title, {a}.AlbumId, b.a FROM Album {a}, Artist b WHERE {a}.Title = 'a.'",
  );
  expect(renamed('SELECT a.x FROM Album a| WHERE EXISTS (SELECT a.y FROM Artist a WHERE a.z) AND a.w')).toBe(
    'SELECT {a}.x FROM Album {a} WHERE EXISTS (SELECT a.y FROM Artist a WHERE a.z) AND {a}.w',
  );
  expect(renamed('SELECT a.x FROM Album a WHERE EXISTS (SELECT 1 FROM Artist b WHERE a|.z)')).toBe(
    'SELECT {a}.x FROM Album {a} WHERE EXISTS (SELECT 1 FROM Artist b WHERE {a}.z)',
  );
});

test('finds each use of a CTE', () => {
  expect(
    renamed('WITH RECURSIVE c| AS (SELECT 1 UNION SELECT n FROM c) SELECT c.n FROM c JOIN c AS d ON d.n = c.n'),
  ).toBe('WITH RECURSIVE {c} AS (SELECT 1 UNION SELECT n FROM {c}) SELECT {c}.n FROM {c} JOIN {c} AS d ON d.n = {c}.n');
  expect(renamed('SELECT Album|.Title FROM Album')).toBe('SELECT Album.Title FROM Album');
});

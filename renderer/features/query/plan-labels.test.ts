import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { planSteps } from './plan-labels.ts';

const db = new Sqlite(':memory:');
db.exec(`
  CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE "my album" (id INTEGER PRIMARY KEY, artist INTEGER, title TEXT, year INTEGER);
  CREATE INDEX by_artist ON "my album" (artist, title);
  CREATE INDEX by_year ON "my album" (year);
  CREATE VIRTUAL TABLE found USING fts5 (text);
`);

const explained = (sql: string) =>
  planSteps(
    (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).raw().all() as [number, number, number, string][]).map(
      ([id, parent, estimate, detail]) => ({ id, parent, detail, cost: estimate > 0 ? 2 ** (estimate / 10) : null }),
    ),
  );

const facts = (sql: string) => explained(sql).map(({ depth, tone, source, meaning }) => [depth, tone, source, meaning]);

test('tells scans, searches, and sorts apart', () => {
  expect(facts('SELECT * FROM artist ORDER BY name')).toEqual([
    [0, 'slow', 'artist', 'Reads every row'],
    [0, 'slow', null, 'Sorts all rows for ORDER BY, because no index provides that order'],
  ]);
  expect(facts('SELECT title FROM "my album" m JOIN artist a ON a.id = m.artist WHERE m.artist = 1')).toEqual([
    [0, 'good', 'a', 'Finds rows by rowid=?'],
    [0, 'good', 'm', 'Finds rows by artist=? in index by_artist without reading the table'],
  ]);
  expect(facts('SELECT * FROM "my album" WHERE artist = 1 AND title > 2')).toEqual([
    [0, 'good', 'my album', 'Finds rows by artist=? AND title>? in index by_artist'],
  ]);
  expect(facts('SELECT artist FROM "my album"')).toEqual([
    [0, 'slow', 'my album', 'Reads every entry of index by_artist without reading the table'],
  ]);
  expect(facts("SELECT * FROM found WHERE found MATCH 'x'")).toEqual([
    [0, 'plain', 'found', 'Queries the virtual table'],
  ]);
});

test('names an index that is built for the query', () => {
  const steps = facts('SELECT * FROM artist a JOIN artist b ON a.name = b.name');
  expect(steps).toContainEqual([0, 'slow', 'b', 'Builds an index for this query alone, then finds rows by name=?']);
});

test('nests subqueries and combined SELECTs', () => {
  const steps = explained(
    'SELECT (SELECT max(title) FROM "my album" m WHERE m.artist = a.id) FROM artist a UNION SELECT name FROM artist',
  );
  expect(steps.map(({ depth, detail }) => `${' '.repeat(depth)}${detail}`).join('\n')).toMatchInlineSnapshot(`
    "MERGE (UNION)
     LEFT
      SCAN a
      CORRELATED SCALAR SUBQUERY 1
       SEARCH m USING COVERING INDEX by_artist (artist=?)
      USE TEMP B-TREE FOR ORDER BY
     RIGHT
      SCAN artist
      USE TEMP B-TREE FOR ORDER BY"
  `);
  expect(steps.every(({ meaning }) => meaning !== '')).toBe(true);
});

test('a scan of a large table costs more than one of a small table, and sorts have no estimate', () => {
  db.exec("INSERT INTO sqlite_stat1 VALUES ('x', NULL, '1')".replace('INSERT', 'ANALYZE; INSERT'));
  db.exec(
    "DELETE FROM sqlite_stat1; INSERT INTO sqlite_stat1 VALUES ('artist', NULL, '10'), ('my album', NULL, '1000000'); ANALYZE sqlite_schema",
  );
  const cost = (table: string) => explained(`SELECT * FROM ${table} ORDER BY 2`).map((step) => step.cost);
  expect(cost('"my album"')[0]! / cost('artist')[0]!).toBeGreaterThan(1000);
  expect(cost('artist')[1]).toBeNull();
});

import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { CREATE, insertSql, changeSql, CHANGED_ROWS, liveQueries, OTHER, WATCHED_ROWS } from './app-tests.ts';

it('each kind of live query runs, and a fifth of them shows the rows that change', () => {
  const database = new Sqlite(':memory:');
  database.exec(CREATE);
  database.exec(insertSql(1, 60_000, 1));
  database.exec(OTHER);
  const queries = liveQueries(50);
  const shown = (): unknown[] => queries.map((sql) => database.prepare(sql).all().slice(0, WATCHED_ROWS));
  const before = shown();
  for (let id = 1; id <= CHANGED_ROWS; id++) database.exec(changeSql('changed', id));
  const after = shown();
  const differing = queries.filter((_, index) => JSON.stringify(before[index]) !== JSON.stringify(after[index]));
  database.close();
  expect(before.every((rows) => (rows as unknown[]).length > 0)).toBe(true);
  expect(differing).toHaveLength(10);
  expect(new Set(differing)).toEqual(new Set([queries[0]]));
  expect(new Set(queries).size).toBe(41);
});

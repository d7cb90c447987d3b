import { expect, test } from 'vitest';
import { sourcesOf } from './sql-sources.ts';

const timesOf = (sql: string): Record<string, number> => Object.fromEntries(sourcesOf(sql));

test.each<readonly [string, Record<string, number>]>([
  ['SELECT v FROM a', { a: 1 }],
  ['SELECT * FROM a, b AS c, a d', { a: 2, b: 1 }],
  ['SELECT * FROM main.A x JOIN "b b" ON x.a = y.b, \'c\', [d]', { a: 1, 'b b': 1, c: 1, d: 1 }],
  ['SELECT * FROM ((a JOIN b), (c)), d', { a: 1, b: 1, c: 1, d: 1 }],
  [
    'SELECT v, w FROM a LEFT JOIN b USING (v, w) WHERE (v, w) IN (SELECT v, w FROM c) GROUP BY v, w',
    { a: 1, b: 1, c: 1 },
  ],
  ["SELECT v IN a, w NOT IN main.b, kind IN ('table', 'view'), (SELECT 1 FROM a)", { a: 2, b: 1 }],
  ['SELECT * FROM json_each(v, w) j, a ORDER BY v, w LIMIT 1, 2', { json_each: 1, a: 1 }],
  ['SELECT * FROM a UNION SELECT v, w FROM a EXCEPT SELECT * FROM b', { a: 2, b: 1 }],
  ['UPDATE OR IGNORE a SET v = 1, w = 2 FROM b, c', { a: 1, b: 1, c: 1 }],
  ['INSERT INTO main.a (v, w) VALUES (1, 2), (3, (SELECT v FROM b))', { a: 1, b: 1 }],
  ['DELETE FROM a WHERE v = (SELECT v FROM a)', { a: 2 }],
  ['SELECT 1 /* FROM a */ -- FROM a', {}],
  ['SELECT sum(v) OVER w FROM a WINDOW w AS (ORDER BY (SELECT v FROM b))', { a: 1, b: 1 }],
  ['CREATE VIEW v (a, b) AS SELECT * FROM c, c', { c: 2 }],
])('what %s reads from', (sql, sources) => {
  expect(timesOf(sql)).toEqual(sources);
});

test('common table expressions are sources, and what they read from', () => {
  const sql = `WITH RECURSIVE one (x) AS (SELECT * FROM a, a), two AS NOT MATERIALIZED (SELECT * FROM one, one),
    n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM two x, two y, n`;
  expect(timesOf(sql)).toEqual({ a: 2, one: 2, two: 2, n: 2 });
});

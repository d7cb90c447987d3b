import { expect, test } from 'vitest';
import { findHeavy, heavyStatement } from './heavy-schema.ts';
import type { SchemaRow } from './heavy-schema.ts';

const heavyNames = (rows: readonly SchemaRow[]): string[] => [...findHeavy(rows).relations.keys()];
const view = (name: string, sql: string): SchemaRow => ['view', name, `CREATE VIEW ${name} AS ${sql}`];
const chain = (length: number, sql: (below: string) => string): SchemaRow[] =>
  Array.from({ length }, (_, at) => view(`V${at + 1}`, sql(at === 0 ? 't' : `v${at}`)));

test('views that join each other many times over', () => {
  const rows = chain(200, (below) => `SELECT a FROM main.${below} x JOIN "${below.toUpperCase()}" y`);
  const heavy = heavyNames(rows);
  expect(heavy).toHaveLength(200 - 10);
  expect(heavy[0]).toBe('v11');
  expect(findHeavy(rows).writes).toBeNull();
});

test.each<readonly [string, (below: string) => string]>([
  ['subqueries', (below) => `SELECT a, (SELECT a FROM ${below}) FROM t WHERE a IN ${below}`],
  ['unions', (below) => `SELECT a FROM ${below} UNION ALL SELECT a FROM ${below}`],
  ['common table expressions', (below) => `WITH c AS (SELECT a FROM ${below}) SELECT a FROM c, c, c`],
])('views that repeat each other in %s', (_, sql) => {
  expect(heavyNames(chain(40, sql)).length).toBeGreaterThanOrEqual(30);
});

test('views in many levels, however long the chain', () => {
  const heavy = heavyNames(chain(5000, (below) => `SELECT * FROM ${below}`));
  expect(heavy).toHaveLength(5000 - 100);
  // In another order of the schema, too.
  expect(heavyNames(chain(300, (below) => `SELECT * FROM ${below}`).reverse())).toHaveLength(200);
});

test('ordinary views are light: many tables, a few levels, names that are columns too', () => {
  const tables = Array.from({ length: 60 }, (_, at) => `t${at}`).join(', ');
  const rows = [
    view('status', `SELECT status, status AS s FROM ${tables} WHERE status IN ('status', 'v1')`),
    ...chain(20, (below) => `SELECT ${below}.status, status FROM ${below} WHERE status = 1 AND ${below}.status > 2`),
    view('parts', Array.from({ length: 450 }, (_, at) => `SELECT a FROM main.part${at}`).join(' UNION ALL ')),
    view('years', 'SELECT a FROM main.parts UNION ALL SELECT a FROM parts UNION ALL SELECT a FROM parts'),
    view(
      'steps',
      `WITH s0 AS (SELECT * FROM t), ${Array.from({ length: 60 }, (_, at) => `s${at + 1} AS (SELECT * FROM s${at} JOIN t JOIN t t2)`).join(', ')} SELECT * FROM s60`,
    ),
    view('a', 'SELECT * FROM b'),
    view('b', 'SELECT * FROM a'),
  ];
  expect(heavyNames(rows)).toEqual([]);
});

const generated = (count: number, expression: (below: string) => string, kind = ''): SchemaRow => {
  const columns = Array.from({ length: count }, (_, at) => `a${at + 1} AS (${expression(`a${at}`)}) ${kind}`);
  return ['table', 'g', `CREATE TABLE g (a0, ${columns.join(', ')})`];
};

/** Where a chain becomes too heavy, from 1. */
const firstHeavy = (rows: readonly SchemaRow[]): number => Number(heavyNames(rows)[0]?.slice(1) ?? Infinity);

test.each<readonly [string, (below: string) => string, number]>([
  ['calls', (below) => `SELECT coalesce(a, a, a) AS a FROM ${below}`, 10],
  ['operators', (below) => `SELECT ${below}.a || "A" AS a FROM ${below}`, 15],
  ['implied names', (below) => `SELECT x.a + a a FROM (SELECT u.a FROM ${below} u) AS x`, 15],
  ['names that are texts', (below) => `SELECT "a+1", a FROM (SELECT a+1, a || a AS a FROM ${below})`, 15],
  ['conditions', (below) => `SELECT CASE WHEN a > 1 THEN a END AS a FROM ${below} WHERE a = 1`, 14],
  ['joins', (below) => `SELECT x.a + x.a AS a FROM t LEFT JOIN ${below} x ON x.a`, 14],
  ['limits', (below) => `SELECT coalesce(a, a, a) AS a FROM ${below} ORDER BY 1 LIMIT 5`, 9],
  ['unions', (below) => `SELECT 1 AS a FROM t UNION ALL SELECT a || a FROM ${below}`, 14],
  ['common table expressions', (below) => `WITH c (b) AS (SELECT a || a FROM ${below}) SELECT b AS a FROM c`, 15],
  [
    'their names for views',
    (below) => `WITH v99 AS (SELECT 1), v98 AS (SELECT 2) SELECT a || a AS a FROM ${below}`,
    15,
  ],
  ['windows', (below) => `SELECT sum(a) OVER (ORDER BY (SELECT a FROM ${below})) AS a FROM t`, 7],
  ['named windows', (below) => `SELECT a, sum(a) OVER w, max(a) OVER w FROM t WINDOW w AS (ORDER BY a IN ${below})`, 5],
  ['numbers of columns', (below) => `SELECT (SELECT a FROM ${below}) AS a FROM t GROUP BY 1 ORDER BY 1`, 5],
  ['aliases', (below) => `SELECT (SELECT a FROM ${below}) AS x, a FROM t WHERE x || x`, 8],
])('views that copy their columns in %s', (_, sql, most) => {
  const rows = chain(40, sql);
  const first = firstHeavy(rows);
  expect(first).toBeLessThanOrEqual(most);
  expect(first).toBeGreaterThan(3);
  expect(heavyNames(rows)).toHaveLength(40 - first + 1);
  expect([...findHeavy(rows).relations.values()].at(-1)!.why).toContain('“V40”');
  expect(heavyNames(rows.reverse())).toHaveLength(40 - first + 1);
});

test('common table expressions that copy their columns, in any order, and with the name of a view', () => {
  const steps = Array.from({ length: 12 }, (_, at) => `c${at + 1} AS (SELECT coalesce(a, a, a) AS a FROM c${at})`);
  for (const list of [steps, [...steps].reverse()])
    expect(heavyNames([view('v', `WITH c0 AS (SELECT * FROM t), ${list.join(', ')} SELECT * FROM c12`)])).toEqual([
      'v',
    ]);
  const named = chain(
    12,
    (below) => `WITH ${below} AS (SELECT coalesce(a, a, a) AS a FROM main.${below}) SELECT a FROM ${below}`,
  );
  expect(firstHeavy(named)).toBe(10);
});

test('columns that SQLite computes by themselves are not copied', () => {
  for (const sql of [
    (below: string) => `SELECT DISTINCT coalesce(a, a, a) AS a FROM ${below}`,
    (below: string) => `SELECT coalesce(a, a, a) AS a FROM ${below} GROUP BY b`,
    (below: string) => `SELECT coalesce(a, a, a) AS a FROM ${below} UNION SELECT 1`,
    (below: string) => `WITH c AS MATERIALIZED (SELECT coalesce(a, a, a) AS a FROM ${below}) SELECT * FROM c`,
    (below: string) => `SELECT coalesce(a, a, a) AS a, row_number() OVER () AS b FROM ${below}`,
    (below: string) => `SELECT coalesce(a, a, a) AS a FROM ${below} UNION ALL SELECT max(a) FROM t GROUP BY b`,
    (below: string) => `SELECT coalesce(a, a, a) AS a FROM ${below} UNION ALL SELECT 0`,
    (below: string) =>
      `SELECT coalesce(a, a, a) AS a FROM (SELECT a FROM ${below} UNION ALL SELECT a FROM t) GROUP BY a`,
  ])
    expect(heavyNames(chain(40, sql))).toEqual([]);
});

test('conditions are moved into what SQLite computes by itself', () => {
  for (const sql of [
    (below: string) => `SELECT DISTINCT coalesce(a, a, a) AS a FROM ${below} WHERE a > 1`,
    (below: string) => `SELECT coalesce(a, a, a) AS a FROM ${below} WHERE a > 1 UNION SELECT 1`,
    (below: string) =>
      `SELECT coalesce(a, a, a) AS a FROM ${below} WHERE a > 1 UNION ALL SELECT max(a) FROM t GROUP BY b`,
    (below: string) => `SELECT coalesce(a, a, a) AS a FROM (SELECT a FROM ${below} UNION ALL SELECT 0) WHERE a > 1`,
  ]) {
    expect(firstHeavy(chain(40, sql))).toBeGreaterThan(6);
    expect(firstHeavy(chain(40, sql))).toBeLessThan(12);
  }
});

test('views with CASE and many columns over views of the same kind are light', () => {
  const columns = Array.from({ length: 60 }, (_, at) => `c${at}`);
  const rows: SchemaRow[] = [
    view('lines', `SELECT i.*, i.UnitPrice * i.Quantity AS total, CASE WHEN i.Quantity > 10 THEN 0.1 WHEN i.Quantity > 5 THEN 0.05 ELSE 0 END AS discount
      FROM InvoiceLine i JOIN Track t ON t.TrackId = i.TrackId LEFT JOIN Album a USING (AlbumId)`),
    view('prices', `SELECT *, total * (1 - discount) AS net, CASE WHEN total * (1 - discount) > 100 THEN 'large' WHEN total > 10 THEN 'medium' ELSE 'small' END AS class FROM lines`),
    view('taxed', `SELECT *, net * 1.2 AS gross, CASE class WHEN 'large' THEN net WHEN 'medium' THEN net * 0.9 ELSE round(net, 2) END AS basis FROM prices WHERE net > 0`),
    view('report', `SELECT class, sum(gross) AS gross, sum(basis) AS basis, avg(CASE WHEN gross > basis THEN gross - basis END) AS gap FROM taxed GROUP BY class HAVING gross > 0 ORDER BY 2 DESC`),
    view('shares', `SELECT *, 100.0 * gross / (SELECT sum(gross) FROM report) AS share, rank() OVER (ORDER BY gross DESC) AS place FROM report`),
    ['table', 'wide', `CREATE TABLE wide (${columns.join(', ')})`],
    ...chain(20, (below) => `SELECT ${columns.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ')} FROM ${below === 't' ? 'wide' : below}`),
    view('parts', Array.from({ length: 450 }, (_, at) => `SELECT ${columns.slice(0, 30).join(', ')} FROM part${at}`).join(' UNION ALL ')),
    view('recent', `SELECT c1, c2, CASE WHEN c3 > 1 THEN c4 ELSE c5 END AS x FROM parts WHERE c1 > 5`),
  ]; // prettier-ignore
  expect(heavyNames(rows)).toEqual([]);
});

test('a table for each month of twenty years, joined by year and all together, with views that filter them, is light', () => {
  const months = Array.from({ length: 240 }, (_, at) => `sales_${2005 + Math.floor(at / 12)}_${(at % 12) + 1}`);
  const columns = [
    'day',
    'customer',
    'quantity',
    'price',
    'discount',
    'region',
    ...Array.from({ length: 26 }, (_, at) => `c${at}`),
  ];
  const month = (table: string): string =>
    `SELECT *, strftime('%Y-%m', day) AS month, quantity * price * (1 - coalesce(discount, 0)) AS net, CASE WHEN quantity > 100 THEN 'bulk'
      WHEN quantity > 10 THEN 'normal' ELSE 'single' END AS size, ${columns
        .slice(6)
        .map((name) => `coalesce(${name}, 0) AS ${name}_known`)
        .join(', ')},
      '${table}' AS source FROM ${table} WHERE customer IS NOT NULL AND quantity > 0`;
  const years = Array.from({ length: 20 }, (_, at) => at);
  const rows: SchemaRow[] = [
    ...months.map((name): SchemaRow => ['table', name, `CREATE TABLE ${name} (${columns.join(', ')})`]),
    ...years.map((at) => view(`y${at}`, months.slice(at * 12, at * 12 + 12).map(month).join(' UNION ALL '))),
    view('sales', years.map((at) => `SELECT * FROM y${at}`).join(' UNION ALL ')),
    view('recent', "SELECT * FROM sales WHERE day > date('now', '-30 days')"),
    view('north', "SELECT * FROM sales WHERE region IN ('north', 'northeast') AND customer > 5"),
    view('north_kinds', "SELECT *, CASE WHEN quantity > 5 THEN 'many' ELSE 'few' END AS kind FROM north WHERE quantity > 3 ORDER BY day DESC"),
    view('north_many', "SELECT * FROM north_kinds WHERE kind = 'many' AND net > 10 LIMIT 100"),
    view('both', "SELECT customer, 'recent' AS why, net FROM recent UNION ALL SELECT customer, 'north', net FROM north"),
    view('both_large', 'SELECT * FROM both WHERE net > 5 AND customer <> 3 ORDER BY customer'),
    view('regions', 'SELECT region, month, sum(net) AS net FROM sales GROUP BY 1, 2 HAVING sum(quantity) > 10 ORDER BY 3 DESC'),
    view('next', 'SELECT a.customer, a.day, b.day AS next FROM sales a JOIN sales b ON a.customer = b.customer AND b.day > a.day WHERE a.size = b.size'),
    view('known', 'SELECT c.*, (SELECT max(day) FROM sales s WHERE s.customer = c.id) AS last FROM customers c WHERE EXISTS (SELECT 1 FROM sales s WHERE s.customer = c.id)'),
    view('ranks', 'SELECT *, rank() OVER (PARTITION BY region ORDER BY net DESC) AS place FROM sales WHERE net > 0'),
  ]; // prettier-ignore
  expect(heavyNames(rows)).toEqual([]);
});

test('one long SELECT among many short ones weighs as much as alone', () => {
  const doubled = chain(14, (below) => `SELECT a || a AS a FROM ${below}`);
  const short = Array.from({ length: 100 }, (_, at) => `SELECT a FROM t${at}`).join(' UNION ALL ');
  const rows = [
    ...doubled,
    view('mixed', `${short} UNION ALL SELECT a FROM v13`),
    view('twice', 'SELECT a || a || a || a AS a FROM mixed WHERE a > 1'),
  ];
  expect(heavyNames(rows)).toEqual(['twice']);
});

test('many columns through many views', () => {
  const wide = (count: number): SchemaRow[] => {
    const names = Array.from({ length: count }, (_, at) => `c${at}`);
    const columns = names.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ');
    return [
      ['table', 't', `CREATE TABLE t (${names.join(', ')})`],
      ...chain(40, (below) => `SELECT ${columns} FROM ${below}`),
    ];
  };
  expect(heavyNames(wide(50))).toEqual([]);
  expect(firstHeavy(wide(1000))).toBeLessThan(20);
});

test('all columns through many views', () => {
  const wide = (count: number, star: string): SchemaRow[] => [
    ['table', 't', `CREATE TABLE t (${Array.from({ length: count }, (_, at) => `c${at}`).join(', ')})`],
    ...chain(95, (below) => `SELECT ${star} FROM ${below} x`),
  ];
  expect(heavyNames(wide(90, '*'))).toEqual([]);
  // 89 views of 500 columns took 4 s.
  expect(firstHeavy(wide(500, '*'))).toBeLessThan(50);
  expect(firstHeavy(wide(1900, 'x.*'))).toBeLessThan(25);
  expect(firstHeavy(wide(1900, '*'))).toBeGreaterThan(10);
});

test('generated columns are copied, too', () => {
  const rows = [
    generated(10, (below) => `${below} || ${below}`),
    ...chain(10, (below) => `SELECT a || a AS a FROM ${below}`),
  ];
  expect(heavyNames(rows)).toEqual([]);
  rows[1] = view('v1', 'SELECT a10 AS a FROM g');
  expect(firstHeavy(rows)).toBeLessThanOrEqual(7);
});

test('what is not understood is not read through', () => {
  const rows = chain(12, (below) => `SELECT a := a AS a FROM ${below} JOIN`);
  expect(heavyNames(rows).length).toBeGreaterThan(5);
  expect(heavyNames([view('v', 'SELECT FROM')])).toEqual([]);
});

test('generated columns', () => {
  expect(heavyNames([generated(40, (below) => `${below} + ${below}`)])).toEqual(['g']);
  expect(heavyNames([generated(40, (below) => `${below} + "${below.toUpperCase()}"`)])).toEqual(['g']);
  expect(heavyNames([generated(1900, (below) => `${below} + 1`)])).toEqual(['g']);
  expect(heavyNames([generated(60, (below) => `${'abs('.repeat(200)}${below}${')'.repeat(200)}`)])).toEqual(['g']);
  // These are read from the row.
  expect(heavyNames([generated(40, (below) => `${below} + ${below}`, 'STORED')])).toEqual([]);
  expect(heavyNames([generated(60, (below) => `coalesce(${below}, 0) + 1`)])).toEqual([]);
  expect(heavyNames([generated(1900, () => "json_extract(a0, '$.x')")])).toEqual([]);
});

test('what reads something heavy is heavy, and a trigger that does keeps rows from being changed', () => {
  const rows = [
    generated(40, (below) => `${below} + ${below}`),
    view('over', 'SELECT 1 FROM g'),
    view('beside', 'SELECT 1 FROM t'),
  ];
  expect(heavyNames(rows)).toEqual(['g', 'over']);
  const ofText = (content: string): SchemaRow => [
    'table',
    'f',
    `CREATE VIRTUAL TABLE f USING fts4(content=${content})`,
  ];
  expect(heavyNames([...rows, ofText('"OVER"')])).toEqual(['g', 'over', 'f']);
  expect(heavyNames([...rows, ofText("'over'")])).toEqual(['g', 'over', 'f']);
  expect(
    heavyNames([...rows, ['view', 'a-b', 'CREATE VIEW "a-b" AS SELECT 1 FROM g'] as const, ofText('A-B')]),
  ).toContain('f');
  expect(heavyNames([...rows, ofText('beside')])).toEqual(['g', 'over']);
  expect(heavyNames([...rows, ofText('overview')])).toEqual(['g', 'over']);
  const trigger = (sql: string): SchemaRow => [
    'trigger',
    'tr',
    `CREATE TRIGGER tr AFTER INSERT ON t BEGIN ${sql}; END`,
  ];
  expect(findHeavy([...rows, trigger('UPDATE t SET a = 1 WHERE a IN (SELECT a FROM beside)')]).writes).toBeNull();
  expect(findHeavy([...rows, trigger('UPDATE t SET a = 1; INSERT INTO t SELECT * FROM over')]).writes).toContain(
    '“tr”',
  );
});

test('triggers that together read too much', () => {
  const rows = [
    ...chain(9, (below) => `SELECT coalesce(a, a, a) AS a FROM ${below}`),
    ...Array.from({ length: 12 }, (_, at): SchemaRow => [
      'trigger',
      `tr${at}`,
      `CREATE TRIGGER tr${at} AFTER INSERT ON t BEGIN INSERT INTO log SELECT a FROM v9 WHERE new.a; END`,
    ]),
  ];
  expect(heavyNames(rows)).toEqual([]);
  expect(findHeavy(rows).writes).toMatch(/“tr\d+”.*With the others/);
  expect(findHeavy(rows.slice(0, 12)).writes).toBeNull();
});

/** The column of v13 is made of 8,192 others, and none of the views is refused. */
const NEAR = chain(13, (below) => `SELECT a || a AS a FROM ${below}`);
const condition = (count: number): string => Array.from({ length: count }, () => 'a > 1').join(' AND ');

test.each([
  ['many conditions', NEAR, `SELECT 1 FROM v13 WHERE ${condition(250)}`],
  ['many columns', NEAR, `SELECT ${'a, '.repeat(100)}a FROM main."V13"`],
  ['an order of many columns', NEAR, `SELECT 1 FROM v13 ORDER BY ${'a, '.repeat(60)}a`],
  ['subqueries', NEAR, `SELECT ${'(SELECT a FROM v13), '.repeat(60)}1`],
  ['INSERT', NEAR, `INSERT INTO t SELECT 1 FROM v13 WHERE ${condition(250)}`],
  ['UNION ALL', NEAR, Array.from({ length: 60 }, () => 'SELECT a, a, a, a FROM v13').join(' UNION ALL ')],
  ['joins', NEAR, `SELECT * FROM ${Array.from({ length: 40 }, (_, at) => `v13 x${at}`).join(', ')}`],
  ['views of many tables', [view('wide', `SELECT 1 AS a FROM ${Array.from({ length: 60 }, (_, at) => `t${at}`).join(', ')}`)], `SELECT 1 FROM ${Array.from({ length: 50 }, (_, at) => `wide w${at}`).join(', ')}`],
  ['UNION ALL of views of many tables', [view('wide', `SELECT 1 AS a FROM ${Array.from({ length: 60 }, (_, at) => `t${at}`).join(', ')}`)], Array.from({ length: 40 }, () => `SELECT 1 FROM ${Array.from({ length: 10 }, (_, at) => `wide w${at}`).join(', ')}`).join(' UNION ALL ')],
  ['subqueries in each other', [], `${'SELECT a + a + a AS a FROM ('.repeat(12)}SELECT a FROM t${')'.repeat(12)}`],
  ['common table expressions', [], `WITH c0 AS (SELECT a FROM t), ${Array.from({ length: 12 }, (_, at) => `c${at + 1} AS (SELECT a + a + a AS a FROM c${at})`).join(', ')} SELECT a FROM c12`],
] as const)('a statement is too heavy with what it names: %s', (_, rows, sql) => {
  const schema = findHeavy(rows);
  expect(schema.relations.size).toBe(0);
  expect(heavyStatement(sql, schema)).toContain('so often');
}); // prettier-ignore

test.each([
  ['a filter and an order of a heavy view', NEAR, 'SELECT a FROM v13 WHERE a > 1 ORDER BY a'],
  ['many conditions on a light one', NEAR, `SELECT a FROM v3 WHERE ${condition(900)}`],
  ['a million values', NEAR, `INSERT INTO t VALUES ${'(1, 2), '.repeat(500_000)}(1, 2)`],
  ['many values of a heavy view', NEAR, `SELECT a FROM v13 WHERE b IN (${'1, '.repeat(100_000)}1)`],
  ['2,000 columns by name', [['table', 'wide', `CREATE TABLE wide (${Array.from({ length: 2000 }, (_, at) => `c${at}`).join()})`], view('v', 'SELECT * FROM wide')], `SELECT ${Array.from({ length: 2000 }, (_, at) => `c${at}`).join()} FROM v`],
  ['500 SELECTs in a row', [], Array.from({ length: 500 }, (_, at) => `SELECT a, b, c FROM t${at} WHERE a IN (SELECT b FROM u)`).join(' UNION ALL ')],
  ['400 SELECTs of a view of 41 tables', [view('star', `SELECT t.*, ${Array.from({ length: 40 }, (_, at) => `d${at}.name AS name${at}`).join()} FROM t ${Array.from({ length: 40 }, (_, at) => `LEFT JOIN d${at} ON d${at}.id = t.c${at}`).join(' ')}`)], Array.from({ length: 400 }, (_, at) => `SELECT id, name1 FROM star WHERE id = ${at}`).join(' UNION ALL ')],
  ['40 SELECTs of a view of 100 SELECTs', [view('parts', Array.from({ length: 100 }, (_, at) => `SELECT id, name FROM d${at}`).join(' UNION ALL '))], Array.from({ length: 40 }, (_, at) => `SELECT * FROM parts WHERE id = ${at}`).join(' UNION ')],
] as const)('a statement is not too heavy: %s', (_, rows, sql) => {
  expect(heavyStatement(sql, findHeavy(rows as readonly SchemaRow[]))).toBeNull();
}); // prettier-ignore

const triggers = (count: number, on: (at: number) => string, body: (at: number) => string): SchemaRow[] =>
  Array.from({ length: count }, (_, at) => [
    'trigger', `r${at}`, `CREATE TRIGGER r${at} AFTER INSERT ON ${on(at)} BEGIN ${body(at)} END`,
  ]); // prettier-ignore

test.each([
  ['on one table', triggers(400, () => 't', () => 'INSERT INTO t VALUES (1);'.repeat(400))],
  ['in a circle of tables', triggers(400, (at) => `t${at % 2}`, (at) => `UPDATE OR IGNORE "T${(at + 1) % 2}" SET a = 1;`.repeat(400))],
  ['on one table, without running each other', triggers(20_000, () => 't', () => 'SELECT 1;')],
  ['with comments and other words', triggers(400, () => '[t]', () => '/* ; */ DELETE /**/ FROM main.t; SELECT 1; REPLACE INTO t VALUES (1);'.repeat(200))],
] as const)('triggers are too many: %s', (_, rows) => {
  expect(findHeavy(rows).writes).toContain('“r0”');
}); // prettier-ignore

test.each([
  ['10,000 on one table', triggers(10_000, () => 't', () => 'SELECT 1;')],
  ['5,000 tables that write to one log', triggers(20_000, (at) => `t${at >> 2}`, () => 'INSERT INTO log VALUES (1); UPDATE counts SET n = n + 1;')],
  ['1,000 tables that write to each other', triggers(3000, (at) => `t${at % 1000}`, (at) => `UPDATE t${(at + 1) % 1000} SET a = 1; SELECT 1;`)],
] as const)('triggers are not too many: %s', (_, rows) => {
  expect(findHeavy(rows).writes).toBeNull();
}); // prettier-ignore

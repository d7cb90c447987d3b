import { expect, test } from 'vitest';
import { findHeavy } from './heavy-schema.ts';
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

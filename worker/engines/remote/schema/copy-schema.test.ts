import { expect, it } from 'vitest';
import type { Connection } from '../../engine.ts';
import { createWasmEngine, IN_MEMORY } from '../../wasm/wasm-engine.ts';
import { loadBetterSqlite } from '../../native/runtime/load.ts';
import { readStatement } from '../../native/statements/statement-shape.ts';
import { thrownBy } from '../../thrown-by.test-suite.ts';
import { copySchema, SchemaCopy } from './schema-copy.ts';

it('a server makes nothing but the objects that it names', async () => {
  const { engine } = await createWasmEngine();
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n';
  const rows = [
    ['CREATE TABLE t (id INTEGER PRIMARY KEY, a)', 'table', 't'],
    [`CREATE TABLE filled AS ${endless}`, 'table', 'filled'],
    [`CREATE TABLE two (a); INSERT INTO two ${endless}`, 'table', 'two'],
    ['CREATE TABLE named (a)', 'table', 'another'],
    ['CREATE TEMP TABLE hidden (a)', 'table', 'hidden'],
    ['CREATE VIEW v AS SELECT a FROM t', 'view', 'v'],
    ['CREATE INDEX i ON t (a)', 'index', 'i'],
    ['CREATE TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END', 'trigger', 'g'],
  ];
  const copy = copySchema(
    { all: () => rows } as unknown as Connection,
    engine.open(IN_MEMORY, { durability: 'balanced', create: true }),
  );
  expect(copy.all('SELECT name FROM sqlite_schema UNION ALL SELECT name FROM temp.sqlite_schema')).toEqual([
    ['t'],
    ['v'],
    ['i'],
    ['g'],
  ]);
  copy.close();
});

const Database = await loadBetterSqlite();
const COLUMNS = Array.from({ length: 1990 }, (_, at) => `c${at}`).join();
const LARGE: readonly (readonly [string, number, (name: string) => string])[] = [
  ['many tables', 20_000, (name) => `CREATE TABLE ${name} (a)`],
  ['many triggers', 40_000, (name) => `CREATE TRIGGER ${name} AFTER INSERT ON t0 BEGIN SELECT 1; END`],
  ['many wide tables', 4000, (name) => `CREATE TABLE ${name} (${COLUMNS})`],
  ['a long definition', 2, (name) => `CREATE TABLE ${name} (a /* ${'x'.repeat(10e6)} */)`],
];

it.each(LARGE)('a server with %s does not keep SQLite busy', async (_name, count, define) => {
  const rows = Array.from({ length: count }, (_, at) => {
    const type = at > 0 && define('').startsWith('CREATE TRIGGER') ? 'trigger' : 'table';
    const name = `t${at}`;
    return { type, name, table: name, sql: at === 0 ? 'CREATE TABLE t0 (a)' : define(name) };
  });
  const since = process.cpuUsage();
  const copy = new SchemaCopy(Database, rows);
  expect(process.cpuUsage(since).user / 1e6).toBeLessThan(10);
  expect(copy.isComplete).toBe(false);
  const of = (sql: string) => copy.understand(sql, readStatement(sql)!).columns.length;
  expect(of('SELECT * FROM t0')).toBe(1);
  copy.close();

  const { engine } = await createWasmEngine();
  const near = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  const from = { all: () => rows.map(({ sql, type, name }) => [sql, type, name]) } as unknown as Connection;
  expect(thrownBy(() => copySchema(from, near))).toMatchObject({
    code: 'too-big',
    message: expect.stringContaining('too large to be copied') as string,
  });
});

it('statistics of a server are made once', () => {
  const table = (name: string) => ({ type: 'table', name, table: name, sql: `CREATE TABLE ${name} (a UNIQUE)` });
  const rows = [
    ...Array.from({ length: 300 }, (_, at) => table(`t${at}`)),
    ...Array.from({ length: 4000 }, () => table('sqlite_stat1')),
  ];
  const since = process.cpuUsage();
  const copy = new SchemaCopy(Database, rows);
  expect(process.cpuUsage(since).user / 1e6).toBeLessThan(1);
  expect(copy.isComplete).toBe(true);
  copy.close();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Connection } from '../../engine.ts';
import { createNativeEngine } from '../native-engine.ts';
import type { Database } from '../runtime/load.ts';
import { returnsOneRow } from './program.ts';

const SCHEMA = [
  'CREATE TABLE t (id INTEGER PRIMARY KEY, a, b)',
  'CREATE UNIQUE INDEX ta ON t (a)',
  'CREATE INDEX tb ON t (b)',
  'CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID',
  "INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 1), (3, 'three', 2)",
  "INSERT INTO w VALUES ('x', 1), ('y', 2)",
];
const ONE: readonly string[] = [
  'SELECT a FROM t WHERE id = 2',
  'SELECT a FROM t WHERE id = 9',
  "SELECT id FROM t WHERE a = 'two'",
  "SELECT v FROM w WHERE k = 'y'",
  'SELECT count(*), max(a), group_concat(b) FROM t WHERE b BETWEEN 1 AND 2',
  'SELECT 1',
  'SELECT 1 WHERE 0',
  'SELECT t.a, w.v FROM t JOIN w ON w.k = t.a WHERE t.id = 1',
];
const MANY: readonly string[] = [
  'SELECT a FROM t WHERE b = 1',
  'SELECT a FROM t ORDER BY b',
  'SELECT 1 UNION ALL SELECT 2',
  'VALUES (1), (2)',
  'SELECT b, count(*) FROM t GROUP BY b',
  'SELECT DISTINCT b FROM t',
  'SELECT a FROM t LIMIT 2',
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n',
];

let folder: string;
let connection: Connection;
let plain: Sqlite.Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-rows-'));
  connection = (await createNativeEngine()).open(join(folder, 'a.db'), { durability: 'full', create: true });
  plain = new Sqlite(':memory:');
  for (const sql of SCHEMA) {
    connection.run(sql);
    plain.exec(sql);
  }
});
afterAll(() => {
  connection.close();
  plain.close();
  rmSync(folder, { recursive: true });
});

const isOne = (sql: string): boolean => returnsOneRow((plain as unknown as Database).explain(sql));

it.each(ONE)('returns one row at most, as its program says: %s', (sql) => expect(isOne(sql)).toBe(true));

it.each(MANY)('may return more: %s', (sql) => expect(isOne(sql)).toBe(false));

it.each([...ONE, ...MANY])('gives the same rows whenever it is used: %s', (sql) => {
  const rows = plain.prepare(sql).raw(true).all();
  for (let use = 0; use < 6; use++) expect(connection.all(sql)).toEqual(rows);
});

it('keeps no lock after its row, and sees what was written since', () => {
  const read = (): unknown => connection.one('SELECT b FROM t WHERE id = 3')?.[0];
  for (let use = 0; use < 6; use++) {
    connection.run('UPDATE t SET b = ? WHERE id = 3', [use]);
    expect(read()).toBe(use);
  }
  const statement = connection.prepare('SELECT b FROM t WHERE id = 3');
  expect(statement.step()).toBe(true);
  connection.run('UPDATE t SET b = 7 WHERE id = 3');
  expect([statement.value(0), statement.step(), read()]).toEqual([5, false, 7]);
  statement.finalize();
});

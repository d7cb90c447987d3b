import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it, vi } from 'vitest';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import { createNativeEngine } from '../native-engine.ts';
import { definitionOf } from './statement-shape.ts';

const DEFINITIONS = [
  'CREATE TABLE t (a, b)',
  "  create table if not exists main.[t] (a TEXT DEFAULT 'x', b INTEGER CHECK (b > 0)) STRICT;\n",
  'CREATE UNIQUE INDEX i ON t (a) WHERE b IS NOT NULL',
  'CREATE\nINDEX i ON t (a DESC) ; ',
];
const OTHERS = [
  "CREATE TABLE t (a); ATTACH 'other.db' AS other",
  "CREATE TABLE t (a DEFAULT ';')",
  'CREATE TABLE t AS SELECT 1',
  'CREATE TABLE t (a, b AS (a + 1))',
  'CREATE TEMP TABLE t (a)',
  'CREATE VIEW v AS SELECT 1',
  'CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END',
  'CREATE VIRTUAL TABLE t USING fts5(a)',
  'CREATE TABLE t (a CHECK (a > ?))',
  'CREATE TABLE t (a)\0',
  '-- CREATE TABLE t (a)',
  'INSERT INTO t VALUES (1)',
];

const folders: string[] = [];

async function opened(): Promise<Connection> {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-definition-'));
  folders.push(folder);
  return (await createNativeEngine()).open(join(folder, 'a.db'), { durability: 'full', create: true });
}

afterEach(() => {
  vi.restoreAllMocks();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

it.each(DEFINITIONS)('is run in one call: %s', (sql) => expect(definitionOf(sql)?.shape.verb).toBe('create'));

it.each(OTHERS)('is prepared as any other statement: %s', (sql) => expect(definitionOf(sql)).toBeNull());

it('leaves no prepared statement behind', async () => {
  const connection = await opened();
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare');
  connection.run('CREATE TABLE t (a, b)');
  connection.run('CREATE UNIQUE INDEX i ON t (a)');
  expect(prepare.mock.calls.filter(([sql]) => sql.startsWith('CREATE'))).toEqual([]);
  prepare.mockRestore();
  expect(connection.all("SELECT type, name FROM sqlite_schema WHERE name IN ('t', 'i')")).toEqual([
    ['table', 't'],
    ['index', 'i'],
  ]);
  connection.close();
});

it('fails as what is prepared, with the place of the error, and leaves nothing behind', async () => {
  const connection = await opened();
  connection.run('BEGIN');
  connection.run('CREATE TABLE t (a, b)');
  connection.run('INSERT INTO t VALUES (1, 2), (1, 3)');
  const failure = (sql: string): unknown => {
    try {
      connection.run(sql);
      return null;
    } catch (error) {
      return toAppError(error);
    }
  };
  expect(failure('CREATE TABLE u (a, b,, c)')).toMatchObject({ code: 'sql', sqlite: { offset: 21 } });
  expect(failure('CREATE TABLE t (c)')).toMatchObject({ code: 'sql', message: expect.stringContaining('already') });
  expect(failure('CREATE INDEX i ON t (c)')).toMatchObject({ code: 'sql' });
  expect(failure('CREATE INDEX i ON missing (c)')).toMatchObject({ detail: { missing: 'table', name: 'missing' } });
  expect(failure('CREATE UNIQUE INDEX i ON t (a)')).toMatchObject({ code: 'constraint' });
  expect(connection.autocommit).toBe(false);
  connection.run('COMMIT');
  expect(connection.all('SELECT name FROM sqlite_schema')).toEqual([['t']]);
  connection.close();
});

it('inserts texts without preparing them, one statement each, and tells listeners', async () => {
  const connection = await opened();
  connection.run('CREATE TABLE t (a, b UNIQUE)');
  const changed: unknown[] = [];
  connection.onCommit(({ tables }) => changed.push(...(tables?.keys() ?? ['anything'])));
  expect(() => connection.insertTexts!('INSERT INTO t')).toThrow('inside a transaction');
  connection.run('BEGIN');
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare');
  const insert = connection.insertTexts!('INSERT INTO t');
  insert("INSERT INTO t VALUES(9007199254740993,'é')");
  insert("INSERT INTO t VALUES(1.0,x'00') ;\n");
  expect(prepare.mock.calls.filter(([sql]) => sql.startsWith('INSERT'))).toEqual([]);
  insert("INSERT INTO t VALUES(NULL,'a;b');");
  expect(() => insert('INSERT INTO t VALUES(2,2); DROP TABLE t')).toThrow('one statement');
  expect(() => insert("INSERT INTO t VALUES(2,'é')")).toThrow('already has');
  expect(() => connection.insertTexts!('INSERT INTO u')('INSERT INTO u VALUES(1)')).toThrow('u');
  connection.run('COMMIT');
  expect(changed).toEqual(['t']);
  const stored = connection.all('SELECT typeof(a), a, typeof(b), hex(b) FROM t');
  expect(stored.map((row) => row.map(String))).toEqual([
    ['integer', '9007199254740993', 'text', 'C3A9'],
    ['real', expect.any(String), 'blob', '00'],
    ['null', 'null', 'text', '613B62'],
  ]);
  connection.close();
});

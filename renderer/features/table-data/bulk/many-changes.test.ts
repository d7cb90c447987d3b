import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { RowChange } from '#shared/protocol/index.ts';
import { manyChanges } from './many-changes.ts';

const DDL = `CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT NOT NULL DEFAULT ('d' || 1), n INTEGER);
  INSERT INTO t VALUES (1, 1, 'x', 1), (2, 2, 'y', 2), (3, 3, 'z', 3);
  CREATE TABLE w (k TEXT COLLATE NOCASE, l, v, PRIMARY KEY (k, l)) WITHOUT ROWID;
  INSERT INTO w VALUES ('a', 1, 'one'), ('a', 2.5, 'two'), ('B', NULL || 'x', 3);`;

async function run(table: string, key: readonly string[], changes: readonly RowChange[]): Promise<unknown[]> {
  const db = new Sqlite(':memory:');
  db.exec(DDL.replace("('B', NULL || 'x', 3)", "('B', 'x', 3)"));
  const defaults: Record<string, string> = { b: "'d' || 1" };
  const { sql, parameters } = await manyChanges(
    changes,
    { table, key, defaultOf: (column) => defaults[column] ?? null },
    () => Promise.resolve(),
  );
  for (const statement of sql.split(';\n')) {
    const names = statement.match(/:rows\d+/g) ?? [];
    db.prepare(statement).run(Object.fromEntries(names.map((name) => [name.slice(1), parameters[name]])));
  }
  const rows = db.prepare(`SELECT * FROM ${table}`).raw().all();
  db.close();
  return rows;
}

test('updates, inserts with defaults, and deletes are what they would be one by one', async () => {
  const rows = await run('t', ['rowid'], [
    { kind: 'update', key: [2], set: { a: 'A', n: 9_007_199_254_740_993n }, base: {} },
    { kind: 'update', key: [3], set: { a: { real: 5 } }, base: {} },
    { kind: 'insert', set: { a: 'new', b: null } },
    { kind: 'insert', set: {} },
    { kind: 'delete', key: [1] },
  ]); // prettier-ignore
  expect(rows).toEqual([
    [2, 'A', 'y', 9_007_199_254_740_992],
    [3, 5, 'z', 3],
    [4, 'new', 'd1', null],
    [5, null, 'd1', null],
  ]);
});

test('keys of several parts are found with their collation', async () => {
  const rows = await run('w', ['k', 'l'], [
    { kind: 'update', key: ['A', 1], set: { v: 'ONE' }, base: {} },
    { kind: 'delete', key: ['b', 'x'] },
    { kind: 'update', key: ['a', 2.5], set: { v: null }, base: {} },
  ]); // prettier-ignore
  expect(rows).toEqual([['a', 1, 'ONE'], ['a', 2.5, null]]); // prettier-ignore
});

test('what JSON does not know is refused before anything runs', async () => {
  const blob: RowChange = { kind: 'update', key: [1], set: { a: new Uint8Array(1) }, base: {} };
  await expect(
    manyChanges([blob], { table: 't', key: ['rowid'], defaultOf: () => null }, () => Promise.resolve()),
  ).rejects.toMatchObject({
    code: 'refused',
  });
});

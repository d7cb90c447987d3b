import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RowChange } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

let fixture: DatabaseFixture;
beforeEach(() => {
  fixture = openFixture(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE, n INTEGER NOT NULL DEFAULT 7 CHECK (n < 100), g AS (n * 2));
    INSERT INTO t (id, a, b) VALUES (1, 'one', 'x'), (2, 'two', 'y');
    CREATE TABLE w (k TEXT COLLATE NOCASE, l INTEGER, v, PRIMARY KEY (k, l)) WITHOUT ROWID;
    INSERT INTO w VALUES ('a', 1, 'first'), ('a', 2, 'second');
    CREATE TABLE s (i INTEGER, t TEXT) STRICT;
    CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE TABLE log (what); CREATE TRIGGER tr AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END;
    CREATE TRIGGER keep BEFORE DELETE ON t WHEN old.id = 1 BEGIN SELECT RAISE(IGNORE); END;
    CREATE VIEW v AS SELECT a FROM t;`);
  fixture.connection.run('PRAGMA foreign_keys = ON');
});
afterEach(() => fixture.close());

const apply = (table: string, ...changes: RowChange[]) => fixture.window.call('edit.apply', { table, changes });
const update = (id: Value, set: Record<string, Value>, base: Record<string, Value> = {}): RowChange => ({
  kind: 'update',
  key: [id],
  set,
  base,
});
const one = (sql: string) => fixture.connection.one(sql);

test.each<{ value: Value; type: string }>([
  { value: null, type: 'null' },
  { value: '', type: 'text' },
  { value: 5, type: 'integer' },
  { value: 9007199254740993n, type: 'integer' },
  { value: -9223372036854775808n, type: 'integer' },
  { value: { real: 5 }, type: 'real' },
  { value: 0.1, type: 'real' },
  { value: new Uint8Array([0, 255, 0]), type: 'blob' },
  { value: { textBytes: new Uint8Array([0x61, 0xff, 0x62]) }, type: 'text' },
  { value: 'with\0nul', type: 'text' },
])('$value is stored as $type and is its own base afterwards', async ({ value, type }) => {
  expect(await apply('t', update(1, { a: value }, { a: 'one' }))).toEqual({ keys: [[1]], rowsChanged: 1 });
  expect(one('SELECT a, typeof(a) FROM t WHERE id = 1')).toEqual([value, type]);
  await apply('t', update(1, { a: 'back' }, { a: value }));
  expect(one('SELECT a FROM t WHERE id = 1')).toEqual(['back']);
});

test.each<{ base: Value; now: string }>([
  { base: 'One', now: `'one'` },
  { base: 1, now: '1.0' },
  { base: { real: 1 }, now: '1' },
  { base: '1', now: '1' },
  { base: null, now: `''` },
  { base: 9007199254740993n, now: '9007199254740995' },
  { base: new Uint8Array([1, 2]), now: `x'0103'` },
  { base: 'text', now: `x'74657874'` },
])('a base of $base is a conflict with $now', async ({ base, now }) => {
  fixture.connection.run(`UPDATE t SET a = ${now} WHERE id = 1`);
  const error = await failureOf(apply('t', update(1, { a: 'mine' }, { a: base })));
  expect(error.code).toBe('conflict');
  expect(error.detail).toMatchObject({ column: 'a' });
  expect(one('SELECT a IS NOT ? FROM t WHERE id = 1')).toBeDefined();
  expect(one(`SELECT a IS ${now} FROM t WHERE id = 1`)).toEqual([1]);
});

test('the second of two racing edits is told', async () => {
  const other = fixture.newWindow('Window 2');
  const outcomes = await Promise.allSettled([
    apply('t', update(2, { a: 'mine' }, { a: 'two' })),
    other.call('edit.apply', { table: 't', changes: [update(2, { a: 'theirs' }, { a: 'two' })] }),
  ]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected']);
  expect((outcomes[1] as PromiseRejectedResult).reason).toMatchObject({
    code: 'conflict',
    detail: { current: '“mine”' },
  });
});

test('inserts, duplicates, deletes and moves rows, answering their keys', async () => {
  const reply = await apply(
    't',
    { kind: 'insert', set: { a: 'three', n: 9 } },
    { kind: 'insert', set: {} },
    { kind: 'delete', key: [2] },
    update(3, { id: 30 }),
  );
  expect(reply).toEqual({ keys: [[3], [4], null, [30]], rowsChanged: 4 });
  expect(await apply('t', { kind: 'duplicate', key: [30] })).toEqual({ keys: [[31]], rowsChanged: 1 });
  expect(fixture.connection.all('SELECT id, a, b, n FROM t')).toEqual([
    [1, 'one', 'x', 7],
    [4, null, null, 7],
    [30, 'three', null, 9],
    [31, 'three', null, 9],
  ]);
});

test('edits WITHOUT ROWID rows by their whole key', async () => {
  const reply = await apply(
    'w',
    { kind: 'update', key: ['A', 2], set: { l: 3, v: 'moved' }, base: { v: 'second' } },
    { kind: 'insert', set: { k: 'b', l: 1 } },
  );
  expect(reply.keys).toEqual([
    ['a', 3],
    ['b', 1],
  ]);
  expect(fixture.connection.all('SELECT * FROM w')).toEqual([
    ['a', 1, 'first'],
    ['a', 3, 'moved'],
    ['b', 1, null],
  ]);
});

test.each<{ why: string; table: string; change: RowChange; code: string }>([
  { why: 'unique', table: 't', change: update(1, { b: 'y' }), code: 'constraint' },
  { why: 'not null', table: 't', change: update(1, { n: null }), code: 'constraint' },
  { why: 'check', table: 't', change: update(1, { n: 100 }), code: 'constraint' },
  { why: 'strict type', table: 's', change: { kind: 'insert', set: { i: 'text' } }, code: 'constraint' },
  { why: 'text as row id', table: 't', change: update(1, { id: 'text' }), code: 'constraint' },
  { why: 'deferred foreign key', table: 'child', change: { kind: 'insert', set: { t: 99 } }, code: 'constraint' },
  { why: 'trigger that ignores', table: 't', change: { kind: 'delete', key: [1] }, code: 'constraint' },
  { why: 'duplicate of a unique value', table: 't', change: { kind: 'duplicate', key: [1] }, code: 'constraint' },
  { why: 'generated column', table: 't', change: update(1, { g: 1 }), code: 'invalid' },
  { why: 'unknown column', table: 't', change: update(1, { z: 1 }), code: 'not-found' },
  { why: 'row gone', table: 't', change: update(77, { a: 1 }), code: 'not-found' },
  { why: 'deleted row', table: 't', change: { kind: 'delete', key: [77] }, code: 'not-found' },
  { why: 'view', table: 'v', change: { kind: 'insert', set: { a: 1 } }, code: 'invalid' },
])('$why: nothing of the request is kept', async ({ table, change, code }) => {
  const before = fixture.connection.all('SELECT * FROM t');
  const extra: RowChange[] = table === 't' ? [{ kind: 'insert', set: { a: 'first of two' } }] : [];
  const error = await failureOf(apply(table, ...extra, change));
  expect(error.code).toBe(code);
  expect(error.message).toMatch(/\.$/);
  expect(fixture.connection.all('SELECT * FROM t')).toEqual(before);
  expect(fixture.connection.autocommit).toBe(true);
});

test('inside a transaction opened by hand an edit fails alone', async () => {
  await fixture.window.call('query.run', { sql: "BEGIN; UPDATE t SET a = 'by hand' WHERE id = 2" });
  await failureOf(apply('t', { kind: 'insert', set: { a: 'gone' } }, update(1, { b: 'y' })));
  await apply('t', { kind: 'insert', set: { a: 'kept' } });
  expect(fixture.connection.autocommit).toBe(false);
  const other = fixture.newWindow('Window 2');
  const error = await failureOf(other.call('edit.apply', { table: 't', changes: [update(1, { a: 1 })] }));
  expect(error.code).toBe('transaction-elsewhere');
  await fixture.window.call('query.run', { sql: 'COMMIT' });
  expect(fixture.connection.all('SELECT a FROM t')).toEqual([['one'], ['by hand'], ['kept']]);
});

test('virtual tables are edited by their row id', async () => {
  fixture.connection.run('CREATE VIRTUAL TABLE f USING fts5 (body)');
  expect((await apply('f', { kind: 'insert', set: { body: 'hello' } })).keys).toEqual([[1]]);
  await apply('f', { kind: 'update', key: [1], set: { body: 'changed' }, base: { body: 'hello' } });
  expect(fixture.connection.all("SELECT rowid FROM f WHERE f MATCH 'changed'")).toEqual([[1]]);
  await apply('f', { kind: 'delete', key: [1] });
  expect(fixture.connection.all('SELECT * FROM f')).toEqual([]);
});

test('a cell is read whole, or cut at a character with its real size', async () => {
  fixture.connection.run('UPDATE t SET a = ? WHERE id = 1', ['äö'.repeat(5000)]);
  const cell = { table: 't', key: [1], column: 'a' };
  expect(await fixture.window.call('cell.read', { cell })).toEqual({
    value: 'äö'.repeat(5000),
    storageClass: 'text',
    sizeBytes: 20_000,
  });
  expect(await fixture.window.call('cell.read', { cell, maxBytes: 5 })).toEqual({
    value: 'äö',
    storageClass: 'text',
    sizeBytes: 20_000,
  });
});

test.each([5_000, 6_000, 10_000, 16_384, 16_385, 100_000])(
  'a text of %i characters is stored whole',
  async (length) => {
    for (const value of ['x'.repeat(length), 'ö'.repeat(length)]) {
      await apply('t', update(1, { a: value }));
      expect(one('SELECT a FROM t WHERE id = 1')).toEqual([value]);
    }
  },
);

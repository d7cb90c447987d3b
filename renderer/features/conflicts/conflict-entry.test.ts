// Conflicts of a real merge, decided by the operations of a window, on a real database.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Value } from '#shared/protocol/index.ts';
import { mergeOf } from '../../../worker/merge/merge-fixture.test-suite.ts';
import { openFixture, type DatabaseFixture } from '../../../worker/operations/database-fixture.test-suite.ts';

let fixture: DatabaseFixture;
const call = vi.hoisted(() => vi.fn());
vi.mock('../../connection/database-client.ts', () => ({ client: { call } }));
const { decide, listConflicts, wholeConflict, whyNotTheirs } = await import('./conflict-entry.ts');

const BASE = `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, n INT);
  INSERT INTO item VALUES (1, 'ant', 1.5, 1), (2, 'bee', 2, 2), (3, 'cat', 3, 3), (4, 'dog', 4, 4);
  CREATE TABLE word (k TEXT PRIMARY KEY COLLATE NOCASE, v); INSERT INTO word VALUES ('a', 1), ('b', 2);
  CREATE TABLE log (x); INSERT INTO log VALUES (1), (2);`;
const OURS = `UPDATE item SET price = 9, n = 0 WHERE id = 2; UPDATE item SET n = 7 WHERE id = 3; DELETE FROM item WHERE id = 4;
  UPDATE word SET v = 9007199254740993 WHERE k = 'a'; UPDATE word SET v = 5 WHERE k = 'b';`;
const THEIRS = `UPDATE item SET price = 8, name = 'BEE' WHERE id = 2; DELETE FROM item WHERE id = 3; UPDATE item SET n = 5.0, name = x'00ff' WHERE id = 4;
  UPDATE word SET v = 9007199254740995 WHERE k = 'a'; UPDATE word SET v = 1.0 WHERE k = 'b';`;

beforeEach(() => {
  const { rows } = mergeOf(BASE, OURS, THEIRS);
  const [schema] = rows(`SELECT sql FROM sqlite_schema WHERE name = 'sidelite_conflicts'`)[0]!;
  fixture = openFixture(`${BASE}${OURS}${String(schema)};`);
  for (const row of rows('SELECT * FROM sidelite_conflicts'))
    fixture.connection.run('INSERT INTO sidelite_conflicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)', row as Value[]);
  call.mockImplementation((operation: 'rows.open', params: never) => fixture.window.call(operation, params));
});
afterEach(() => fixture.close());

const all = (sql: string): readonly (readonly Value[])[] => fixture.connection.all(sql);
const whole = async (id: string) => {
  const { listed } = await listConflicts('db');
  return wholeConflict(
    'db',
    listed.find(({ key }) => key.includes(id))!,
  );
};

test('taking theirs changes all that they changed, keeps what only mine did, and removes the entry with it', async () => {
  expect((await listConflicts('db')).total).toBe(5);
  for (const id of ['"id":2', '"id":3', '"id":4', '"a"', '"b"']) await decide('db', await whole(id), 'theirs');
  expect(all('SELECT * FROM item')).toEqual([
    [1, 'ant', 1.5, 1],
    [2, 'BEE', { real: 8 }, 0],
    [4, new Uint8Array([0, 255]), { real: 4 }, 5],
  ]);
  expect(all('SELECT * FROM word')).toEqual([['a', 9007199254740995n], ['b', { real: 1 }]]); // prettier-ignore
  expect(await listConflicts('db')).toEqual({ listed: [], total: 0 });
});

test('keeping mine removes the entry alone, in a step that says so', async () => {
  const before = all('SELECT * FROM item');
  await decide('db', await whole('"id":3'), 'mine');
  expect(all('SELECT * FROM item')).toEqual(before);
  expect((await listConflicts('db')).total).toBe(4);
  expect(call.mock.lastCall?.[0]).toBe('rows.close');
  expect(call).toHaveBeenCalledWith('edit.applyAll', expect.objectContaining({ title: 'Keep mine in item' }));
});

test.each([
  ['"id":2', 'UPDATE item SET price = 10 WHERE id = 2', 'conflict'],
  ['"id":3', 'UPDATE item SET name = 1 WHERE id = 3', 'conflict'],
  ['"id":3', 'DELETE FROM item WHERE id = 3', 'not-found'],
  ['"id":4', `INSERT INTO item VALUES (4, 'other', 1, 1)`, 'constraint'],
])('a row that was changed since the merge is not changed again (%s, %s)', async (id, change, code) => {
  const entry = await whole(id);
  fixture.connection.run(change);
  const before = all('SELECT * FROM item');
  await expect(decide('db', entry, 'theirs')).rejects.toMatchObject({ code });
  expect(all('SELECT * FROM item')).toEqual(before);
  expect((await listConflicts('db')).total).toBe(5);
});

test('a statement in the table is never run, and a table of another form is refused', async () => {
  fixture.connection.run(`UPDATE sidelite_conflicts SET take_theirs = 'DROP TABLE log'`);
  await decide('db', await whole('"a"'), 'theirs');
  expect(all('SELECT * FROM log')).toHaveLength(2);
  fixture.connection.run(`UPDATE sidelite_conflicts SET ours = '{"id":1e999x}'`);
  await expect(whole('"b"')).rejects.toMatchObject({ code: 'invalid' });
  fixture.connection.run('ALTER TABLE sidelite_conflicts RENAME COLUMN kind TO other');
  await expect(listConflicts('db')).rejects.toMatchObject({ code: 'invalid' });
});

test('rows without a key are not taken', async () => {
  const entry = await whole('"a"');
  expect(whyNotTheirs(entry)).toBeNull();
  expect(whyNotTheirs({ ...entry, key: null })).toMatch(/^The table has no primary key/);
});

import { afterEach, expect, test } from 'vitest';
import { openFixture, valuesOf } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

const NAMES = [
  'select',
  'two words',
  'quo"te',
  "apos'trophe",
  'back`tick',
  '[bracket]',
  'semi;colon',
  'dot.ted',
  '日本',
  '🦊 fox',
  '100%',
  '',
];
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

let fixture: DatabaseFixture;
afterEach(() => fixture.close());

test.each(NAMES)('a table and a column called %j are listed, read, sorted, filtered, and edited', async (name) => {
  fixture = openFixture(`CREATE TABLE ${quoted(name)} (id INTEGER PRIMARY KEY, ${quoted(name)} TEXT, "order" TEXT)`);
  const { window, connection } = fixture;
  connection.run(`INSERT INTO ${quoted(name)} (${quoted(name)}) VALUES ('b'), ('a'), ('c')`);
  const { objects } = await window.call('schema.get', {});
  expect(objects.map((object) => object.name)).toContain(name);
  const { columns } = await window.call('schema.table', { table: name });
  expect(columns.map((column) => column.name)).toEqual(['id', name, 'order']);
  const { reader } = await window.call('rows.open', {
    table: name,
    sort: [{ column: name, descending: true }],
    filter: [{ column: name, operator: '>=', value: 'b' }],
  });
  const { rows } = await window.call('rows.read', { reader, start: 0, count: 10 });
  // The row id comes first.
  expect(valuesOf(rows).map((row) => row.slice(1))).toEqual([
    [3, 'c', null],
    [1, 'b', null],
  ]);
  await window.call('edit.apply', {
    table: name,
    changes: [{ kind: 'update', key: [1], set: { [name]: 'changed' }, base: { [name]: 'b' } }],
  });
  expect(connection.all(`SELECT ${quoted(name)} FROM ${quoted(name)} WHERE id = 1`)).toEqual([['changed']]);
});

test('two thousand columns are read', async () => {
  const names = Array.from({ length: 1999 }, (_, at) => `c${at + 1}`);
  fixture = openFixture(`CREATE TABLE wide (id INTEGER PRIMARY KEY, ${names.join(', ')})`);
  const { window, connection } = fixture;
  connection.run(`INSERT INTO wide VALUES (1, ${names.map((_, at) => at + 1).join(', ')})`);
  const { reader } = await window.call('rows.open', { table: 'wide', sort: [], filter: [] });
  const { rows } = await window.call('rows.read', { reader, start: 0, count: 10 });
  expect(valuesOf(rows)[0]!.at(-1)).toBe(1999);
  expect(rows.columnCount).toBeGreaterThanOrEqual(2000);
});

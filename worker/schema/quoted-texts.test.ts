// Views and triggers with texts in double quotes: the wasm engine uses them, the native one says how they can be corrected.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SchemaObject } from '#shared/protocol/schema.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import type { Turn } from '../sessions/session.ts';
import { listObjects } from './schema-objects.ts';
import { describeTable } from './table-shape.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidelite-quoted-'));
afterAll(() => rmSync(folder, { recursive: true }));

function open(engine: Engine, location: string): Connection {
  const connection = engine.open(location, { durability: 'full', create: true });
  for (const sql of [
    'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, "odd ""name""" INT)',
    "INSERT INTO t (v) VALUES ('x'), ('y')",
    'CREATE VIEW described AS SELECT v || " it\'s " || "v" || "!" AS "v2", id FROM t',
    'CREATE TRIGGER shout AFTER UPDATE OF v ON t BEGIN UPDATE t SET v = v || "!" WHERE id = NEW.id; END',
  ])
    connection.run(sql);
  return connection;
}

const wasm = async (): Promise<Connection> => open((await createWasmEngine()).engine, IN_MEMORY);

test('the wasm engine uses them', async () => {
  const connection = await wasm();
  expect(connection.all('SELECT "v2" FROM described')).toEqual([["x it's x!"], ["y it's y!"]]);
  expect(describeTable(connection, 'described').columns.map(({ name }) => name)).toEqual(['v2', 'id']);
  connection.run('UPDATE t SET "v" = \'z\' WHERE "id" = 1');
  expect(connection.all('SELECT v, "odd ""name""" FROM t, (SELECT 1 FROM described LIMIT 1)')).toEqual([
    ['z!', null],
    ['y', null],
  ]);
});

test('a PRAGMA function is the first to need them', async () => {
  const connection = await wasm();
  expect(connection.all("SELECT name FROM pragma_table_info('described')")).toEqual([['v2'], ['id']]);
});

test.each([
  'SELECT "typo" FROM t',
  'SELECT v2, "typo" FROM described',
  'UPDATE t SET v = 1 WHERE "typo" = 1',
  'CREATE TABLE c AS SELECT "typo" FROM described',
  'CREATE INDEX i ON t ("typo")',
])('a misspelled name in a statement stays an error: %s', async (sql) => {
  const connection = await wasm();
  connection.all('SELECT * FROM described');
  expect(() => connection.run(sql)).toThrow('“typo”');
  const script = connection.script(sql);
  expect(() => script.next()?.step()).toThrow('“typo”');
  expect(connection.all('SELECT v FROM t')).toEqual([['x'], ['y']]);
});

test('a view does not compile without a column, if names are only names', async () => {
  const connection = await wasm();
  connection.run('CREATE VIEW named AS SELECT "gone" FROM t');
  expect(() => connection.check('SELECT * FROM named', true)).toThrow('“gone”');
  connection.check('SELECT * FROM named');
  expect(() => connection.check('SELECT * FROM named', true)).toThrow('“gone”');
});

test('the native engine names the object and what is in double quotes, and corrects a view', async () => {
  const connection = open(await createNativeEngine(), join(folder, 'quoted.db'));
  const objects = listObjects({ connection, deadlineMs: Infinity } as Turn).next().value as SchemaObject[];
  const view = objects.find(({ name }) => name === 'described')!;
  expect(view.problem).toContain('The view “described” has " it\'s " in double quotes.');
  expect(view.corrected).toBe(`CREATE VIEW described AS SELECT v || ' it''s ' || "v" || '!' AS "v2", id FROM t`);
  expect(() => connection.run("UPDATE t SET v = 'z'")).toThrow('The trigger “shout” has "!" in double quotes.');
  connection.run('DROP VIEW described');
  connection.run(view.corrected!);
  expect(connection.all('SELECT v2 FROM described')).toEqual([["x it's x!"], ["y it's y!"]]);
  connection.close();
});

import { expect, it } from 'vitest';
import type { Connection } from '../../engine.ts';
import { createWasmEngine, IN_MEMORY } from '../../wasm/wasm-engine.ts';
import { copySchema } from './copy-schema.ts';

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

// Scripts that write are told from those that read without running anything of them.
import { expect, it } from 'vitest';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { mayWrite } from './may-write.ts';

const { engine } = await createWasmEngine();

it.each([
  ['SELECT 1; SELECT * FROM t', false],
  ['SELECT ?1', false],
  ['PRAGMA table_info(t); PRAGMA foreign_keys', false],
  ['/* DELETE */ SELECT 1 -- DELETE FROM t', false],
  ['SELECT nothing; DELETE FROM t', false],
  ['SELECT 1; WITH x AS (SELECT 1) DELETE FROM t', true],
  ['SELECT 1; INSERT INTO t VALUES (?1)', true],
  ['CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END', true],
  ['SELECT 1; BEGIN', true],
  ["ATTACH ':memory:' AS other", true],
  ['PRAGMA foreign_keys = OFF', true],
  ['PRAGMA main.foreign_keys(0)', true],
  ['EXPLAIN PRAGMA foreign_keys(0)', true],
  ['EXPLAIN QUERY PLAN PRAGMA foreign_keys = 0', true],
  ['PRAGMA user_version(5)', true],
  ['PRAGMA wal_checkpoint', true],
  ['PRAGMA optimize', true],
  ['PRAGMA journal_mode; PRAGMA main.journal_mode', false],
  ['PRAGMA journal_mode(delete)', true],
  ["PRAGMA table_info('a = b'); PRAGMA main.integrity_check(1)", false],
  ['EXPLAIN DELETE FROM t; EXPLAIN QUERY PLAN DELETE FROM t', false],
  ['', false],
])('%s may write: %s', (sql, writes) => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
  try {
    connection.run('CREATE TABLE t(a)');
    expect(mayWrite(connection, sql)).toBe(writes);
    expect(connection.one('SELECT count(*) FROM t')?.[0]).toBe(0);
    expect(connection.one('PRAGMA foreign_keys')?.[0]).toBe(1);
  } finally {
    connection.close();
  }
});

// What a script writes to is told without running anything of it.
import { expect, it } from 'vitest';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { writtenBy } from './written.ts';
import type { Written } from './written.ts';

const { engine } = await createWasmEngine();

it.each<readonly [string, Written]>([
  ['SELECT 1; SELECT * FROM t', 'nothing'],
  ['SELECT ?1', 'nothing'],
  ['PRAGMA table_info(t); PRAGMA foreign_keys', 'nothing'],
  ['/* DELETE */ SELECT 1 -- DELETE FROM t', 'nothing'],
  ['SELECT nothing; DELETE FROM t', 'nothing'],
  ['SELECT 1; WITH x AS (SELECT 1) DELETE FROM t', 'file'],
  ['SELECT 1; INSERT INTO t VALUES (?1)', 'file'],
  ['CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END', 'file'],
  ['SELECT 1; BEGIN', 'file'],
  ["ATTACH ':memory:' AS other", 'file'],
  ['PRAGMA foreign_keys = OFF', 'file'],
  ['PRAGMA main.foreign_keys(0)', 'file'],
  ['EXPLAIN PRAGMA foreign_keys(0)', 'file'],
  ['EXPLAIN QUERY PLAN PRAGMA foreign_keys = 0', 'file'],
  ['PRAGMA user_version(5)', 'file'],
  ['PRAGMA wal_checkpoint', 'file'],
  ['PRAGMA optimize', 'file'],
  ['PRAGMA journal_mode; PRAGMA main.journal_mode', 'nothing'],
  ['PRAGMA journal_mode(delete)', 'file'],
  ["PRAGMA table_info('a = b'); PRAGMA main.integrity_check(1)", 'nothing'],
  ['EXPLAIN DELETE FROM t; EXPLAIN QUERY PLAN DELETE FROM t', 'nothing'],
  ['', 'nothing'],
  ['CREATE TEMP TABLE x (a)', 'temporary'],
  ['CREATE TEMP TABLE x AS SELECT * FROM t; INSERT INTO x SELECT a FROM t; SELECT * FROM x', 'temporary'],
  ['CREATE TEMP TABLE x (a); CREATE UNIQUE INDEX i ON x (a); INSERT OR IGNORE INTO "X" VALUES (1)', 'temporary'],
  ['CREATE TEMP TABLE x (a); create temporary table if not exists y as select * from x; DROP TABLE y', 'temporary'],
  ['CREATE TEMP TABLE x (a); WITH n AS (SELECT * FROM x) SELECT * FROM n', 'temporary'],
  ['CREATE TEMP TABLE x (a); CREATE INDEX temp.i ON x (a); WITH n AS (SELECT 1) INSERT INTO t SELECT * FROM x', 'file'],
  ['INSERT INTO mine SELECT a FROM t RETURNING 1; UPDATE temp.mine SET a = 2; DELETE FROM mine', 'temporary'],
  ['ALTER TABLE mine ADD COLUMN b; DROP TABLE mine', 'temporary'],
  ['CREATE TABLE temp.x (a); INSERT INTO x VALUES (1)', 'temporary'],
  ['CREATE VIRTUAL TABLE IF NOT EXISTS temp.x USING fts5(a); INSERT INTO x VALUES (1)', 'temporary'],
  ['CREATE TABLE x (a); INSERT INTO temp.x VALUES (1)', 'file'],
  ['CREATE TEMP TABLE x (a); UPDATE OR IGNORE temp.x SET a = 1; DELETE FROM temp.x', 'temporary'],
  ['ALTER TABLE mine RENAME TO y; SELECT * FROM y; PRAGMA query_only = 0', 'file'],
  ['ALTER TABLE mine RENAME TO y; INSERT INTO y VALUES (1)', 'temporary'],
  ['CREATE TEMP VIEW v AS SELECT * FROM t; SELECT * FROM v', 'temporary'],
  ['CREATE TEMP TABLE x (a); INSERT INTO main.x VALUES (1)', 'file'],
  ['CREATE TEMP TABLE x (a); INSERT INTO t SELECT * FROM x', 'file'],
  ['CREATE TEMP TABLE x (a); DELETE FROM y', 'file'],
  ['INSERT INTO mine VALUES (1); DELETE FROM t', 'file'],
  ['INSERT INTO passing VALUES (1)', 'file'],
  ['CREATE TEMP TABLE x (a); CREATE TEMP TRIGGER r AFTER INSERT ON x BEGIN DELETE FROM t; END', 'file'],
  ["INSERT INTO mine VALUES (1); VACUUM INTO 'other.db'", 'file'],
  ['BEGIN; DELETE FROM mine; COMMIT', 'file'],
])('%s writes to: %s', (sql, written) => {
  const connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
  try {
    connection.run('CREATE TABLE t(a)');
    connection.run('CREATE TEMP TABLE mine(a)');
    connection.run('CREATE TEMP TABLE passing(a)');
    connection.run('CREATE TEMP TRIGGER pass AFTER INSERT ON passing BEGIN INSERT INTO t VALUES (1); END');
    expect(writtenBy(connection, sql)).toBe(written);
    expect(connection.one('SELECT count(*) FROM t')?.[0]).toBe(0);
    expect(connection.one('PRAGMA foreign_keys')?.[0]).toBe(1);
  } finally {
    connection.close();
  }
});

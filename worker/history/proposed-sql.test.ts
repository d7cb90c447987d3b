import { expect, test } from 'vitest';
import { assertProposable } from './proposed-sql.ts';

const isRefused = (sql: string): boolean => {
  try {
    assertProposable(sql);
    return false;
  } catch {
    return true;
  }
};

test('what changes rows or definitions can be proposed', () => {
  for (const sql of [
    '',
    "-- why\nUPDATE item SET name = 'PRAGMA x; BEGIN';",
    'WITH a AS (SELECT 1) DELETE FROM item; REPLACE INTO item VALUES (1)',
    'CREATE TABLE w (temp REAL, day TEXT); ALTER TABLE item ADD COLUMN temp; DROP INDEX IF EXISTS temp',
    'CREATE TRIGGER t AFTER DELETE ON item BEGIN SELECT 1; DELETE FROM item; END; SELECT 1',
  ])
    expect([sql, isRefused(sql)]).toEqual([sql, false]);
});

test('what stays in the connection, ends its transaction, or leaves the database cannot', () => {
  for (const sql of [
    'PRAGMA ignore_check_constraints = 1',
    'SELECT 1; /* */ ;pragma\nsynchronous=0',
    'EXPLAIN PRAGMA writable_schema = 1',
    'explain query plan select 1',
    'BEGIN',
    'COMMIT; DELETE FROM item',
    'SAVEPOINT a',
    'RELEASE a',
    'ROLLBACK TO a',
    "ATTACH 'x' AS y",
    'DETACH y',
    'VACUUM',
    "VACUUM INTO 'x'",
    'ANALYZE',
    'REINDEX',
    'CREATE TEMP TABLE item (id)',
    'create /* */ temporary trigger t AFTER DELETE ON item BEGIN SELECT 1; END',
    'CREATE TABLE temp.item (id)',
    'CREATE VIEW IF NOT EXISTS "TEMP" . v AS SELECT 1',
    "CREATE UNIQUE INDEX IF NOT EXISTS 'temp'.i ON item (id)",
    'DROP TABLE [temp].item',
    'ALTER TABLE `temp`.item RENAME TO b',
    '(SELECT 1)',
    '1',
  ])
    expect([sql, isRefused(sql)]).toEqual([sql, true]);
});

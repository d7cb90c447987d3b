// What is told of two databases that are nearly the same.
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import type { Database, DatabaseConstructor } from '../runtime/load.ts';
import { difference } from './same-content.ts';

const Ciphered = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;
const MAKE = `CREATE TABLE t (a, b); INSERT INTO t (rowid, a, b) VALUES (1, 'x', 2), (5, x'78', NULL);
  CREATE TABLE none (k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO none VALUES (1, 2); CREATE INDEX t_a ON t (a, b); CREATE VIEW v AS SELECT 1`;

function differenceAfter(sql: string): string | null {
  const [one, other] = [make(''), make(sql)];
  try {
    const pauses = difference({ db: one, schema: 'main' }, { db: other, schema: 'main' });
    for (let next = pauses.next(); ; next = pauses.next()) if (next.done) return next.value;
  } finally {
    one.close();
    other.close();
  }
}

function make(sql: string): Database {
  const db = new Ciphered(':memory:', {});
  db.exec(`${MAKE}; ${sql}`);
  return db;
}

it.each([
  ['nothing', 'SELECT 1', null],
  ['how pages are laid out', 'INSERT INTO t VALUES (zeroblob(9000), 1); DELETE FROM t WHERE b = 1; VACUUM', null],
  ['a rowid', 'UPDATE t SET rowid = 6 WHERE rowid = 5', 'the table “t”'],
  ['a type', 'UPDATE t SET b = 2.0 WHERE b = 2', 'the table “t”'],
  ['text or bytes', "UPDATE t SET a = 'x'", 'the table “t”'],
  ['where a value ends', "UPDATE t SET a = 'x2', b = '' WHERE rowid = 1", 'the table “t”'],
  ['a row less', 'DELETE FROM none', 'the table “none”'],
  ['a definition', 'DROP VIEW v; CREATE VIEW v AS SELECT 2', 'the schema'],
  ['a setting', 'PRAGMA user_version = 3', 'the setting user_version'],
])('%s', (_what, sql, expected) => {
  expect(differenceAfter(sql)).toBe(expected);
});

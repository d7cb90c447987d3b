import { expect, test } from 'vitest';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { STRANGE_SCHEMA } from '../engines/strange-schema.test-suite.ts';
import { MergeFixture } from './merge/merge-fixture.test-suite.ts';

test('a file is copied with objects that SQLite cannot use here, and they are named', async () => {
  const fixture = await MergeFixture.open(STRANGE_SCHEMA);
  expect(fixture.notes).toHaveLength(1);
  for (const name of ['“indexed”', '“keyed”', '“words”', '“unicase”']) expect(fixture.notes[0]).toContain(name);
  const all = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name';
  expect(fixture.rows(all)).toEqual(fixture.rows(all, 'theirs'));
  expect(fixture.rows('SELECT * FROM indexed')).toHaveLength(3);
  fixture.close();
});

test('a small file is checked by another thread where a CHECK is computed for each row', async () => {
  const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 150)';
  const table = 'CREATE TABLE t (a CHECK (length(hex(zeroblob(8000000 + a))) > 0))';
  const sql = `PRAGMA ignore_check_constraints = ON; ${table}; ${rows} INSERT INTO t SELECT i FROM n`;
  // The first one starts what the others share.
  (await MergeFixture.open('CREATE TABLE t (a)')).close();
  const ms = await processorMsOf(async () => (await MergeFixture.open(sql)).close());
  expect(ms).toBeLessThan(1000);
});

test('a file whose statistics are computed is not opened, and takes a second at most', async () => {
  const rows = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000)';
  const computed = 'CREATE TABLE sqlite_stat1(tbl, idx, x, stat AS (hex(zeroblob(7000000 + x))))';
  const sql = `CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE INDEX i ON t (a); ANALYZE;
    ${rows} INSERT INTO sqlite_stat1 SELECT 't', 'i', i FROM n;
    PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = '${computed}' WHERE name = 'sqlite_stat1'`;
  (await MergeFixture.open('CREATE TABLE t (a)')).close();
  let refused: unknown = null;
  const ms = await processorMsOf(() => MergeFixture.open(sql).catch((error: unknown) => (refused = error)));
  expect(refused).toMatchObject({ message: expect.stringContaining('“sqlite_stat1” in this file are computed') });
  expect(ms).toBeLessThan(3000);
});

test('ordinary statistics are kept', async () => {
  const fixture = await MergeFixture.open(
    'CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE INDEX i ON t (a); ANALYZE',
  );
  expect(fixture.rows('SELECT tbl, idx, stat FROM sqlite_stat1')).toEqual([['t', 'i', '1 1']]);
  fixture.close();
});

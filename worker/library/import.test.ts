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

import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { ReaderInfo, RowsPage } from '#shared/protocol/rows.ts';
import { openFixture, valuesOf } from '../operations/database-fixture.test-suite.ts';
import type { DatabaseFixture } from '../operations/database-fixture.test-suite.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import { planReader } from './open-reader.ts';
import { hostOf } from './reader-host.test-suite.ts';
import type { Reader } from './reader.ts';

const ALL = { sort: [], filter: [] };

function reference(fixture: DatabaseFixture, select: string, order: string, start: number, count: number): unknown {
  return fixture.connection.all(`${select} ORDER BY ${order} LIMIT ? OFFSET ?`, [count, start]);
}

async function waitForExactExtent(fixture: DatabaseFixture, info: ReaderInfo): Promise<RowsPage> {
  return expect
    .poll(async () => {
      const page = await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 1 });
      return page.extent.exact ? page : null;
    })
    .not.toBeNull()
    .then(() => fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 1 }));
}

const tables = [
  {
    name: 'rowid table with gaps',
    sql: `CREATE TABLE t (a TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000)
      INSERT INTO t (rowid, a) SELECT i * 3 + (i > 9000) * 500000, 'row ' || i FROM n; DELETE FROM t WHERE rowid % 7 = 0 AND rowid > 20000;`,
    select: 'SELECT rowid, * FROM t',
    order: 'rowid',
  },
  {
    name: 'negative and huge row ids',
    sql: `CREATE TABLE t (id INTEGER PRIMARY KEY, a); WITH RECURSIVE n(i) AS (SELECT -6000 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
      INSERT INTO t SELECT i * 1500000000000000, i FROM n;`,
    select: 'SELECT rowid, * FROM t',
    order: 'id',
  },
  {
    name: 'WITHOUT ROWID, two columns',
    sql: `CREATE TABLE t (a TEXT, b INTEGER, c, PRIMARY KEY (a, b)) WITHOUT ROWID; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 13000)
      INSERT INTO t SELECT 'g' || (i % 7), i, i FROM n;`,
    select: 'SELECT * FROM t',
    order: 'a, b',
  },
  {
    name: 'WITHOUT ROWID, mixed directions and collation',
    sql: `CREATE TABLE t (a TEXT COLLATE NOCASE, b REAL, c, PRIMARY KEY (a DESC, b)) WITHOUT ROWID; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO t SELECT iif(i % 2, 'g', 'G') || (i % 90), i / 2.0, i FROM n;`,
    select: 'SELECT * FROM t',
    order: 'a DESC, b',
  },
  {
    name: 'WITHOUT ROWID, key collation unlike the column',
    sql: `CREATE TABLE t (a TEXT, c, PRIMARY KEY (a COLLATE NOCASE)) WITHOUT ROWID; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO t SELECT iif(i % 2, 'key', 'KEY') || i, i FROM n;`,
    select: 'SELECT * FROM t',
    order: 'a COLLATE NOCASE',
  },
];

test.each(tables)('$name: every page is what ORDER BY … LIMIT … OFFSET gives', async ({ sql, select, order }) => {
  const fixture = openFixture(sql);
  const info = await fixture.window.call('rows.open', { table: 't', ...ALL });
  await waitForExactExtent(fixture, info);
  const total = fixture.connection.one(`SELECT count(*) FROM t`)![0] as number;
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: total + 50 }), fc.integer({ min: 1, max: 120 }), async (start, count) => {
      const page = await fixture.window.call('rows.read', { reader: info.reader, start, count });
      expect(page.extent).toEqual({ rows: total, exact: true });
      expect(page.exactPosition).toBe(true);
      expect(valuesOf(page.rows)).toEqual(reference(fixture, select, order, start, count));
    }),
    { seed: 11, numRuns: seedCount(60) },
  );
  fixture.close();
});

test('on a busy machine the rows of a small table are counted at once, and no table seems empty after a change', async () => {
  const numbers = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, i FROM n`;
  const connection = openFixture(
    `CREATE TABLE small (id INTEGER PRIMARY KEY, a); INSERT INTO small ${numbers(3)};
     CREATE TABLE large (id INTEGER PRIMARY KEY, a); INSERT INTO large ${numbers(20_000)};`,
  ).connection;
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
  try {
    const open = async (table: string): Promise<Reader> => {
      const reader = planReader(connection, { table, ...ALL })(hostOf(connection));
      await reader.open?.();
      return reader;
    };
    expect((await open('small')).extent).toEqual({ rows: 3, exact: true });
    const large = await open('large');
    expect(large.extent.exact).toBe(false);
    const known = large.extent.rows;
    large.noteChanges({ tables: null, schema: false } as unknown as TransactionChanges);
    expect(large.extent).toEqual({ rows: known, exact: false });
    large.dispose();
  } finally {
    now.mockRestore();
    connection.close();
  }
});

test.each(tables)('$name: finds the position of a key', async ({ sql, select, order }) => {
  const fixture = openFixture(sql);
  const info = await fixture.window.call('rows.open', { table: 't', ...ALL });
  for (const position of [0, 4095, 4096, 8000]) {
    const row = (reference(fixture, select, order, position, 1) as unknown[][])[0]!;
    const key = info.key.columns.map((column) => row[column]) as never;
    expect(await fixture.window.call('rows.find', { reader: info.reader, key })).toEqual({ position });
  }
  fixture.close();
});

test('jumps into an unmapped table: the rows follow each other, their numbers are estimates', async () => {
  const fixture = openFixture(
    `CREATE TABLE t (a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000) INSERT INTO t SELECT i FROM n;`,
  );
  const info = await fixture.window.call('rows.open', { table: 't', ...ALL });
  if (info.extent.exact) return; // a machine that maps 400,000 rows in two milliseconds
  expect(info.extent.rows).toBe(400_000);
  const page = await fixture.window.call('rows.read', { reader: info.reader, start: 399_900, count: 200 });
  const next = await fixture.window.call('rows.read', { reader: info.reader, start: 399_800, count: 100 });
  expect(valuesOf(page.rows).map((row) => row[1])).toEqual(Array.from({ length: 100 }, (_, i) => 399_901 + i));
  expect(valuesOf(next.rows).map((row) => row[1])).toEqual(Array.from({ length: 100 }, (_, i) => 399_801 + i));
  fixture.close();
});

test('a change is told, and pages are exact again after it', async () => {
  const fixture = openFixture(tables[0]!.sql);
  const info = await fixture.window.call('rows.open', { table: 't', ...ALL });
  await waitForExactExtent(fixture, info);
  await fixture.window.call('query.run', { sql: 'DELETE FROM t WHERE rowid IN (SELECT rowid FROM t LIMIT 5000)' });
  await expect.poll(() => fixture.window.count('rows.changed')).toBeGreaterThan(0);
  await waitForExactExtent(fixture, info);
  const page = await fixture.window.call('rows.read', { reader: info.reader, start: 6000, count: 10 });
  expect(valuesOf(page.rows)).toEqual(reference(fixture, 'SELECT rowid, * FROM t', 'rowid', 6000, 10));
  fixture.close();
});

test('rows that come and go are counted where they are: positions stay exact without a new map', async () => {
  const fixture = openFixture(tables[0]!.sql);
  const info = await fixture.window.call('rows.open', { table: 't', ...ALL });
  await waitForExactExtent(fixture, info);
  const rowid = fc.oneof(fc.integer({ min: -50, max: 60_000 }), fc.integer({ min: 500_000, max: 1_000_000 }));
  const change = fc.oneof(
    rowid.map((id) => `INSERT OR IGNORE INTO t(rowid, a) VALUES (${id}, 'new')`),
    rowid.map((id) => `REPLACE INTO t(rowid, a) VALUES (${id}, 'other')`),
    rowid.map((id) => `DELETE FROM t WHERE rowid BETWEEN ${id} AND ${id + 40}`),
    fc.tuple(rowid, rowid).map(([from, to]) => `UPDATE OR REPLACE t SET rowid = ${to} WHERE rowid = ${from}`),
    fc.constant("INSERT INTO t(a) SELECT 'last' FROM t LIMIT 200"),
  );
  const transaction = fc.record({
    statements: fc.array(change, { minLength: 1, maxLength: 4 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(transaction, async ({ statements, at }) => {
      fixture.connection.run('BEGIN');
      for (const sql of statements) fixture.connection.run(sql);
      fixture.connection.run('COMMIT');
      const total = fixture.connection.one('SELECT count(*) FROM t')![0] as number;
      const start = Math.floor(at * total);
      const page = await fixture.window.call('rows.read', { reader: info.reader, start, count: 30 });
      expect(page.extent).toEqual({ rows: total, exact: true });
      expect(valuesOf(page.rows)).toEqual(reference(fixture, 'SELECT rowid, * FROM t', 'rowid', start, 30));
    }),
    { seed: 12, numRuns: seedCount(150) },
  );
  fixture.close();
});

test('an empty table has no rows, exactly', async () => {
  const fixture = openFixture('CREATE TABLE t (a)');
  const info = await fixture.window.call('rows.open', { table: 't', ...ALL });
  expect(info.extent).toEqual({ rows: 0, exact: true });
  const page = await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 10 });
  expect(page.rows.rowCount).toBe(0);
  fixture.close();
});

test('row ids are reached though columns hide their names', async () => {
  const fixture = openFixture(`CREATE TABLE a (rowid TEXT, x); INSERT INTO a VALUES ('r', 1);
    CREATE TABLE b (rowid, oid, _rowid_); INSERT INTO b VALUES (1, 2, 3);
    CREATE TABLE c (rowid, oid, _rowid_, id INTEGER PRIMARY KEY); INSERT INTO c VALUES (1, 2, 3, 4);`);
  const read = async (table: string) => {
    const info = await fixture.window.call('rows.open', { table, ...ALL });
    const page = await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 10 });
    return { key: info.key.kind, hidden: info.hiddenColumns, rows: valuesOf(page.rows) };
  };
  expect(await read('a')).toEqual({ key: 'rowid', hidden: 1, rows: [[1, 'r', 1]] });
  expect(await read('b')).toEqual({ key: 'none', hidden: 0, rows: [[1, 2, 3]] });
  expect(await read('c')).toEqual({ key: 'rowid', hidden: 1, rows: [[4, 1, 2, 3, 4]] });
  fixture.close();
});

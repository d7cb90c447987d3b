// A server refuses what it cannot do with a sentence, and does the rest in its own way: tokens, replicas, settings, limits.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { refuseOtherDatabases, spanOf } from '../../readers/query-program.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { createRemoteEngine } from './remote-engine.ts';

const server = await startTestServer();

describe.skipIf('why' in server)('a database on a server', () => {
  const { url, controls, end } = server as TestServer;
  let made = 0;
  let readOnly = false;
  let engine: Awaited<ReturnType<typeof createRemoteEngine>>;
  let connection: RemoteConnection;
  beforeAll(async () => {
    engine = await createRemoteEngine((location) => ({ url: url(location), token: null, readOnly }), { startNetwork });
  });
  afterAll(() => end());
  const open = (location: string) => engine.open(location, { durability: 'full' }) as RemoteConnection;
  beforeEach(() => {
    readOnly = false;
    connection = open(`refusals${++made}`);
    return () => connection.close();
  });

  it('refuses with a sentence what only a file or a hook could do', () => {
    const refused: readonly (() => unknown)[] = [
      () => [...connection.copyCommitted()],
      () => connection.readFile(),
      () => connection.restoreFrom(),
      () => connection.record({ budgetBytes: 1, guard: null }),
      () => connection.replay(),
      () => connection.run("ATTACH '/tmp/x' AS x"),
      () => connection.run("VACUUM INTO '/tmp/x'"),
      () => connection.run('SELECT ?', [new Uint8Array(6_000_000)]),
    ];
    for (const body of refused) {
      let thrown: unknown;
      try {
        body();
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(AppError);
      expect((thrown as AppError).message).toMatch(/^[A-Z].*\.$/s);
      expect(['unavailable', 'too-big', 'sql']).toContain((thrown as AppError).code);
    }
    expect(connection.one('SELECT 1')).toEqual([1]);
  });

  it.each([
    ['PRAGMA foreign_keys = OFF', /^Foreign keys cannot be turned off on a server: .* Nothing was changed\.$/],
    ["pragma main . foreign_keys('no') ;", /^Foreign keys cannot be turned off on a server/],
    ['PRAGMA /* for now */ foreign_keys = 0 -- only', /^Foreign keys cannot be turned off on a server/],
    ['PRAGMA defer_foreign_keys = ON', /^Foreign keys can only be deferred inside a transaction/],
  ])('does not let anyone believe in a setting that is gone with its statement: %s', (sql, message) => {
    expect(() => connection.run(sql)).toThrow(message);
    const script = connection.script(sql);
    expect(() => script.next()!.step()).toThrow(message);
    script.dispose();
  });

  it('lets foreign keys be deferred where they stay so', () => {
    connection.run('CREATE TABLE p(id INTEGER PRIMARY KEY)');
    connection.run('CREATE TABLE c(p REFERENCES p(id))');
    connection.run('PRAGMA foreign_keys = ON');
    expect(connection.one('PRAGMA foreign_keys')).toEqual([1]);
    connection.run('BEGIN');
    connection.run('PRAGMA defer_foreign_keys = ON');
    connection.run('INSERT INTO c VALUES (1)');
    connection.run('INSERT INTO p VALUES (1)');
    connection.run('COMMIT');
    expect(connection.one('SELECT count(*) FROM c')).toEqual([1]);
  });

  it('notices what another client has committed when it asks the server what a statement means, too', () => {
    connection.run('CREATE TABLE t(a)');
    const before = connection.dataVersion;
    const other = open(`refusals${made}`);
    other.run('CREATE TABLE others(b)');
    // The schema that is known here does not have the table, so the server says what the statement means.
    connection.prepare('SELECT b FROM others').finalize();
    expect(connection.dataVersion).toBeGreaterThan(before);
    other.close();
  });

  it('knows which rows a query can depend on without asking the server, whose plan it asks for', () => {
    connection.run('CREATE TABLE t(a INTEGER PRIMARY KEY, b)');
    connection.run('INSERT INTO t VALUES (7, 1)');
    connection.prepare('SELECT * FROM t').finalize();
    const trips = controls.requests;
    expect(spanOf(connection, 'SELECT b FROM t WHERE a > ?', [5])).toEqual({ low: 6n, high: null });
    refuseOtherDatabases(connection, 'SELECT name FROM sqlite_schema', []);
    expect(controls.requests - trips).toBe(0);
    expect(connection.all('EXPLAIN QUERY PLAN SELECT b FROM t WHERE a > 5')).toHaveLength(1);
    expect(controls.requests - trips).toBe(1);
  });

  it('asks the server what a statement means inside a transaction, too', () => {
    connection.run('CREATE TABLE t(a)');
    connection.run('BEGIN');
    connection.run('INSERT INTO t VALUES (1)');
    expect(() => connection.prepare('SELECT b FROM nowhere')).toThrow(/nowhere/);
    connection.run('INSERT INTO t VALUES (2)');
    connection.run('COMMIT');
    expect(connection.one('SELECT count(*) FROM t')).toEqual([2]);
  });

  it('writes nothing when it was opened read-only', () => {
    connection.run('CREATE TABLE t(a)');
    readOnly = true;
    const reading = open(`refusals${made}`);
    expect(reading.whyReadOnly).toMatch(/read-only/);
    expect(() => reading.run('INSERT INTO t VALUES (1)')).toThrow(/read-only.*Nothing was changed/);
    expect(() => reading.writeTogether([])).toThrow(/read-only/);
    expect(reading.all('SELECT * FROM t')).toEqual([]);
    reading.close();
  });

  it('sees the commits of others, and their changes of the schema, and never its own', () => {
    connection.run('CREATE TABLE t(a)');
    const other = open(`refusals${made}`);
    const before = connection.dataVersion;
    connection.run('INSERT INTO t VALUES (1)');
    connection.run('BEGIN');
    connection.run('INSERT INTO t VALUES (2)');
    connection.run('COMMIT');
    expect(connection.dataVersion).toBe(before);
    other.run('INSERT INTO t VALUES (3)');
    expect(connection.dataVersion).not.toBe(before);
    const after = connection.dataVersion;
    // A commit between two of this connection's own is not missed.
    other.run('INSERT INTO t VALUES (4)');
    connection.run('INSERT INTO t VALUES (5)');
    expect(connection.dataVersion).not.toBe(after);
    other.run('ALTER TABLE t ADD COLUMN b');
    expect(connection.dataVersion).not.toBe(after);
    expect(connection.prepare('SELECT * FROM t').columnCount).toBe(2);
    other.close();
  });

  it('sends BEGIN with the first statement, and says that a transaction is lost when the connection is', () => {
    connection.run('CREATE TABLE t(a)');
    connection.prepare('SELECT * FROM t').finalize();
    const trips = controls.requests;
    connection.run('BEGIN IMMEDIATE');
    connection.run('ROLLBACK');
    expect(controls.requests - trips).toBe(0);
    connection.run('BEGIN IMMEDIATE');
    connection.run('INSERT INTO t VALUES (1)');
    expect(controls.requests - trips).toBe(1);
    controls.fail('cut');
    expect(() => connection.run('INSERT INTO t VALUES (2)')).toThrow(
      /The open transaction was lost, and none of it was saved\.$/,
    );
    expect([connection.autocommit, connection.rollbacks]).toEqual([true, 2]);
    connection.run('BEGIN');
    connection.run('INSERT INTO t VALUES (4)');
    controls.fail('lose');
    expect(() => connection.run('COMMIT')).toThrow(/^It is unknown whether this was saved\./);
    expect(connection.all('SELECT a FROM t')).toEqual([[4]]);
  });

  it('reads results of any size and any value, in any order of troubles', () => {
    const query = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      SELECT i, hex(zeroblob(200)), CASE i WHEN 50000 THEN -9e999 WHEN 3 THEN 9e999 ELSE i / 7.0 END FROM n;`;
    const rows = connection.all(query);
    expect(rows).toHaveLength(60_000);
    expect([rows[2]![2], rows[49_999]![2], rows[59_999]![0]]).toEqual([Infinity, -Infinity, 60_000]);
    // The infinity comes when thousands of rows were given out.
    expect(connection.all(query.replace('WHEN 3 THEN 9e999', ''))[49_999]).toEqual([
      50_000,
      '00'.repeat(200),
      -Infinity,
    ]);
    expect(connection.one("SELECT CAST(x'61ff' AS TEXT), 9e999, 'ü', x'00', NULL -- a comment")).toEqual([
      { textBytes: Uint8Array.of(0x61, 0xff) },
      Infinity,
      'ü',
      Uint8Array.of(0),
      null,
    ]);
  });

  it('repeats a read when the connection was lost, and counts the rows that the server reads and writes', () => {
    connection.run('CREATE TABLE t(a)');
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO t SELECT i FROM n',
    );
    const { read, written } = connection.rowsTouched;
    expect(written).toBeGreaterThanOrEqual(500);
    for (const fault of ['cut', 'lose', 'truncate'] as const) {
      controls.fail(fault);
      expect(connection.one('SELECT sum(a) FROM t')).toEqual([125_250]);
    }
    expect(connection.rowsTouched.read - read).toBe(1500);
  });
});

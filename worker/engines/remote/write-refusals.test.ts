// Anything that can write to a server checks first, whoever calls it; an unreadable answer never makes a change look like none.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer } from '../../../build/sqld/test-server.ts';
import type { TestServer } from '../../../build/sqld/test-server.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { serverEngine } from './server-engine.test-suite.ts';
import { thrownBy } from '../thrown-by.test-suite.ts';

const server = await startTestServer();

describe.skipIf('why' in server)('writing to a server', () => {
  const { url, controls, end } = server as TestServer;
  let made = 0;
  let connection: RemoteConnection;
  let engine: Awaited<ReturnType<typeof serverEngine>>;
  beforeAll(async () => {
    engine = await serverEngine(url);
  });
  afterAll(() => end());
  beforeEach(() => {
    connection = engine.open(`writing${++made}`, { durability: 'full' }) as RemoteConnection;
    connection.run('CREATE TABLE t(a INTEGER PRIMARY KEY, b)');
    connection.run('INSERT INTO t VALUES (1, 1), (2, 2)');
    return () => connection.close();
  });

  const WRITES: readonly string[] = [
    'INSERT INTO t VALUES (3, 3)',
    'REPLACE INTO t VALUES (1, 3)',
    'UPDATE t SET b = 3 RETURNING b',
    'WITH x AS (SELECT 1) DELETE FROM t',
    'CREATE TABLE u(a)',
    'CREATE INDEX i ON t(b)',
    'ALTER TABLE t RENAME TO u',
    'DROP TABLE t',
    'ANALYZE',
    'REINDEX',
    'VACUUM',
    'PRAGMA optimize',
    'PRAGMA user_version = 5',
    'PRAGMA journal_mode = DELETE',
    "SELECT * FROM pragma_journal_mode('delete')",
    'SELECT * FROM "pragma_optimize"(0xfffe)',
    'BEGIN IMMEDIATE',
  ];

  it('asks before each statement that can write, and reads without asking', () => {
    const asked = vi.fn(() => {
      throw new AppError({ code: 'refused', message: 'Not now.' });
    });
    connection.beforeWriting = asked;
    const ways: readonly (() => unknown)[] = [
      ...WRITES.flatMap((sql) => [
        () => connection.run(sql),
        () => {
          const script = connection.script(sql);
          while (script.next()?.step() === true);
        },
      ]),
      () => connection.writeTogether([{ write: { sql: WRITES[0]!, params: [] }, now: null, after: null }]),
      () => connection.beginWithoutForeignKeys(),
    ];
    const notAsked = ways.filter((way, at) => {
      try {
        way();
      } catch {
        // It was asked, or failed for another reason.
      }
      return asked.mock.calls.length <= at;
    });
    expect(notAsked.map(String)).toEqual([]);
    expect(asked).toHaveBeenCalledTimes(ways.length);
    connection.run('BEGIN');
    expect(connection.all('SELECT * FROM t')).toHaveLength(2);
    connection.run('ROLLBACK');
    connection.all('EXPLAIN QUERY PLAN DELETE FROM t');
    connection.all('PRAGMA table_info(t)');
    connection.all('PRAGMA page_size');
    expect(asked).toHaveBeenCalledTimes(ways.length);
  });

  it('says that a change is unknown, not undone, when its answer is too large to be sent', () => {
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO t SELECT i, 0 FROM n',
    );
    const tooLarge = 'UPDATE t SET b = b + 1 WHERE a > 2 RETURNING a, b, hex(zeroblob(20000)) AS large';
    expect(() => connection.all(tooLarge)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^It is unknown whether this was saved\. .*larger than the server can send/,
        ) as string,
        detail: { kind: 'unknown-outcome', server: 'RESPONSE_TOO_LARGE' },
      }) as Error,
    );
    // A value that the server does not take is no such case.
    expect(() => connection.run('UPDATE t SET b = ?', [new Uint8Array(6_000_000)])).toThrow(/Nothing was changed\.$/);
  });

  const NOTHING_CHANGED =
    'Nothing was changed. Change fewer rows at a time; new rows can also be imported, which sends them in parts.';
  it('sends no edits that are too large for one request, nor asks whether they may be made', () => {
    const asked = vi.fn();
    connection.beforeWriting = asked;
    const text = 'é'.repeat(500_000);
    const insert = {
      write: { sql: 'INSERT INTO t(b) VALUES (?) RETURNING a', params: [text] },
      now: null,
      after: null,
    };
    expect(connection.writeTogether([insert, insert, insert])).toMatchObject({ kind: 'done', rows: [[3], [4], [5]] });
    asked.mockClear();
    const { requests } = controls;
    const { code, message } = thrownBy(() => connection.writeTogether(Array.from({ length: 17 }, () => insert)));
    expect([code, message]).toEqual([
      'refused',
      `These 17 edits are 17 MB as one request, and at most 16 MB are sent to a server at once. ${NOTHING_CHANGED}`,
    ]);
    expect([controls.requests, asked.mock.calls.length]).toEqual([requests, 0]);
    expect(connection.one('SELECT count(*) FROM t')).toEqual([5]);
  });

  it('sends no edits whose answer would be larger than the server sends', () => {
    const names = Array.from({ length: 200 }, (_, at) => `"a column with a long name, number ${at}"`);
    connection.run(`CREATE TABLE wide(a INTEGER PRIMARY KEY, ${names.join(', ')})`);
    const sql = `INSERT INTO wide(a) VALUES (?) RETURNING ${names.join(', ')}`;
    const inserts = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ write: { sql, params: [at] }, now: null, after: null }));
    expect(connection.writeTogether(inserts(50)).kind).toBe('done');
    const { requests } = controls;
    expect(thrownBy(() => connection.writeTogether(inserts(500)))).toMatchObject({
      code: 'refused',
      message: `These 500 edits are too large to send at once: the server would answer with about 10 MB, and it sends at most 10 MB. ${NOTHING_CHANGED}`,
    });
    expect(controls.requests).toBe(requests);
  });

  it('knows that nothing was changed when the answer to edits is too large after all', () => {
    connection.run(
      'WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 302) INSERT INTO t SELECT i, 0 FROM n',
    );
    const sql = 'UPDATE t SET b = ? WHERE a = ? AND b IS ? RETURNING a, hex(zeroblob(20000)) AS large';
    const after = 'SELECT 1 FROM t WHERE a = ? AND b IS ?';
    const writes = Array.from({ length: 300 }, (_, at) => ({
      write: { sql, params: [1, at + 3, 0] },
      now: null,
      after: { sql: after, params: [at + 3, 1] },
    }));
    expect(thrownBy(() => connection.writeTogether(writes))).toMatchObject({
      code: 'refused',
      message: `The server would have had to answer with more than it sends at once. ${NOTHING_CHANGED}`,
    });
    expect(connection.one('SELECT sum(b) FROM t WHERE a > 2')).toEqual([0]);
  });
});

// Scanning a whole table on a server, against a real one at a distance: in as few round trips as replies allow.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import type { Engine } from '../engines/engine.ts';
import type { ParentSearch } from '#shared/protocol/explore.ts';
import type { RemoteConnection } from '../engines/remote/remote-connection.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { Scan } from '../readers/scan.ts';
import type { Pause } from '../sessions/session.ts';
import { profileColumn } from './column-profile.ts';
import { searchParents } from './search-parents.ts';
import { searchTables } from './search-tables.ts';
import { testTurn } from './test-turn.test-suite.ts';

const ROWS = 20_000;
const server = await startTestServer();

describe.skipIf('why' in server)('a table on a server', () => {
  const { url, controls, end } = server as TestServer;
  let engine: Engine;
  let connection: RemoteConnection;
  beforeAll(async () => {
    engine = await serverEngine(url);
    connection = engine.open('explored', { durability: 'full' }) as RemoteConnection;
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)');
    connection.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) INSERT INTO t SELECT i, 'row ' || i FROM n`,
    );
  });
  afterAll(async () => {
    connection.close();
    await end();
  });

  function through<T>(look: (scan: Scan) => Generator<Pause, T>): { readonly found: T; readonly requests: number } {
    const before = controls.requests;
    controls.delayMs = 20;
    // Round trips on a busy machine take so long that slices stay narrow.
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const body = look(
        new Scan(
          testTurn(connection, () => false),
          () => undefined,
        ),
      );
      let step = body.next();
      while (!step.done) step = body.next();
      return { found: step.value, requests: controls.requests - before };
    } finally {
      vi.useRealTimers();
      controls.delayMs = 0;
    }
  }

  it('is searched in a few round trips, however far away the server is', () => {
    const hits: string[] = [];
    const { found, requests } = through((scan) => searchTables(scan, 'row 1999', ({ excerpt }) => hits.push(excerpt)));
    expect(hits).toEqual(['row 1999', ...Array.from({ length: 10 }, (_, at) => `row 1999${at}`)]);
    expect(found).toEqual([{ table: 't', hits: 11, hasMore: false, problem: null }]);
    expect(requests).toBeLessThan(12);
  });

  it('is searched although another client has just created it', () => {
    connection.all('SELECT count(*) FROM t');
    const other = engine.open('explored', { durability: 'full' });
    other.run('CREATE TABLE new(word TEXT)');
    other.run("INSERT INTO new VALUES ('just now')");
    const hits: string[] = [];
    const { found } = through((scan) => searchTables(scan, 'just now', ({ table }) => hits.push(table)));
    expect(hits).toEqual(['new']);
    expect(found.map(({ table }) => table)).toEqual(['new', 't']);
    other.run('DROP TABLE new');
    other.close();
  });

  it('is not read for the values of a column, or for the rows of a foreign key, before somebody has agreed', () => {
    connection.run('CREATE TABLE few(v)');
    connection.run('INSERT INTO few VALUES (1), (2)');
    const before = connection.rowsTouched.read;
    const profile = (table: string, column: string): unknown =>
      through((scan) => profileColumn(scan, { table, column, filter: [] }, () => undefined)).found;
    expect(() => profile('t', 'name')).toThrow(
      /every row has to be read\. The server would read up to 20,000 rows \(a whole-table scan\)\./,
    );
    expect(profile('few', 'v')).toMatchObject({ rows: 2 });
    const parents = (text: string): ParentSearch => {
      const request = { table: 't', key: ['id'], text, current: null };
      return through((scan) => searchParents(scan, request, () => undefined)).found;
    };
    expect(parents('row 7')).toMatchObject({ rows: [], byIndexOnly: true });
    expect(parents('70')).toMatchObject({ byIndexOnly: true });
    expect(parents('70').rows.map(({ key }) => key[0])).toContain(70);
    expect(parents('').rows).toHaveLength(50);
    expect(connection.rowsTouched.read - before).toBeLessThan(200);
    connection.run('DROP TABLE few');
  });

  it('has the values of a column counted in a few round trips', () => {
    const { found, requests } = through((scan) =>
      profileColumn(scan, { table: 't', column: 'name', filter: [], mayScan: true }, () => undefined),
    );
    expect(found.rows).toBe(ROWS);
    expect(requests).toBeLessThan(12);
  });
});

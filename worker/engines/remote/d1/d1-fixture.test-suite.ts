// For tests of Cloudflare D1: a new database on its engine for each test, and a table with some rows.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { D1Server } from '../../../../build/d1/d1-server.ts';
import type { RemoteConnection } from '../remote-connection.ts';
import { serverEngine } from '../server-engine.test-suite.ts';

/**
 * Opens a new database for each test of a `describe`, closes it after it, and ends the server after all of them.
 * @param opened gets the connection before each test
 */
export function databasesOf({ url, end }: D1Server, opened: (connection: RemoteConnection) => void) {
  let engine: Awaited<ReturnType<typeof serverEngine>>;
  let made = 0;
  let connection: RemoteConnection;
  const open = (): RemoteConnection => engine.open(`d${made}`, { durability: 'full' }) as RemoteConnection;
  beforeAll(async () => {
    engine = await serverEngine(url);
  });
  afterAll(() => end());
  beforeEach(() => {
    made++;
    connection = open();
    opened(connection);
    return () => connection.close();
  });
  const rows = () => connection.all('SELECT v FROM t ORDER BY id').map(([v]) => v);
  const fill = (): void => {
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, v CHECK (v IS NOT 13))');
    connection.run('INSERT INTO t VALUES (1, 10), (2, ?), (3, 30)', [2n ** 60n + 1n]);
  };
  return {
    /** Opens the database of the test once more. */
    open,
    rows,
    fill,
  };
}

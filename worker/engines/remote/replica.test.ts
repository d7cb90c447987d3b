// A database behind a primary and a replica of it: after a write, reads are never older than the write.
import { afterAll, describe, expect, it } from 'vitest';
import { startReplicated } from '../../../build/sqld/with-replica.ts';
import type { Replicated } from '../../../build/sqld/with-replica.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { createRemoteEngine } from './remote-engine.ts';

const servers = await startReplicated();

describe.skipIf('why' in servers)('a replica', () => {
  const { primary, replica, end } = servers as Replicated;
  const open = async (url: string): Promise<RemoteConnection> => {
    const engine = await createRemoteEngine(() => ({ url, token: null, readOnly: false }), { startNetwork });
    return engine.open('t', { durability: 'full' }) as RemoteConnection;
  };
  afterAll(() => end());

  it('shows each write of this connection to every read that follows', async () => {
    const connection = await open(replica);
    connection.run('CREATE TABLE own(id INTEGER PRIMARY KEY, n INTEGER)');
    connection.run('INSERT INTO own VALUES (1, 0)');
    for (let n = 1; n <= 150; n++) {
      if (n % 3 === 0) connection.run('UPDATE own SET n = ? WHERE id = 1', [n]);
      else if (n % 3 === 1)
        connection.writeTogether([
          {
            write: { sql: 'UPDATE own SET n = ? WHERE id = 1 AND n = ? RETURNING 1', params: [n, n - 1] },
            now: null,
            after: null,
          },
        ]);
      else {
        connection.run('BEGIN IMMEDIATE');
        connection.run('UPDATE own SET n = ? WHERE id = 1', [n]);
        connection.run('COMMIT');
      }
      expect(connection.one('SELECT n FROM own')).toEqual([n]);
    }
    connection.close();
  });

  it('forwards edits to the primary, which finds those that rest on an old value', async () => {
    const [here, there] = [await open(replica), await open(primary)];
    here.run('CREATE TABLE shared(id INTEGER PRIMARY KEY, n INTEGER)');
    here.run('INSERT INTO shared VALUES (1, 0)');
    const edit = (connection: RemoteConnection, from: number, to: number) =>
      connection.writeTogether([
        {
          write: { sql: 'UPDATE shared SET n = ? WHERE id = 1 AND n = ? RETURNING 1', params: [to, from] },
          now: { sql: 'SELECT n FROM shared WHERE id = 1', params: [] },
          after: null,
        },
      ]).kind;
    for (let n = 0; n < 50; n += 2) {
      expect(edit(there, n, n + 1)).toBe('done');
      // Whatever the replica knew: the value is compared where the write takes place.
      expect(edit(here, n, n + 2)).toBe('missed');
      expect(edit(here, n + 1, n + 2)).toBe('done');
      expect(here.one('SELECT n FROM shared')).toEqual([n + 2]);
    }
    here.close();
    there.close();
  });
});

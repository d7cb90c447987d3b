// A replica that is behind its primary: after a write, reads are never older than the write, whichever server they reach.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLateReplica } from '../../../build/sqld/late-replica.ts';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { LateReplica } from '../../../build/sqld/late-replica.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import type { Engine } from '../engine.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { createRemoteEngine } from './remote-engine.ts';

const servers = await startLateReplica();

describe.skipIf('why' in servers)('a replica that is late', { timeout: 120_000 }, () => {
  const late = servers as LateReplica;
  let connection: RemoteConnection;
  beforeAll(async () => {
    const engine = await createRemoteEngine(() => ({ url: late.url, token: null, readOnly: false }), { startNetwork });
    connection = engine.open('t', { durability: 'full' }) as RemoteConnection;
    connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)');
    connection.run('INSERT INTO t VALUES (1, 0)');
    late.toReplica();
    expect(connection.one('SELECT n FROM t')).toEqual([0]);
  });
  afterAll(() => {
    connection.close();
    return late.end();
  });

  /** Result for a client that does not say which state the replica must not be older than. */
  async function onReplica(sql: string): Promise<unknown> {
    const reply = await fetch(`${late.replica}/v3/pipeline`, {
      method: 'POST',
      body: JSON.stringify({
        baton: null,
        requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }],
      }),
    });
    const { results } = (await reply.json()) as {
      results: { response?: { result: { rows: { value: unknown }[][] } } }[];
    };
    return results[0]!.response?.result.rows[0]?.[0]?.value;
  }

  /** Writes to the primary while the replica is behind, and reads from the replica. */
  async function behind<T>(write: () => void, old: readonly [sql: string, value: unknown], read: () => T): Promise<T> {
    late.toPrimary();
    await late.hold();
    write();
    expect(await onReplica(old[0])).toBe(old[1]);
    expect(late.isHeld).toBe(true);
    late.toReplica();
    return read();
  }

  const N = 'SELECT n FROM t';

  it('shows a write of a statement, an edit, and a transaction', async () => {
    const read = () => connection.one(N);
    expect(await behind(() => connection.run('UPDATE t SET n = 1'), [N, '0'], read)).toEqual([1]);
    const edit = () =>
      connection.writeTogether([
        { write: { sql: 'UPDATE t SET n = 2 WHERE n = 1 RETURNING 1', params: [] }, now: null, after: null },
      ]);
    expect(await behind(edit, [N, '1'], read)).toEqual([2]);
    const transaction = () => {
      connection.run('BEGIN IMMEDIATE');
      connection.run('UPDATE t SET n = 3');
      connection.run('COMMIT');
    };
    expect(await behind(transaction, [N, '2'], read)).toEqual([3]);
  });

  it('shows it to results of any size, and inside a transaction that only reads', async () => {
    const rows = () => {
      const statement = connection.prepare('SELECT n FROM t, (SELECT 1 UNION ALL SELECT 2)');
      try {
        const seen: unknown[] = [];
        while (statement.step()) seen.push(statement.value(0));
        return seen;
      } finally {
        statement.finalize();
      }
    };
    expect(await behind(() => connection.run('UPDATE t SET n = 4'), [N, '3'], rows)).toEqual([4, 4]);
    const inTransaction = () => {
      connection.run('BEGIN');
      const row = connection.one(N);
      connection.run('COMMIT');
      return row;
    };
    expect(await behind(() => connection.run('UPDATE t SET n = 5'), [N, '4'], inTransaction)).toEqual([5]);
  });

  it('shows a change of the schema', async () => {
    const count = 'SELECT count(*) FROM sqlite_schema';
    const columns = () => connection.one('SELECT * FROM t');
    expect(await behind(() => connection.run('ALTER TABLE t ADD COLUMN m DEFAULT 7'), [count, '1'], columns)).toEqual([
      1, 5, 7,
    ]);
    // Only the server can describe this.
    const described = () => connection.prepare("SELECT o, vector_extract(vector32('[1]')) FROM fresh").finalize();
    await behind(() => connection.run('CREATE TABLE fresh (o)'), [count, '1'], described);
  });

  it('shows it to the first reads of a later run, and of the same one after a rest', async () => {
    const engineOf = (notOlderThan: string | null) =>
      createRemoteEngine(() => ({ url: late.url, token: null, readOnly: false, notOlderThan }), { startNetwork });
    const later = await engineOf(null);
    const firstRead = (engine: Engine): unknown => {
      const opened = engine.open('t', { durability: 'full' });
      const row = opened.one(N);
      opened.close();
      return row;
    };
    connection.run('UPDATE t SET n = 20');
    // A write can be answered before the replica has it; once this read is, it does.
    expect(connection.one(N)).toEqual([20]);
    const written = (): void => void connection.run('UPDATE t SET n = n + 1');
    await behind(written, [N, '20'], async () =>
      expect(firstRead(await engineOf(connection.writtenIndex))).toEqual([21]),
    );
    const writtenAndClosed = (): void => {
      const opened = later.open('t', { durability: 'full' });
      opened.run('UPDATE t SET n = n + 1');
      opened.close();
    };
    await behind(writtenAndClosed, [N, '21'], () => expect(firstRead(later)).toEqual([22]));
  });

  // As long as it waits.
  it.runIf(LONG)('does not wait for ever for a state of a server that was set up anew', async () => {
    late.toReplica();
    const lost = { url: late.url, token: null, readOnly: false, notOlderThan: '999999' };
    const engine = await createRemoteEngine(() => lost, { startNetwork });
    const opened = engine.open('t', { durability: 'full' });
    expect(opened.one('SELECT count(*) FROM t')).toEqual([1]);
    opened.close();
    late.toPrimary();
    const ofPrimary = engine.open('t', { durability: 'full' });
    expect(ofPrimary.one('SELECT count(*) FROM t')).toEqual([1]);
    ofPrimary.close();
  });

  it('does not wait for a replica that has it already', async () => {
    late.toPrimary();
    connection.run('UPDATE t SET n = 9');
    await expect.poll(() => onReplica(N)).toBe('9');
    late.toReplica();
    expect(connection.one(N)).toEqual([9]);
    expect(connection.dataVersion).toBe(connection.dataVersion);
  });
});

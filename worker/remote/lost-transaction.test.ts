// The window whose transaction was lost hears of it once, whichever window's request notices, and whatever it asks for.
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { DatabaseState, Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import type { Engine } from '../engines/engine.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { RemoteServer } from './remote-server.ts';

const server = await startTestServer();
const database = 'remote-1';
const LOST = /^The server ended the connection\. The open transaction was lost, and none of it was saved\.$/;

type Client = ReturnType<typeof createClient<Operations, Events>>;
const run = (client: Client, sql: string) =>
  client.call('query.run', { database, sql, withoutUndo: false, showsRows: true }, { onChunk: () => undefined });

describe.skipIf('why' in server)('the loss of a transaction', () => {
  const { url, controls, end } = server as TestServer;
  let [engine, local] = [null, null] as unknown as [Engine, Engine];
  let own: Client;
  let other: Client;
  let told: string[];
  let made = 0;
  beforeAll(async () => {
    [engine, local] = await Promise.all([serverEngine(() => url(`losses${made}`)), createNativeEngine()]);
  });
  afterAll(() => end());

  beforeEach(async () => {
    made++;
    told = [];
    const served = new RemoteServer({
      ...{ engine, local, files: null as never, workStatus: new WorkStatusBuffer() },
      target: {
        ...{ database, name: 'Shop', url: url(`losses${made}`), token: null },
        ...{ readOnly: false, production: false, slot: 0 },
      },
      lookWhileOpening: () => undefined,
      onBusy: () => undefined,
    });
    const connect = async (windowId: string): Promise<Client> => {
      const { port1, port2 } = new MessageChannel();
      served.serve(windowId, domPort(port2 as never));
      const client = createClient<Operations, Events>(domPort(port1 as never));
      client.on('remote.transactionLost', ({ why }) => told.push(`${windowId}: ${why}`));
      await client.call('session.begin', { windowTitle: windowId });
      await client.call('database.open', { database });
      return client;
    };
    [own, other] = [await connect('own'), await connect('other')];
    await run(own, 'CREATE TABLE t(a); BEGIN; INSERT INTO t VALUES (1)');
    return () => served.settle();
  });

  /** Answers come in the order of the events before them. */
  const state = (): Promise<DatabaseState> => own.call('database.open', { database });

  const NOTICES: Readonly<Record<string, () => Promise<unknown>>> = {
    'the request that keeps it open': () => own.call('remote.keepTransaction', { database }),
    'its SQL tab': () => run(own, 'INSERT INTO t VALUES (2)'),
    'a check of what is typed': () => own.call('query.check', { database, sql: 'SELECT * FROM nowhere' }),
    'a read of its window': () => run(own, 'SELECT * FROM t'),
    'a read of another window': () => run(other, 'SELECT * FROM t'),
    'a plan in another window': () => other.call('query.plan', { database, sql: 'SELECT * FROM t' }),
  };

  it.each(Object.keys(NOTICES))('is told when %s notices', async (name) => {
    controls.fail('cut');
    await NOTICES[name]!().catch(() => undefined);
    expect((await state()).transaction).toBeNull();
    // Whoever asks afterward does not tell it again.
    await own.call('remote.keepTransaction', { database });
    for (const client of [own, other]) await run(client, 'SELECT * FROM t');
    await state();
    expect(told).toEqual([expect.stringMatching(/^own: /) as string]);
    expect(told[0]!.slice('own: '.length)).toMatch(LOST);
  });

  it('is the answer of a COMMIT that notices', async () => {
    controls.fail('cut');
    await expect(run(own, 'COMMIT')).rejects.toThrow();
    expect((await state()).transaction).toBeNull();
    expect(told).toEqual([]);
  });

  it('is not told of one that has ended by COMMIT or ROLLBACK, or of one that began and was lost in the same run', async () => {
    await run(own, 'COMMIT');
    await run(own, 'BEGIN; INSERT INTO t VALUES (2)');
    await run(own, 'ROLLBACK');
    controls.fail('cut', 1, 1);
    await expect(run(own, 'BEGIN; INSERT INTO t VALUES (3); INSERT INTO t VALUES (4)')).rejects.toThrow(LOST);
    await run(own, 'BEGIN; INSERT INTO t VALUES (5)');
    await run(own, 'COMMIT');
    await state();
    expect(told).toEqual([]);
  });
});

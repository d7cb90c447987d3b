// A window shows rows of a server's table: other clients' changes appear soon where the server reports them, and nobody listens for rows that
// are not shown.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../build/sqld/test-server.ts';
import type { TestServer } from '../../build/sqld/test-server.ts';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import type { Listening } from '../engines/remote/network/blocking-http.ts';
import { startNetwork } from '../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { RemoteServer } from './remote-server.ts';
import type { CountingConnection } from './server-watch.ts';

const started = await startTestServer();

describe.skipIf('why' in started)('a window on a server', { timeout: 60_000 }, () => {
  const { url, end } = started as TestServer;
  let other: Connection;
  beforeAll(async () => {
    const engine = await createRemoteEngine(() => ({ url: url('shop'), token: null, readOnly: false }), {
      startNetwork,
    });
    other = engine.open('other', { durability: 'full' });
    other.run('CREATE TABLE item (id INTEGER PRIMARY KEY, n)');
    other.run('INSERT INTO item VALUES (1, 0)');
    other.run('CREATE VIEW seen AS SELECT n FROM item');
  });
  afterAll(async () => {
    other.close();
    await end();
  });

  interface Recorded extends Listening {
    readonly table: string;
    isEnded: boolean;
  }

  /** Opens a window, and records the tables it listens to and the rows that it is told of. */
  async function openWindow() {
    const target = { database: 'remote-1', name: 'Shop', url: url('shop'), token: null, readOnly: false };
    const engine = await createRemoteEngine(() => target, { startNetwork });
    const recorded: Recorded[] = [];
    const open = engine.open.bind(engine);
    engine.open = (...parameters) => {
      const connection = open(...parameters) as CountingConnection;
      const listen = connection.listen.bind(connection);
      connection.listen = (table) => {
        const listening = listen(table);
        const end = (): void => {
          one.isEnded = true;
          listening.end();
        };
        const one: Recorded = Object.defineProperties({ table, end, isEnded: false } as never, {
          state: { get: () => listening.state },
          heard: { get: () => listening.heard },
        });
        recorded.push(one);
        return one;
      };
      return connection;
    };
    const server = new RemoteServer({
      ...{ engine, local: await createNativeEngine(), workStatus: new WorkStatusBuffer(), files: null as never },
      target: { ...target, production: false, slot: 0 },
      lookWhileOpening: () => undefined,
      onBusy: () => undefined,
    });
    const { port1, port2 } = new MessageChannel();
    server.serve('w', domPort(port2 as never));
    const client = createClient<Operations, Events>(domPort(port1 as never));
    await client.call('database.open', { database: 'remote-1' });
    await client.call('session.show', { databases: ['remote-1'] });
    let patches = 0;
    client.on('rows.patched', () => void patches++);
    const schemaChanges: boolean[] = [];
    client.on('database.changed', ({ schema }) => void schemaChanges.push(schema));
    return {
      client,
      schemaChanges,
      patches: () => patches,
      streams: () => recorded.filter(({ isEnded }) => !isEnded),
      end() {
        server.settle();
        port1.close();
      },
    };
  }

  const kinds = [
    ['a view', { table: 'seen', sort: [] }],
    ['a table', { table: 'item', sort: [] }],
    ['a sorted table', { table: 'ITEM', sort: [{ column: 'n', descending: false }] }],
  ] as const;
  it.each(LONG ? kinds : kinds.slice(0, 1))(
    'listens to the tables behind the rows of %s while they are shown, and learns of others’ changes',
    async (_what, rows) => {
      const { client, patches, streams, end: endWindow } = await openWindow();
      const { reader } = await client.call('rows.open', { database: 'remote-1', filter: [], mayScan: true, ...rows });
      await client.call('rows.watch', { reader, range: { start: 0, count: 10 } });
      await expect.poll(() => streams().map(({ table, state }) => `${table} ${state}`)).toEqual(['item on']);
      const [stream] = streams();
      other.run('UPDATE item SET n = n + 1');
      await expect.poll(patches, { timeout: 20_000 }).toBeGreaterThan(0);
      expect(stream!.heard).toBeGreaterThan(0);
      await client.call('rows.watch', { reader, range: null });
      await expect.poll(streams).toEqual([]);
      await client.call('rows.watch', { reader, range: { start: 0, count: 10 } });
      await expect.poll(() => streams().map(({ state }) => state)).toEqual(['on']);
      await client.call('session.show', { databases: [] });
      await expect.poll(streams).toEqual([]);
      await client.call('session.show', { databases: ['remote-1'] });
      await expect.poll(streams).toHaveLength(1);
      endWindow();
      expect(streams()).toEqual([]);
    },
  );

  it('tells what reading rows has cost before the rows arrive', async () => {
    const { client, end: endWindow } = await openWindow();
    let read = 0;
    client.on('remote.rowsCounted', (counted) => void (read = counted.read));
    const open = { database: 'remote-1', table: 'item', filter: [], sort: [], mayScan: true } as const;
    for (let round = 0; round < 3; round++) {
      const before = read;
      const { reader } = await client.call('rows.open', open);
      await client.call('rows.read', { reader, start: 0, count: 10 });
      expect(read).toBeGreaterThan(before);
    }
    endWindow();
  });

  it('tells a window whether others have changed the schema or only rows', async () => {
    const { client, patches, schemaChanges, streams, end: endWindow } = await openWindow();
    const { reader } = await client.call('rows.open', { database: 'remote-1', table: 'item', filter: [], sort: [] });
    await client.call('rows.watch', { reader, range: { start: 0, count: 10 } });
    await expect.poll(() => streams().map(({ state }) => state)).toEqual(['on']);
    other.run('UPDATE item SET n = n + 1');
    await expect.poll(patches, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(schemaChanges).toEqual([false]);
    other.run('ALTER TABLE item ADD COLUMN more');
    other.run('UPDATE item SET n = n + 1');
    await expect.poll(() => schemaChanges.includes(true), { timeout: 20_000 }).toBe(true);
    endWindow();
  });
});

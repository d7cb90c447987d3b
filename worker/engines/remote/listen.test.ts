// Hearing of changes on the real server: what it reports and what it does not, who may listen, and that a connection that is closed stops.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureSqld } from '../../../build/sqld/ensure-sqld.ts';
import { startSqld } from '../../../build/sqld/start-sqld.ts';
import type { RunningSqld } from '../../../build/sqld/start-sqld.ts';
import { makeTokens } from '../../../build/sqld/test-tokens.ts';
import { startReplicated } from '../../../build/sqld/with-replica.ts';
import { answering, startHostileServer } from './hostile-server.test-suite.ts';
import type { Listening } from './network/blocking-http.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import type { RemoteConnection } from './remote-connection.ts';
import { createRemoteEngine } from './remote-engine.ts';

const sqld = await ensureSqld();

async function open(url: string, token: string | null = null): Promise<RemoteConnection> {
  const engine = await createRemoteEngine(() => ({ url, token, readOnly: false }), { startNetwork });
  return engine.open('t', { durability: 'full' }) as RemoteConnection;
}

async function becomes(listening: Listening, state: Listening['state']): Promise<void> {
  await expect.poll(() => listening.state, { timeout: 10_000, interval: 5 }).toBe(state);
}

describe.skipIf('why' in sqld)('a server that reports changes', () => {
  const tokens = makeTokens();
  const [writing, reading] = [tokens.token({ access: 'rw' }), tokens.token({ access: 'ro' })];
  let server: RunningSqld;
  beforeAll(async () => {
    if ('why' in sqld) return;
    server = await startSqld({ program: sqld.program, args: tokens.args });
  }, 60_000);
  afterAll(async () => {
    tokens.remove();
    await server.remove();
  });

  it('tells of committed rows of the table, and neither of others nor of changes that are not kept', async () => {
    const [here, there] = [await open(server.url, reading), await open(server.url, writing)];
    there.run('CREATE TABLE "Ä & b?" (id INTEGER PRIMARY KEY, n)');
    there.run('CREATE TABLE other (n)');
    there.run('CREATE TABLE keyed (k PRIMARY KEY) WITHOUT ROWID');
    const [table, keyed] = [here.listen('Ä & b?'), here.listen('keyed')];
    await becomes(table, 'on');
    await becomes(keyed, 'on');
    const heardAfter = async (sql: string): Promise<number> => {
      const before = table.heard;
      there.run(sql);
      await expect.poll(() => table.heard, { timeout: 10_000, interval: 5 }).toBeGreaterThan(before);
      return table.heard - before;
    };
    expect(await heardAfter('INSERT INTO "Ä & b?" VALUES (1, 1), (2, 2)')).toBe(1);
    // Statements without events, followed by one with an event.
    there.run('BEGIN');
    there.run('DELETE FROM "Ä & b?" WHERE id = 1');
    there.run('ROLLBACK');
    there.run('INSERT INTO other VALUES (1)');
    there.run('INSERT INTO keyed VALUES (1)');
    there.run('ALTER TABLE "Ä & b?" ADD COLUMN m');
    there.run('DELETE FROM "Ä & b?"');
    expect(await heardAfter('INSERT INTO "Ä & b?" VALUES (3, 3, 3)')).toBe(1);
    expect(keyed.heard).toBe(0);
    here.close();
    await becomes(table, 'ended');
    there.close();
  });

  it('refuses who has no token that it accepts', async () => {
    const none = await open(server.url, writing);
    let token: string | null = writing;
    const engine = await createRemoteEngine(() => ({ url: server.url, token, readOnly: false }), { startNetwork });
    const connection = engine.open('t', { durability: 'full' }) as RemoteConnection;
    token = 'abc';
    await becomes(connection.listen('other'), 'refused');
    token = null;
    await becomes(connection.listen('other'), 'refused');
    token = reading;
    await becomes(connection.listen('other'), 'on');
    for (const each of [none, connection]) each.close();
  });
});

const servers = await startReplicated();

it.skipIf('why' in servers)(
  'a replica lets anybody listen and says nothing, so others are still asked about',
  async () => {
    if ('why' in servers) return;
    const [here, there] = [await open(servers.replica), await open(servers.primary)];
    there.run('CREATE TABLE t (id INTEGER PRIMARY KEY)');
    const [ofReplica, ofPrimary] = [here.listen('t'), there.listen('t')];
    await becomes(ofReplica, 'on');
    await becomes(ofPrimary, 'on');
    const before = here.dataVersion;
    there.run('INSERT INTO t VALUES (1)');
    await expect.poll(() => ofPrimary.heard).toBe(1);
    await expect.poll(() => here.dataVersion).toBeGreaterThan(before);
    expect(ofReplica.heard).toBe(0);
    for (const each of [here, there]) each.close();
    await servers.end();
  },
);

it('the token goes with the request, to no other address; Stop and closing do not wait for a stream', async () => {
  const [hostile, other] = [await startHostileServer(), await startHostileServer()];
  try {
    await hostile.behave(`
      if (request.url.startsWith('/beta/listen?table=moved')) {
        reply.writeHead(307, { location: '${other.url}' });
        return reply.end();
      }
      if (request.url.startsWith('/beta/listen')) {
        globalThis.open = (globalThis.open ?? 0) + 1;
        reply.on('close', () => globalThis.open--);
        reply.writeHead(200, { 'content-type': 'text/event-stream' });
        return reply.write('event:changes\\ndata:{}\\n\\n');
      }
      if (request.url === '/open') return reply.end(String(globalThis.open));
      ${answering('[]')}`);
    const connection = await open(hostile.url, 'secret');
    await becomes(connection.listen('moved'), 'refused');
    expect(await other.seen()).toEqual([]);
    const [one, two] = [connection.listen('one'), connection.listen('two')];
    await expect.poll(() => [one.heard, two.heard]).toEqual([1, 1]);
    const streams = async (): Promise<string> => (await fetch(new URL('/open', hostile.url))).text();
    expect(await streams()).toBe('2');
    one.end();
    await expect.poll(streams).toBe('1');
    // Requests go their own way in the meantime.
    expect(connection.dataVersion).toBe(0);
    connection.onProgress(() => true);
    expect(() => connection.prepare('SELECT 1').step()).toThrow('Stopped.');
    connection.onProgress(null);
    connection.close();
    await expect.poll(streams).toBe('0');
    const listens = (await hostile.seen()).filter((request) => request.startsWith('/beta/listen'));
    expect(listens).toHaveLength(3);
    for (const request of listens) expect(request).toMatch(/^\/beta\/listen\?table=\w+ Bearer secret$/);
  } finally {
    await hostile.end();
    await other.end();
  }
});

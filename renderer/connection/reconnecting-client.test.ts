import { expect, test } from 'vitest';
import type { ControlOperations, Events, Operations } from '#shared/protocol/index.ts';
import { AppError, PROTOCOL_VERSION } from '#shared/protocol/index.ts';
import type { Port } from '#shared/rpc/port.ts';
import { refuse, serve } from '#shared/rpc/server.ts';
import type { Handlers, Server } from '#shared/rpc/server.ts';
import type { HostPorts } from './connect.ts';
import { ReconnectingClient } from './reconnecting-client.ts';
import type { ConnectionStatus, Reconnection } from './reconnecting-client.ts';

/** Two ends that deliver to each other in later microtasks, as ports do. */
function portPair(): readonly [Port, Port & { die(): void }] {
  const sides = [0, 1].map(() => ({
    message: (_message: unknown): void => undefined,
    close: (): void => undefined,
    isOpen: true,
  }));
  const make = (own: number): Port & { die(): void } => {
    const [mine, other] = [sides[own]!, sides[1 - own]!];
    const close = (): void => {
      if (!other.isOpen) return;
      mine.isOpen = other.isOpen = false;
      queueMicrotask(() => other.close());
    };
    return {
      postMessage: (message) => queueMicrotask(() => other.isOpen && other.message(message)),
      onMessage: (listener) => void (mine.message = listener),
      onClose: (listener) => void (mine.close = listener),
      close,
      die: close,
    };
  };
  return [make(0), make(1)];
}

interface FakeHost {
  readonly log: string[];
  readonly server: Server<Events>;
  die(): void;
}

function setUp() {
  let onPorts!: (ports: HostPorts) => void;
  let generation = 0;
  const client = new ReconnectingClient(
    (listener) => (onPorts = listener),
    () => Promise.resolve({ windowTitle: 'w1' }),
  );
  const statuses: ConnectionStatus[] = [];
  client.onStatus(({ status }) => statuses.push(status));
  const connect = (missing: readonly string[] = []): FakeHost => {
    const log: string[] = [];
    const [windowEnd, hostEnd] = portPair();
    const [windowControl, hostControl] = portPair();
    onPorts({ data: windowEnd, control: windowControl, generation: ++generation });
    const handlers = {
      'session.begin': ({ windowTitle }: { windowTitle: string }) => void log.push(`begin ${windowTitle}`),
      'database.open': ({ database }: { database: string }) => {
        log.push(`open ${database}`);
        if (missing.includes(database)) throw new AppError({ code: 'not-found', message: 'It is gone.' });
        return { entry: { id: database } };
      },
      'database.close': ({ database }: { database: string }) => void log.push(`close ${database}`),
      'session.show': ({ databases }: { databases: readonly string[] }) => void log.push(`show ${databases.join(' ')}`),
      'library.list': () => new Promise(() => undefined),
    } as unknown as Handlers<Operations>;
    const server = serve<Operations, Events, unknown>(hostEnd, handlers, { info: { engine: null }, session: null });
    serve<ControlOperations, Record<string, never>, unknown>(
      hostControl,
      {
        'work.stop': () => ({ stopping: true }),
        'call.stop': ({ call }) => (log.push(`stop ${call}`), null),
        'host.restart': () => null,
      },
      { info: null, session: null },
    );
    return { log, server, die: () => hostEnd.die() };
  };
  return { client, statuses, connect, onPorts: (ports: HostPorts) => onPorts(ports) };
}

test('a call waits for the first connection, and the window introduces itself before it', async () => {
  const { client, connect, statuses } = setUp();
  const opening = client.call('database.open', { database: 'a' });
  const host = connect();
  await opening;
  expect(host.log).toEqual(['begin w1', 'open a']);
  expect(statuses).toEqual(['connected']);
});

test('what was in flight fails when the host goes away, and so does what comes before it is back', async () => {
  const { client, connect, statuses } = setUp();
  const host = connect();
  await client.ready;
  const listing = client.call('library.list', {});
  await Promise.resolve();
  host.die();
  await expect(listing).rejects.toMatchObject({ code: 'disconnected' });
  await expect(client.call('library.list', {})).rejects.toMatchObject({ code: 'disconnected' });
  expect(statuses).toEqual(['connected', 'disconnected']);
});

test('that a host is gone is told also when the next one is there first, and before anything of that one', async () => {
  const { client, connect, statuses } = setUp();
  const heard: string[] = [];
  client.onStatus(({ status }) => heard.push(status));
  client.on('rows.changed', ({ reader }) => heard.push(`reader ${reader}`));
  connect();
  await client.ready;
  const second = connect();
  second.server.send('rows.changed', { reader: 1 });
  await expect.poll(() => heard).toEqual(['connected', 'disconnected', 'reader 1', 'connected']);
  expect(statuses).toEqual(['connected', 'disconnected', 'connected']);
});

test('a new host gets the same session: introduced, with what was open, and listened to', async () => {
  const { client, connect } = setUp();
  const first = connect();
  const heard: number[] = [];
  const off = client.on('rows.changed', ({ reader }) => heard.push(reader));
  await client.call('database.open', { database: 'a' });
  await client.call('database.open', { database: 'b' });
  await client.call('database.open', { database: 'c' });
  await client.call('database.close', { database: 'a' });
  const back = new Promise<Reconnection>((resolve) => client.onReconnected(resolve));
  first.die();
  const second = connect(['c']);
  const { states, failures } = await back;
  expect(second.log).toEqual(['begin w1', 'open b', 'open c']);
  expect(states).toMatchObject([{ entry: { id: 'b' } }]);
  expect(failures).toMatchObject([{ database: 'c', error: { code: 'not-found' } }]);

  second.server.send('rows.changed', { reader: 7 });
  await expect.poll(() => heard).toEqual([7]);
  off();
  second.server.send('rows.changed', { reader: 8 });
  expect(await client.control('work.stop', { id: 1 })).toEqual({ stopping: true });
  expect(heard).toEqual([7]);
});

test('a database that was to be closed is not opened by the next host, also if the reply was lost with the last one', async () => {
  const { client, connect } = setUp();
  const first = connect();
  await client.call('database.open', { database: 'a' });
  await client.call('database.open', { database: 'b' });
  const closing = client.call('database.close', { database: 'a' });
  await Promise.resolve();
  first.die();
  await expect(closing).rejects.toMatchObject({ code: 'disconnected' });
  await expect(client.call('database.close', { database: 'b' })).rejects.toMatchObject({ code: 'disconnected' });
  const second = connect();
  await client.answered();
  expect(second.log).toEqual(['begin w1']);
});

test('what the window shows is told to each host, also what was shown before there was one', async () => {
  const { client, connect } = setUp();
  await client.show(['a']);
  const first = connect();
  await client.ready;
  await client.call('database.open', { database: 'a' });
  await client.show(['a', 'b']);
  first.die();
  const second = connect();
  await expect.poll(() => second.log).toEqual(['begin w1', 'open a', 'show a b']);
  expect(first.log).toEqual(['begin w1', 'show a', 'open a', 'show a b']);
  await client.show([]);
  expect(second.log.at(-1)).toBe('show ');
});

test('a refusal is told to those who asked meanwhile; `ready` is the first connection that succeeds', async () => {
  const { client, connect, onPorts, statuses } = setUp();
  let isReady = false;
  void client.ready.then(() => (isReady = true));
  const asked = [client.call('library.list', {}), client.answered()];
  const [windowEnd, hostEnd] = portPair();
  const [windowControl] = portPair();
  onPorts({ data: windowEnd, control: windowControl, generation: 0 });
  refuse(hostEnd, { code: 'library-elsewhere', message: 'Open in another tab.' });
  for (const each of asked) await expect(each).rejects.toMatchObject({ code: 'library-elsewhere' });
  await expect(client.answered()).rejects.toMatchObject({ code: 'library-elsewhere' });
  expect([isReady, statuses]).toEqual([false, ['refused']]);
  connect();
  await client.ready;
  expect(statuses).toEqual(['refused', 'connected']);
  await client.answered();
  expect(await client.call('database.open', { database: 'a' })).toMatchObject({ entry: { id: 'a' } });
});

test('what is asked after a host was lost for good fails with the reason', async () => {
  const { client, connect, onPorts, statuses } = setUp();
  const host = connect();
  await client.ready;
  host.die();
  await expect.poll(() => statuses).toEqual(['connected', 'disconnected']);
  const [windowEnd, hostEnd] = portPair();
  const [windowControl] = portPair();
  onPorts({ data: windowEnd, control: windowControl, generation: 2 });
  refuse(hostEnd, { code: 'unavailable', message: 'It stopped too often.' });
  await expect.poll(() => statuses.at(-1)).toBe('refused');
  await expect(client.call('library.list', {})).rejects.toMatchObject({ message: 'It stopped too often.' });
});

test('another protocol version is a refusal', async () => {
  const { client, onPorts, statuses } = setUp();
  const [windowEnd, hostEnd] = portPair();
  onPorts({ data: windowEnd, control: portPair()[0], generation: 1 });
  hostEnd.postMessage({ t: 'hello', protocolVersion: PROTOCOL_VERSION + 1, info: null });
  await expect(client.answered()).rejects.toMatchObject({ code: 'unavailable' });
  expect(statuses).toEqual(['refused']);
});

import { expect, it, vi } from 'vitest';
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { HostToWorker, WorkerToHost } from './threads/host-messages.ts';
import { bridge } from './native/bridge.ts';
import { loadDatabaseWorker, startDatabaseWorker } from './host-worker.ts';
import type { WorkerClient, WorkerLike } from './host-worker.ts';

function setUp() {
  const sent: HostToWorker[] = [];
  const refused: [string, string][] = [];
  const fake: WorkerLike = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    postMessage: (message) => void sent.push(message),
    terminate: vi.fn(),
  };
  const worker = startDatabaseWorker({
    filesPort: new MessageChannel().port1,
    refuse: ({ windowId }: WorkerClient, { code }: ErrorData) => refused.push([windowId, code]),
    onWork: () => undefined,
    start: () => fake,
  });
  const say = (data: WorkerToHost): void => fake.onmessage?.({ data } as MessageEvent<WorkerToHost>);
  const client = (windowId: string): void => worker.addClient({ windowId, port: new MessageChannel().port1 });
  return { worker, fake, sent, refused, say, client, kinds: () => sent.map(({ t }) => t) };
}

it('the worker whose code was loaded ahead is used once, unless it could not be loaded', () => {
  const made: WorkerLike[] = [];
  const start = (): WorkerLike => {
    const worker = { onerror: null } as WorkerLike;
    made.push(worker);
    return worker;
  };
  const next = loadDatabaseWorker(start);
  expect(made).toHaveLength(1);
  expect(next()).toBe(made[0]);
  expect(next()).toBe(made[1]);

  const afterFailure = loadDatabaseWorker(start);
  made[2]!.onerror?.({} as never);
  expect(afterFailure()).toBe(made[3]);
  expect(made).toHaveLength(4);
});

it('windows wait for the engine, in order', () => {
  const { say, client, sent, kinds } = setUp();
  client('a');
  client('b');
  expect(kinds()).toEqual(['init']);
  say({ t: 'ready' });
  client('c');
  expect(sent.slice(1)).toMatchObject([{ windowId: 'a' }, { windowId: 'b' }, { windowId: 'c' }]);
});

it('a window that goes while it waits holds up nobody, and nothing is posted for it', () => {
  const { worker, fake, say, kinds } = setUp();
  const { postMessage } = fake;
  // Like in Node: a closed port is refused, and so is the message.
  fake.postMessage = (message, transfer) => postMessage(structuredClone(message, { transfer }), []);
  let close = (): void => undefined;
  const end = bridge({
    postMessage: () => undefined,
    onMessage: () => undefined,
    onClose: (listener) => (close = listener),
    close: () => undefined,
  });
  worker.addClient({ windowId: 'gone', port: end.port as never, isClosed: end.isClosed });
  worker.addClient({ windowId: 'here', port: new MessageChannel().port1 });
  close();
  say({ t: 'ready' });
  expect(kinds()).toEqual(['init', 'client']);
});

it('an engine that cannot start refuses who waits and who comes, with its reason', () => {
  const { say, client, refused, kinds } = setUp();
  client('a');
  say({ t: 'failed', error: { code: 'full', message: 'The disk is full.' } });
  client('b');
  expect(refused).toEqual([
    ['a', 'full'],
    ['b', 'full'],
  ]);
  expect(kinds()).toEqual(['init']);
});

it('a script that does not even load is a reason of its own; an error later is none to turn windows away', () => {
  const broken = setUp();
  broken.client('a');
  broken.fake.onerror?.(undefined as never);
  expect(broken.refused).toEqual([['a', 'unavailable']]);
  const later = setUp();
  later.say({ t: 'ready' });
  later.fake.onerror?.(undefined as never);
  later.client('a');
  expect(later.refused).toEqual([]);
});

it('settles when the worker has, at once when it never started, and when it fails meanwhile', async () => {
  const running = setUp();
  running.say({ t: 'ready' });
  const settled = running.worker.settle();
  expect(running.kinds()).toEqual(['init', 'settle']);
  running.say({ t: 'settled' });
  await settled;
  const failed = setUp();
  const settling = failed.worker.settle();
  failed.say({ t: 'failed', error: { code: 'full', message: 'The disk is full.' } });
  await settling;
  await failed.worker.settle();
});

it('answers everybody who asks it to settle', async () => {
  const { worker, say, kinds } = setUp();
  say({ t: 'ready' });
  const both = Promise.all([worker.settle(), worker.settle()]);
  expect(kinds()).toEqual(['init', 'settle', 'settle']);
  say({ t: 'settled' });
  say({ t: 'settled' });
  await both;
});

import { describe, expect, it, vi } from 'vitest';
import type { Op } from '../protocol/envelope.ts';
import { AppError } from '../protocol/errors.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import { createClient } from './client.ts';
import type { Port } from './port.ts';
import { refuse, serve } from './server.ts';
import type { Handlers } from './server.ts';

/** Two ports joined by a queue, with structured clone in between as in the real thing. */
function portPair(): [Port, Port] {
  const ends = [0, 1].map(() => ({
    message: undefined as ((m: unknown) => void) | undefined,
    queue: [] as unknown[],
    close: [] as (() => void)[],
  }));
  const make = (own: number): Port => {
    const [me, other] = [ends[own]!, ends[1 - own]!];
    return {
      postMessage(message) {
        const copy: unknown = structuredClone(message);
        queueMicrotask(() => (other.message ? other.message(copy) : other.queue.push(copy)));
      },
      onMessage(listener) {
        me.message = listener;
        for (const waiting of me.queue.splice(0)) listener(waiting);
      },
      onClose: (listener) => void me.close.push(listener),
      close: () => other.close.forEach((listener) => listener()),
    };
  };
  return [make(0), make(1)];
}

interface TestOps {
  'number.double': Op<{ n: number }, number>;
  'number.count': Op<{ to: number }, string, number>;
  'number.fail': Op<Record<string, never>, null>;
  'number.wait': Op<Record<string, never>, null>;
  'number.forget': Op<Record<string, never>, null>;
}
interface TestEvents {
  'number.changed': { n: number };
}

const handlers: Handlers<TestOps, null> = {
  'number.double': ({ n }) => n * 2,
  'number.count': async ({ to }, context) => {
    for (let n = 0; n < to; n++) await context.emit(n);
    return 'end';
  },
  'number.fail': () => {
    throw new AppError({ code: 'constraint', message: 'No.', sqlite: { result: 19, extended: 2067, offset: -1 } });
  },
  'number.forget': () => undefined,
  'number.wait': (_params, context) =>
    new Promise((_resolve, reject) =>
      context.onCancel(() => reject(new AppError({ code: 'stopped', message: 'Stopped.' }))),
    ),
};

function joined() {
  const [a, b] = portPair();
  const client = createClient<TestOps, TestEvents>(a);
  const server = serve<TestOps, TestEvents, null>(b, handlers, { info: 'hi', session: null });
  return { client, server, a, b };
}

describe('rpc', () => {
  it('queues requests until hello and answers them', async () => {
    const [a, b] = portPair();
    const client = createClient<TestOps>(a);
    const reply = client.call('number.double', { n: 21 });
    serve<TestOps, TestEvents, null>(b, handlers, { info: { engine: 'x' }, session: null });
    expect(await reply).toBe(42);
    expect(await client.ready).toEqual({ engine: 'x' });
  });

  it('sends what must be known before a reply first, also where the reply is an error', async () => {
    const [a, b] = portPair();
    const client = createClient<TestOps, TestEvents>(a);
    let replies = 0;
    const server = serve<TestOps, TestEvents, null>(b, handlers, {
      ...{ info: 'hi', session: null },
      beforeReply: () => server.send('number.changed', { n: ++replies }),
    });
    const heard: number[] = [];
    client.on('number.changed', ({ n }) => void heard.push(n));
    await client.call('number.double', { n: 21 });
    expect(heard).toEqual([1]);
    await expect(client.call('number.fail', {})).rejects.toMatchObject({ code: 'constraint' });
    expect(heard).toEqual([1, 2]);
  });

  it('answers null where the handler has nothing to say', async () => {
    expect(await joined().client.call('number.forget', {})).toBeNull();
  });

  it('rebuilds errors with their code and SQLite part', async () => {
    await expect(joined().client.call('number.fail', {})).rejects.toMatchObject({
      code: 'constraint',
      sqlite: { extended: 2067 },
    });
  });

  it('names an operation nobody serves, inherited names included', async () => {
    const { client } = joined();
    await expect(client.call('toString' as 'number.fail', {})).rejects.toMatchObject({ code: 'invalid' });
  });

  it('keeps at most four chunks in flight to a slow consumer', async () => {
    const { client } = joined();
    const release: (() => void)[] = [];
    const seen: number[] = [];
    const end = client.call(
      'number.count',
      { to: 20 },
      {
        onChunk: (n) => {
          seen.push(n);
          return new Promise((resolve) => release.push(resolve));
        },
      },
    );
    await expect.poll(() => seen).toHaveLength(4);
    await Promise.resolve();
    expect(seen).toEqual([0, 1, 2, 3]);
    while (seen.length < 20) {
      release.shift()?.();
      await Promise.resolve();
    }
    release.forEach((r) => r());
    expect(await end).toBe('end');
    expect(seen).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('posts the last chunk with the reply, and then wants no credit for it', async () => {
    const [a, b] = portPair();
    const [sent, asked] = [vi.spyOn(b, 'postMessage'), vi.spyOn(a, 'postMessage')];
    const client = createClient<TestOps>(a);
    serve<TestOps, TestEvents, null>(b, handlers, { info: null, session: null });
    await client.ready;
    const seen: number[] = [];
    const end = await client.call('number.count', { to: 2 }, { onChunk: (n) => void seen.push(n) });
    expect([seen, end]).toEqual([[0, 1], 'end']);
    expect(sent.mock.calls.map(([message]) => (message as { t: string }).t)).toEqual(['hello', 'batch']);
    expect(asked).toHaveBeenCalledOnce();
  });

  it('answers an error for a reply that cannot be cloned, and what leaves with it arrives', async () => {
    const [a, b] = portPair();
    const client = createClient<TestOps, TestEvents>(a);
    const unclonable = { ...handlers, 'number.double': () => (() => 0) as never };
    const server = serve<TestOps, TestEvents, null>(b, unclonable, { info: null, session: null });
    await client.ready;
    const heard: number[] = [];
    client.on('number.changed', ({ n }) => heard.push(n));
    const alone = client.call('number.double', { n: 1 });
    await expect(alone).rejects.toThrow('could not be cloned');
    const together = client.call('number.double', { n: 1 });
    const count = client.call('number.count', { to: 2 }, { onChunk: () => server.send('number.changed', { n: 7 }) });
    await expect(together).rejects.toThrow('could not be cloned');
    expect(await count).toBe('end');
    await expect.poll(() => heard).toEqual([7, 7]);
  });

  it('posts events of one task together, in order, and a later one by itself', async () => {
    const { client, server, b } = joined();
    await client.ready;
    const sent = vi.spyOn(b, 'postMessage');
    const heard: number[] = [];
    client.on('number.changed', ({ n }) => heard.push(n));
    for (const n of [1, 2, 3]) server.send('number.changed', { n });
    await expect.poll(() => heard).toEqual([1, 2, 3]);
    await new Promise((resolve) => setTimeout(resolve));
    server.send('number.changed', { n: 4 });
    await expect.poll(() => heard).toEqual([1, 2, 3, 4]);
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('goes on when a consumer fails on a chunk', async () => {
    const { client } = joined();
    const onChunk = (): void => {
      throw new Error('no room for it');
    };
    expect(await client.call('number.count', { to: 20 }, { onChunk })).toBe('end');
  });

  it('cancels on abort, in a handler and in a stream that waits for credit', async () => {
    const { client } = joined();
    const abort = new AbortController();
    const waiting = client.call('number.wait', {}, { signal: abort.signal });
    const counting = client.call(
      'number.count',
      { to: 99 },
      { signal: abort.signal, onChunk: () => new Promise<void>(() => undefined) },
    );
    queueMicrotask(() => abort.abort());
    await expect(waiting).rejects.toMatchObject({ code: 'stopped' });
    await expect(counting).rejects.toMatchObject({ code: 'stopped' });
  });

  it('delivers events until the listener leaves', async () => {
    const { client, server } = joined();
    await client.ready;
    const heard: number[] = [];
    const leave = client.on('number.changed', ({ n }) => heard.push(n));
    server.send('number.changed', { n: 1 });
    await expect.poll(() => heard).toEqual([1]);
    leave();
    server.send('number.changed', { n: 2 });
    await client.call('number.double', { n: 1 });
    expect(heard).toEqual([1]);
  });

  it('fails what is open, and what comes later, when the other side goes away', async () => {
    const { client, b } = joined();
    const waiting = client.call('number.wait', {});
    b.close();
    await expect(waiting).rejects.toMatchObject({ code: 'disconnected' });
    await expect(client.call('number.double', { n: 1 })).rejects.toMatchObject({ code: 'disconnected' });
  });

  it('cancels running handlers when the client goes away', async () => {
    const [a, b] = portPair();
    const closed = vi.fn();
    const client = createClient<TestOps>(a);
    serve<TestOps, TestEvents, null>(b, handlers, { info: null, session: null, onClose: closed });
    client.call('number.wait', {}).catch(() => undefined);
    await client.ready;
    client.close();
    expect(closed).toHaveBeenCalledOnce();
  });

  it('passes on a refusal, and refuses another version itself', async () => {
    const [a, b] = portPair();
    const client = createClient<TestOps>(a);
    refuse(b, { code: 'library-elsewhere', message: 'Open in another tab.' });
    await expect(client.call('number.double', { n: 1 })).rejects.toMatchObject({ code: 'library-elsewhere' });

    const [c, d] = portPair();
    const other = createClient<TestOps>(c);
    d.postMessage({ t: 'hello', protocolVersion: PROTOCOL_VERSION + 1, info: null });
    await expect(other.ready).rejects.toMatchObject({ code: 'unavailable' });
  });
});

// Listening to servers that mean well, and to others: an ear learns how many events there were and when it is over, whatever is sent.
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { EAR_STATES, EAR_WORD, listen } from './event-stream.ts';

let server: Server | null = null;
let aborts: AbortController[] = [];
afterEach(() => {
  for (const abort of aborts) abort.abort();
  aborts = [];
  server?.closeAllConnections();
  server?.close();
});

const LIMITS = { silenceMs: 60_000, lineBytes: 1000, windowBytes: 10_000, windowMs: 60_000 };
const EVENT = 'event:changes\ndata:{"insert":1}\n\n';

interface Listened {
  readonly ended: Promise<void>;
  readonly state: string;
  readonly heard: number;
  readonly abort: AbortController;
  readonly isClosed: boolean;
}

/** @param answer what the server does with the request */
async function listenTo(
  answer: (reply: ServerResponse) => void,
  limits: Partial<typeof LIMITS> = {},
): Promise<Listened> {
  let isClosed = false;
  server = createServer((_request, reply) => {
    reply.on('close', () => (isClosed = true));
    answer(reply);
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const ear = new Int32Array(new SharedArrayBuffer(8));
  const abort = new AbortController();
  aborts.push(abort);
  const send = (_request: unknown, signal: AbortSignal): Promise<Response> =>
    fetch(url, { redirect: 'manual', signal });
  const request = { url, method: 'GET', headers: {}, body: null } as const;
  const ended = listen(send, request, { ear, abort, limits: { ...LIMITS, ...limits } });
  return {
    ended,
    abort,
    get state() {
      return EAR_STATES[ear[EAR_WORD.state]!]!;
    },
    get heard() {
      return ear[EAR_WORD.heard]!;
    },
    get isClosed() {
      return isClosed;
    },
  };
}

const stream =
  (...pieces: string[]) =>
  (reply: ServerResponse): void => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) reply.write(piece);
  };

it('counts events however they are cut, and no comments', async () => {
  const listened = await listenTo((reply) => {
    stream(':keep-alive\n\n', EVENT)(reply);
    const rest = `:x\n\n${EVENT}event:error\r\ndata:some changes were lost\r\n\r\n:keep-alive\n\n\n\n`;
    let at = 0;
    const next = (): void => {
      if (at < rest.length) reply.write(rest[at++], () => setImmediate(next));
      else reply.end();
    };
    next();
  });
  await listened.ended;
  expect(listened).toMatchObject({ state: 'ended', heard: 3 });
});

it('ends the connection at once when nobody listens anymore', async () => {
  const listened = await listenTo(stream(EVENT));
  await expect.poll(() => listened.heard).toBe(1);
  expect(listened.state).toBe('on');
  listened.abort.abort();
  await listened.ended;
  await expect.poll(() => listened.isClosed).toBe(true);
  expect(listened.state).toBe('ended');
});

it('gives up a server that is silent, before and after its first word', async () => {
  const mute = await listenTo(() => undefined, { silenceMs: 50 });
  await mute.ended;
  expect(mute).toMatchObject({ state: 'ended', heard: 0 });
  const stopped = await listenTo(stream(EVENT), { silenceMs: 3_000 });
  await stopped.ended;
  await expect.poll(() => stopped.isClosed).toBe(true);
  expect(stopped).toMatchObject({ state: 'ended', heard: 1 });
});

it.each([
  ['a line without end', (reply: ServerResponse) => stream('data:', 'x'.repeat(2000))(reply)],
  ['a huge event of many lines', (reply: ServerResponse) => stream(`data:${'x'.repeat(90)}\n`.repeat(1000))(reply)],
  ['a flood of events', (reply: ServerResponse) => stream(EVENT.repeat(10_000))(reply)],
  ['a flood of nothing', (reply: ServerResponse) => stream('\n'.repeat(100_000))(reply)],
  ['a web page', (reply: ServerResponse) => void reply.writeHead(200, { 'content-type': 'text/html' }).write('<html>')],
  ['JSON', (reply: ServerResponse) => void reply.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ['a redirect', (reply: ServerResponse) => void reply.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()],
  ['a refusal', (reply: ServerResponse) => void reply.writeHead(401).end('no')],
])('takes %s for a server that does not offer it, and ends the connection', async (_what, answer) => {
  const listened = await listenTo(answer);
  await listened.ended;
  expect(listened.state).toBe('refused');
  await expect.poll(() => listened.isClosed).toBe(true);
});

it('expects more of a server that is busy, and of a connection that is lost', async () => {
  const busy = await listenTo((reply) => void reply.writeHead(503).end());
  await busy.ended;
  expect(busy.state).toBe('ended');
  const lost = await listenTo((reply) => reply.socket?.destroy());
  await lost.ended;
  expect(lost.state).toBe('ended');
});

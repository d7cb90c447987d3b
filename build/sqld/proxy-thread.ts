// The proxy itself: delays requests, cuts and shortens replies. The first part of a path is the namespace of the server (`/name/v3/…`), which
// is created when it is first named; `/-/` is the default one.
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { ProxyControls } from './proxy-controls.ts';
import { startSqld } from './start-sqld.ts';
import type { SqldOptions } from './start-sqld.ts';
import type { Fault } from './proxy-controls.ts';

interface Data {
  readonly target: number;
  readonly admin: number | null;
  readonly port: number;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly restart: SqldOptions;
}

const { target, admin, port, words, restart } = workerData as Data;
const controls = new ProxyControls(words);
const agent = new Agent({ keepAlive: true });
const namespaces = new Map<string, Promise<unknown>>();

/** An edit takes about as long. */
const KILL_WITHIN_MS = 5;
const MAX_STARTS = 200;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const [, namespace = '-', path = ''] = /^\/([^/]+)\/(.*)$/.exec(incoming.url ?? '') ?? [];
  controls.noteRequest();
  const fault = controls.takeFault();
  const body: Buffer[] = [];
  for await (const piece of incoming) body.push(piece as Buffer);
  await pause(controls.delayMs / 2);
  if (fault === 'hang') return;
  if (fault === 'cut') return void incoming.socket.destroy();
  const host = namespace === '-' ? '127.0.0.1' : `${namespace}.test`;
  if (namespace !== '-') await made(namespace);
  const onward = request({
    agent,
    host: '127.0.0.1',
    port: target,
    path: `/${path}`,
    method: incoming.method,
    headers: { ...incoming.headers, host },
  });
  onward.on('error', () => incoming.socket.destroy());
  onward.on('response', (reply) => void answer(reply, outgoing, fault));
  outgoing.on('close', () => onward.destroy());
  onward.end(Buffer.concat(body));
  if (fault === 'kill') setTimeout(() => void killAndStart(), Math.random() * KILL_WITHIN_MS);
}

async function answer(reply: IncomingMessage, outgoing: ServerResponse, fault: Fault): Promise<void> {
  await pause(controls.delayMs / 2);
  if (fault === 'none' || fault === 'kill') {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    // A stream of events may have nothing to say for long.
    outgoing.flushHeaders();
    reply.on('error', () => outgoing.destroy());
    reply.on('aborted', () => outgoing.destroy());
    reply.pipe(outgoing);
    return;
  }
  const pieces: Buffer[] = [];
  for await (const piece of reply) pieces.push(piece as Buffer);
  const whole = Buffer.concat(pieces);
  const half = whole.subarray(0, whole.length / 2);
  if (fault === 'lose') return void outgoing.socket?.destroy();
  if (fault === 'gateway') return void outgoing.writeHead(504, { 'content-type': 'text/html' }).end('<h1>504</h1>');
  if (fault === 'shorten') {
    outgoing.writeHead(reply.statusCode ?? 502, { 'content-type': reply.headers['content-type'] ?? '' });
    outgoing.end(half);
    return;
  }
  outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
  outgoing.write(half, () => outgoing.socket?.destroy());
}

/** Creates a namespace of the server, through the address of its administrator. */
function made(namespace: string): Promise<unknown> {
  const url = `http://127.0.0.1:${admin}/v1/namespaces/${namespace}/create`;
  const making =
    namespaces.get(namespace) ??
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  namespaces.set(namespace, making);
  return making;
}

/** Restarts as after a power cut: with the same data, at the same addresses. */
async function killAndStart(): Promise<void> {
  process.kill(controls.server, 'SIGKILL');
  controls.server = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      controls.server = (await startSqld(restart)).processId;
      return;
    } catch (error) {
      // The system frees the port a moment after the process is gone.
      if (attempt === MAX_STARTS) throw error;
    }
    await pause(50);
  }
}

const server = createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch(() => incoming.socket.destroy());
});
// A client whose thread is blocked for long must not find its connection closed.
server.keepAliveTimeout = 600_000;
server.listen(port, '127.0.0.1', () => parentPort!.postMessage('ready'));

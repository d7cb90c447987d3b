// Stands in front of a primary and its replica: requests go to the one that the test names, as a load balancer may choose any, and what the
// primary sends to the replica can be held back.
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer as createLink } from 'node:net';
import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { LateWord } from './late-replica.ts';
import type { LateData } from './late-replica.ts';

const { front, link, primary, replica, primaryLink, words } = workerData as LateData;
const agent = new Agent({ keepAlive: true });
/** Sockets from the primary; they continue when nothing is held back. */
const held = new Set<Socket>();
/** How long a request waits at the replica before the replica hears of anything new. */
const HOLD_MS = 200;
/** One for all requests of a hold. */
let releasing: NodeJS.Timeout | null = null;

function release(): void {
  releasing = null;
  Atomics.store(words, LateWord.isHeld, 0);
  for (const socket of held) socket.resume();
  held.clear();
}

createLink((replicaSide) => {
  const primarySide = connect(primaryLink, '127.0.0.1');
  replicaSide.pipe(primarySide);
  primarySide.on('data', (bytes) => replicaSide.write(bytes));
  const look = setInterval(() => {
    if (Atomics.load(words, LateWord.isHeld) !== 1) return;
    primarySide.pause();
    held.add(primarySide);
    // A request of the hold before may have been answered in less time.
    if (releasing !== null) clearTimeout(releasing);
    releasing = null;
    Atomics.store(words, LateWord.isHeld, 2);
  }, 1);
  for (const [socket, other] of [
    [replicaSide, primarySide],
    [primarySide, replicaSide],
  ] as const) {
    socket.on('error', () => other.destroy());
    socket.on('close', () => {
      clearInterval(look);
      held.delete(primarySide);
      other.destroy();
    });
  }
}).listen(link, '127.0.0.1');

async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body: Buffer[] = [];
  for await (const piece of incoming) body.push(piece as Buffer);
  const isReplica = Atomics.load(words, LateWord.isReplica) === 1;
  const onward = request(
    {
      ...{ agent, host: '127.0.0.1', port: isReplica ? replica : primary, path: incoming.url, method: incoming.method },
      headers: incoming.headers,
    },
    (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    },
  );
  onward.on('error', () => incoming.socket.destroy());
  onward.end(Buffer.concat(body));
  if (isReplica && Atomics.load(words, LateWord.isHeld) !== 0) releasing ??= setTimeout(release, HOLD_MS);
}

createServer((incoming, outgoing) => {
  serve(incoming, outgoing).catch(() => incoming.socket.destroy());
}).listen(front, '127.0.0.1', () => parentPort!.postMessage('ready'));

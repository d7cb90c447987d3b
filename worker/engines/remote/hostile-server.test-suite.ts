// A server that does what no server should, in a thread of its own: the engine blocks the thread of the test.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Source of a function of the thread; `reply` is `http.ServerResponse`, `body` the text of the request. */
export type Misbehavior = string;

export interface HostileServer {
  readonly url: string;
  /** From the next request on. */
  behave(how: Misbehavior): Promise<void>;
  /** Authorization headers and paths of all requests so far. */
  seen(): Promise<readonly string[]>;
  end(): Promise<void>;
}

const THREAD = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
let behave = () => {};
const seen = [];
parentPort.on('message', (message) => {
  if (message === 'seen') return parentPort.postMessage(seen);
  behave = new Function('reply', 'body', 'request', message);
  parentPort.postMessage('ready');
});
createServer((request, reply) => {
  seen.push(request.url + ' ' + (request.headers.authorization ?? ''));
  let body = '';
  request.on('data', (data) => (body += data));
  request.on('end', () => behave(reply, body, request));
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

export async function startHostileServer(): Promise<HostileServer> {
  const thread = new Worker(THREAD, { eval: true });
  const [port] = (await once(thread, 'message')) as [number];
  const ask = async (message: string): Promise<unknown> => {
    const answered = once(thread, 'message');
    thread.postMessage(message);
    return (await answered)[0] as unknown;
  };
  return {
    url: `http://127.0.0.1:${port}/`,
    behave: async (how) => void (await ask(how)),
    seen: async () => (await ask('seen')) as readonly string[],
    end: async () => void (await thread.terminate()),
  };
}

// A server that does what no server should, in a thread of its own: the engine blocks the thread of the test.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TEST_AUTHORITY, TEST_CERTIFICATES, TEST_KEY } from '../../../build/sqld/test-certificates.ts';
import type { TestCertificate } from '../../../build/sqld/test-certificates.ts';

/** Source of a function of the thread; `reply` is `http.ServerResponse`, `body` the text of the request. */
export type Misbehavior = string;

export interface HostileServer {
  readonly url: string;
  /** Takes effect with the next request. */
  behave(how: Misbehavior): Promise<void>;
  /** Authorization headers and paths of all requests so far. */
  seen(): Promise<readonly string[]>;
  /** Makes an encrypted server use this certificate from now on, and ends its connections. */
  present(certificate: TestCertificate): Promise<void>;
  end(): Promise<void>;
}

const THREAD = `
const http = require('node:http'), https = require('node:https');
const { parentPort, workerData } = require('node:worker_threads');
let behave = () => {};
const seen = [];
const { key, cert } = workerData;
const server = (key ? https : http).createServer({ key, cert }, (request, reply) => {
  seen.push(request.url + ' ' + (request.headers.authorization ?? ''));
  let body = '';
  request.on('data', (data) => (body += data));
  request.on('end', () => behave(reply, body, request));
});
parentPort.on('message', ({ t, value }) => {
  if (t === 'seen') return parentPort.postMessage(seen);
  if (t === 'behave') behave = new Function('reply', 'body', 'request', value);
  if (t === 'present') {
    server.setSecureContext({ key, cert: value });
    server.closeAllConnections();
  }
  parentPort.postMessage('ready');
});
server.listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

/** @param certificate encrypted with it; otherwise not encrypted */
export async function startHostileServer(certificate?: TestCertificate): Promise<HostileServer> {
  const parts = certificate === undefined ? {} : { key: TEST_KEY, cert: chainOf(certificate) };
  const thread = new Worker(THREAD, { eval: true, workerData: parts });
  const [port] = (await once(thread, 'message')) as [number];
  const ask = async (t: 'seen' | 'behave' | 'present', value = ''): Promise<unknown> => {
    const answered = once(thread, 'message');
    thread.postMessage({ t, value });
    return (await answered)[0] as unknown;
  };
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/`,
    behave: async (how) => void (await ask('behave', how)),
    seen: async () => (await ask('seen')) as readonly string[],
    present: async (other) => void (await ask('present', chainOf(other))),
    end: async () => void (await thread.terminate()),
  };
}

const chainOf = (certificate: TestCertificate): string =>
  certificate === 'selfSigned' ? TEST_CERTIFICATES[certificate] : TEST_CERTIFICATES[certificate] + TEST_AUTHORITY;

/** A reply with which a database opens, and then answers every query with these rows. */
export const answering = (cells: string, cols = '[{"name":"a","decltype":null}]'): string => `
  const requests = JSON.parse(body).requests;
  const row = (...values) => values.map((value) => ({ type: 'text', value }));
  const isFacts = body.includes('sqlite_source_id'), isSchema = body.includes('FROM main.sqlite_schema');
  const results = requests.map(({ type, batch }) => ({ type: 'ok', response: type === 'batch' ? { type, result: {
    step_results: batch.steps.map(({ stmt }) => ({
      cols: isFacts ? [{}, {}, {}] : isSchema ? [{}, {}, {}, {}] : ${cols},
      rows: stmt.sql === 'PRAGMA schema_version' ? [[{ type: 'integer', value: '1' }]] : isFacts ? [row('3.45.1', 'id', '1')] : isSchema ? [] : 'ROWS',
      affected_row_count: 0, last_insert_rowid: null, rows_read: 0, rows_written: 0 })),
    step_errors: batch.steps.map(() => null), replication_index: '1' } } : type === 'get_autocommit' ? { type, is_autocommit: true } : { type } }));
  reply.writeHead(200, { 'content-type': 'application/json' });
  reply.end(JSON.stringify({ baton: null, base_url: null, results }).replaceAll('"ROWS"', ${JSON.stringify(cells)}));`;

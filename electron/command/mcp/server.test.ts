// What a client of the Model Context Protocol gets for messages of every kind, without a database.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppLink } from './app-link.ts';
import type { Outcome } from './engine-process.ts';

const out = vi.hoisted(() => ({ lines: [] as string[] }));
vi.mock('../io.ts', () => ({
  jsonLine: (value: unknown) => JSON.stringify(value),
  printText: async (text: string) => void out.lines.push(text),
}));
const { McpServer } = await import('./server.ts');

const settings = { databases: new Map([['a', '/a.db']]), rules: null, mayPropose: true, limitMs: 30_000 };
const app = {
  isEnded: false,
  introduce: vi.fn(),
  called: vi.fn(),
  offer: vi.fn(async () => ({ decision: 'discarded' })),
  decision: vi.fn(async () => ({ decision: 'waiting' })),
  leave: vi.fn((): Promise<void> => Promise.resolve()),
};

/** Calls of tools that have begun and not ended, by what they ask. */
const running = new Map<string, (outcome: Outcome | null) => void>();
let isOver = false;
const engine = {
  call: (tool: string, args: unknown, signal: AbortSignal) =>
    new Promise<Outcome | null>((resolve) => {
      running.set(`${tool} ${JSON.stringify(args)}`, resolve);
      if (isOver) resolve({ value: 1 });
      signal.addEventListener('abort', () => resolve({ failure: 'The call was canceled.' }));
    }),
};

let input: PassThrough;
let served: Promise<void>;
beforeEach(() => {
  out.lines = [];
  running.clear();
  isOver = false;
  input = new PassThrough();
  const parts = { context: { version: '1.2.3' }, settings, engine, app: app as unknown as AppLink };
  served = new McpServer(parts).serve(input);
});
afterEach(async () => {
  isOver = true;
  input.end();
  for (const resolve of running.values()) resolve({ value: 1 });
  await served;
});

const answers = () => out.lines.map((line) => JSON.parse(line) as unknown);
const send = (...messages: readonly unknown[]): void => {
  for (const message of messages) input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
};
const request = (id: unknown, method: string, params?: object): object => ({ jsonrpc: '2.0', id, method, params });
const call = (id: unknown, name: string, given?: object): object =>
  request(id, 'tools/call', { name, arguments: given });
const query = (id: unknown): object => call(id, 'query', { sql: String(id) });
const failed = (id: unknown, code: number) =>
  expect.objectContaining({ id, error: expect.objectContaining({ code }) as unknown }) as unknown;

/** What one message is answered with. */
async function answerTo(message: unknown): Promise<unknown> {
  out.lines = [];
  send(message, request('after', 'ping'));
  await expect.poll(() => out.lines.at(-1)).toContain('"after"');
  return out.lines.length === 1 ? null : answers()[0];
}

test('what is no request is answered with its id, if it has one', async () => {
  for (const [message, id] of [
    [{ id: 6, method: 'ping' }, 6],
    [{ jsonrpc: '2.0', id: 'a', method: 'ping', params: null }, 'a'],
    [{ jsonrpc: '2.0', id: 5, method: 'ping', params: 'x' }, 5],
    [{ jsonrpc: '2.0', id: 8, method: 5 }, 8],
    [{ jsonrpc: '2.0', id: 9 }, 9],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: true, method: 'ping' }, null],
    [[], null],
    [5, null],
    ['null', null],
  ])
    expect(await answerTo(message)).toEqual(failed(id, -32_600));
  expect(await answerTo('{')).toEqual(failed(null, -32_700));
  expect(await answerTo({ jsonrpc: '2.0', id: 9, result: {} })).toBeNull();
  expect(await answerTo({ jsonrpc: '2.0', method: 'notifications/unheard' })).toBeNull();
  expect(await answerTo({ jsonrpc: '2.0', method: 'notifications/cancelled' })).toBeNull();
});

test('wrong arguments are a result that a model reads, and an unknown tool or cursor is an error', async () => {
  for (const [name, given, words] of [
    ['query', {}, 'needs the argument “sql”'],
    ['query', { sql: 5 }, 'must be of type string'],
    ['query', { sql: 'x', limit: 0 }, 'from 1 to 10000'],
    ['databases', { x: 1 }, 'has no argument “x”'],
    ['databases', [], 'must be an object'],
  ] as const)
    expect(await answerTo(call(1, name, given))).toMatchObject({
      result: { isError: true, content: [{}, { text: expect.stringContaining(words) as unknown }] },
    });
  expect(await answerTo(call(1, 'nothing'))).toEqual(failed(1, -32_602));
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list'])
    expect(await answerTo(request(1, method, { cursor: 'x' }))).toEqual(failed(1, -32_602));
  for (const uri of ['sidelite://b/schema', ['sidelite://a/schema'], undefined])
    expect(await answerTo(request(1, 'resources/read', { uri }))).toEqual(failed(1, -32_002));
});

test('an array of messages is answered with an array, in the one version that has them', async () => {
  const batch = [request(1, 'ping'), { jsonrpc: '2.0', method: 'notifications/initialized' }, 7, query(2)];
  expect(await answerTo(batch)).toEqual(failed(null, -32_600));
  await answerTo(request(0, 'initialize', { protocolVersion: '2025-03-26' }));
  expect(await answerTo([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toBeNull();
  expect(await answerTo(Array.from({ length: 101 }, () => batch[0]))).toEqual(failed(null, -32_600));
  out.lines = [];
  send(batch);
  await expect.poll(() => running.size).toBe(1);
  running.get('query {"sql":"2"}')!({ value: [] });
  await expect
    .poll(answers)
    .toEqual([[{ jsonrpc: '2.0', id: 1, result: {} }, failed(null, -32_600), expect.objectContaining({ id: 2 })]]);
});

test('each of many calls that wait can be canceled, and gets no answer then', async () => {
  send(...Array.from({ length: 200 }, (_, id) => query(id)));
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 150 } });
  send(request('last', 'resources/read', { uri: 'sidelite://a/schema' }));
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'last' } });
  await expect.poll(() => running.size).toBe(201);
  for (const resolve of running.values()) resolve({ value: 1 });
  await expect.poll(() => out.lines.length).toBe(199);
  expect(JSON.stringify(answers())).not.toMatch(/"id":(150|"last")/);
});

test('a client that sends more than a megabyte of requests waits for answers', async () => {
  const long = 'x'.repeat(300_000);
  for (let id = 0; id < 8; id++) input.write(`${JSON.stringify(call(id, 'query', { sql: `${id}${long}` }))}\n`);
  await expect.poll(() => running.size).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(running.size).toBe(4);
  [...running.values()][0]!({ value: 1 });
  await expect.poll(() => running.size).toBe(5);
});

test('the end of the input takes back what waits for a person, and other calls are answered', async () => {
  app.offer.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        app.leave.mockImplementationOnce(async () => resolve({ decision: 'withdrawn' }));
      }),
  );
  send(call(1, 'propose', { sql: 'DELETE FROM a' }), query(2));
  await expect.poll(() => running.size).toBe(2);
  running.get('propose {"sql":"DELETE FROM a"}')!({ value: { written: false } });
  await expect.poll(() => app.offer.mock.calls.length).toBe(1);
  input.end();
  await expect.poll(() => out.lines.length).toBe(1);
  expect(out.lines[0]).toContain('withdrawn');
  running.get('query {"sql":"2"}')!({ value: 1 });
  await served;
  expect(out.lines).toHaveLength(2);
});

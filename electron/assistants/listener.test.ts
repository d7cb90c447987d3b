// Assistants reach the app over a real socket: proposals wait for a person, and hostile programs are held to the limits.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inPlaceId } from '#shared/protocol/index.ts';
import { AppLink } from '../command/mcp/app-link.ts';
import { Assistants } from './assistants.ts';
import type { OpenPlace } from './assistants.ts';
import { AssistantListener } from './listener.ts';
import { publishAddress, readAddress } from './protocol.ts';

const OTHER: OpenPlace = { windowId: 'w2', locationId: 'a1', database: inPlaceId('a1'), fileName: 'shop.db' };
const PLACE: OpenPlace = { windowId: 'w1', locationId: 'a1', database: inPlaceId('a1'), fileName: 'shop.db' };
const SQL = 'DELETE FROM item';
/** A busy machine takes longer than the second that is usual. */
const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000 });
const NEVER = new AbortController().signal;

let profile: string;
let open: Set<string>;
let assistants: Assistants;
let listener: AssistantListener;
const links: AppLink[] = [];

function listen(folder: string): void {
  profile = folder;
  open = new Set(['/shop.db']);
  assistants = new Assistants({
    find: (path) => (open.has(path) ? PLACE : open.has(`other${path}`) ? OTHER : null),
    isOpen: (place) => open.has(place === PLACE ? '/shop.db' : 'other/shop.db'),
  });
  listener = new AssistantListener(assistants, folder, () => undefined);
  listener.start();
}
beforeEach(() => listen(mkdtempSync(join(tmpdir(), 'sidelite-link-'))));
afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
  listener.stop();
  rmSync(profile, { recursive: true });
});

function introduced(client = 'claude-code 2.0'): AppLink {
  const link = new AppLink(profile, ['/shop.db']);
  links.push(link);
  link.introduce(client);
  return link;
}

const seen = () => assistants.seenFrom('w1');
const offer = (link: AppLink, waitMs = 60_000, signal = NEVER) =>
  link.offer({ path: '/shop.db', sql: SQL, reason: ' It is old.\u202e ' }, waitMs, signal);
const waiting = () => seen().flatMap(({ proposals }) => proposals.filter(({ state }) => state === 'waiting'));

test('a proposal waits until a person keeps or discards it, and the assistant hears of that', async () => {
  const link = introduced();
  const offered = offer(link);
  await until(() => expect(waiting()).toHaveLength(1));
  const { id, database } = waiting()[0]!;
  expect(database).toBe(PLACE.database);
  expect(seen()[0]).toMatchObject({ client: 'claude-code 2.0', files: ['shop.db'] });
  expect(assistants.read('w1', id)).toEqual({ client: 'claude-code 2.0', sql: SQL, reason: 'It is old.[U+202E]' });
  // Another window has not shown it.
  expect(assistants.read('w2', id)).toBeNull();
  expect(assistants.settle('w2', id, 'keeping')).toBe(false);
  expect(assistants.settle('w1', id, 'kept')).toBe(false);
  expect(assistants.settle('w1', id, 'keeping')).toBe(true);
  expect(assistants.settle('w1', id, 'discarded')).toBe(false);
  expect(assistants.settle('w1', id, 'kept')).toBe(true);
  expect(await offered).toMatchObject({ decision: 'kept', written: true });
  expect(assistants.read('w1', id)).toBeNull();

  const again = offer(link);
  await until(() => expect(waiting()).toHaveLength(1));
  expect(assistants.settle('w1', waiting()[0]!.id, 'discarded')).toBe(true);
  expect(await again).toMatchObject({ decision: 'discarded', written: false });
});

test('an answer after the deadline names the proposal, which can be asked for', async () => {
  const link = introduced();
  const late = (await offer(link, 0)) as { readonly proposal: string };
  expect(late).toMatchObject({ decision: 'waiting', written: false, proposal: expect.any(String) as unknown });
  const asked = link.decision(late.proposal, 60_000);
  assistants.settle('w1', late.proposal, 'discarded');
  expect(await asked).toMatchObject({ decision: 'discarded' });
  const other = introduced('other');
  expect(await other.decision(late.proposal, 0)).toMatchObject({ decision: 'unknown', written: null });
});

test('a canceled call, a process that goes, and a file that is closed take proposals back', async () => {
  const cancellation = new AbortController();
  const canceled = offer(introduced(), 60_000, cancellation.signal);
  await until(() => expect(waiting()).toHaveLength(1));
  cancellation.abort();
  expect(await canceled).toMatchObject({ decision: 'withdrawn', written: false });

  const gone = introduced();
  await offer(gone, 0);
  await gone.close();
  await until(() => expect(seen()).toHaveLength(1));
  expect(waiting()).toEqual([]);

  const link = introduced();
  const { proposal } = (await offer(link, 0)) as { readonly proposal: string };
  open.clear();
  expect(await link.decision(proposal, 0)).toMatchObject({ decision: 'closed', written: false });
  expect(await offer(link)).toBeNull();
});

test('a window that closes the file leaves its proposals to another one, or ends them at once', async () => {
  const offered = offer(introduced());
  await until(() => expect(waiting()).toHaveLength(1));
  const { id } = waiting()[0]!;
  open = new Set(['other/shop.db']);
  assistants.closeOthers();
  expect([assistants.read('w1', id), assistants.read('w2', id)?.sql]).toEqual([null, SQL]);
  open.clear();
  assistants.closeOthers();
  expect(await offered).toMatchObject({ decision: 'closed', written: false });
  expect(assistants.read('w2', id)).toBeNull();
});

test('an app that is killed leaves no call waiting, and the next one is proposed to', async () => {
  const link = introduced();
  const { proposal } = (await offer(link, 0)) as { readonly proposal: string };
  const [offered, asked] = [offer(link), link.decision(proposal, 60_000)];
  await until(() => expect(waiting()).toHaveLength(2));
  listener.stop();
  for (const one of [offered, asked]) expect(await one).toMatchObject({ decision: 'unknown', written: null });
  listener.start();
  expect(await link.decision(proposal, 0)).toMatchObject({ decision: 'unknown' });
  expect(await offer(link, 0)).toMatchObject({ decision: 'waiting' });
});

test('a client that ends takes its proposals back, and proposes nothing more', async () => {
  const link = introduced();
  const offers = [offer(link), offer(link)];
  await until(() => expect(waiting()).toHaveLength(2));
  assistants.settle('w1', waiting()[0]!.id, 'keeping');
  const leaving = link.leave();
  expect(await offers[1]).toMatchObject({ decision: 'withdrawn', written: false });
  await leaving;
  // What a window is committing is waited for.
  assistants.settle('w1', seen()[0]!.proposals[0]!.id, 'kept');
  expect(await offers[0]).toMatchObject({ decision: 'kept', written: true });
  expect(await offer(link)).toBeNull();
});

test('many calls can ask for one decision, and none keeps the others from being heard', async () => {
  const link = introduced();
  const { proposal } = (await offer(link, 0)) as { readonly proposal: string };
  const asked = Array.from({ length: 23 }, () => link.decision(proposal, 60_000));
  const cancellation = new AbortController();
  const other = offer(link, 60_000, cancellation.signal);
  await until(() => expect(waiting()).toHaveLength(2));
  // Comes after the reply to the second proposal, whose decision is waited for by then: the last one that may be.
  expect(await link.decision(proposal, 0)).toMatchObject({ decision: 'waiting' });
  const more = Array.from({ length: 77 }, () => link.decision(proposal, 60_000));
  cancellation.abort();
  expect(await other).toMatchObject({ decision: 'withdrawn' });
  expect(waiting()).toHaveLength(1);
  expect(new Set((await Promise.all(more)).map(({ decision }) => decision))).toEqual(new Set(['waiting']));
  assistants.settle('w1', proposal, 'discarded');
  expect(new Set((await Promise.all(asked)).map(({ decision }) => decision))).toEqual(new Set(['discarded']));
});

test('a window that goes away while it commits leaves an outcome that is not known', async () => {
  const link = introduced();
  const { proposal } = (await offer(link, 0)) as { readonly proposal: string };
  assistants.settle('w1', proposal, 'keeping');
  assistants.forgetPage('w1');
  expect(await link.decision(proposal, 0)).toMatchObject({ decision: 'unknown', written: null });
});

test('calls are counted, and a connection that is ended answers nothing more', async () => {
  const link = introduced();
  for (const tool of ['query', 'schema', 'query']) link.called(tool);
  await until(() => expect(seen()[0]?.calls).toEqual({ query: 2, schema: 1 }));
  const offered = offer(link);
  await until(() => expect(waiting()).toHaveLength(1));
  listener.end(seen()[0]!.id);
  expect(await offered).toMatchObject({ decision: 'withdrawn', written: false });
  await until(() => expect(link.isEnded).toBe(true));
  expect(seen()).toEqual([]);
  expect(await offer(link)).toBeNull();
});

test('at most 20 proposals wait, and what is too long to be read is refused', async () => {
  const link = introduced();
  for (let at = 0; at < 20; at++) await offer(link, 0);
  expect(await offer(link, 0)).toEqual({ note: expect.stringContaining('20 proposals wait') as unknown });
  assistants.settle('w1', waiting()[0]!.id, 'discarded');
  const long = { path: '/shop.db', sql: ' '.repeat(100_001), reason: '' };
  expect(await link.offer(long, 0, NEVER)).toEqual({ note: expect.stringContaining('100000') as unknown });
  expect(waiting()).toHaveLength(19);
});

/** Sends it, and resolves with what came back when the app has closed the connection. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    let heard = '';
    const socket = connect(readAddress(profile)!.path, () => socket.write(text));
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(heard));
  });

test('whoever does not know the secret, or says anything else, is not heard', async () => {
  const { secret } = readAddress(profile)!;
  const hello = (own: string): string => JSON.stringify({ ask: 'hello', id: 1, secret: own, client: 'x', files: [] });
  const called = JSON.stringify({ ask: 'called', id: 2, tool: 'query', times: 1 });
  for (const text of [
    hello('wrong'),
    called,
    'not JSON',
    '[]',
    '{"ask":"run","id":1,"sql":"DELETE FROM item"}',
    `"${'x'.repeat(2 << 20)}"`,
  ])
    // prettier-ignore
    expect(await raw(`${text}\n`)).toBe('');
  expect(await raw(`${hello(secret)}\n${called}\n${hello(secret)}\n`)).toBe('{"id":1}\n{"id":2}\n');
  expect(seen()).toEqual([]);
});

test('half a message ends after a while, 10,000 requests get their replies, and there are at most 16 connections', async () => {
  const half = raw('{"ask":"hel');
  const { path, secret } = readAddress(profile)!;
  const lines = Array.from({ length: 10_000 }, (_, id) => `{"ask":"called","id":${id},"tool":"query","times":1}\n`);
  const socket = connect(path);
  let replies = 0;
  socket.on('data', (bytes: Buffer) => (replies += bytes.toString().split('\n').length - 1));
  socket.write(`${JSON.stringify({ ask: 'hello', id: -1, secret, client: 'x', files: [] })}\n${lines.join('')}`);
  await until(() => expect(replies).toBe(10_001));
  expect(seen()[0]?.calls).toEqual({ query: 10_000 });
  socket.destroy();
  expect(await half).toBe('');
  const many = Array.from({ length: 30 }, () => introduced());
  await until(() => expect(seen()).toHaveLength(16));
  await Promise.all(many.map((link) => link.close()));
}, 120_000);

test('an app that hangs is none, and one that does not get to count calls is not left for that', async () => {
  listener.stop();
  const { address, remove } = publishAddress(profile);
  const sockets: Socket[] = [];
  let heard = '';
  const hung = createServer((socket) => {
    if (sockets.push(socket) === 1) socket.once('data', () => socket.write('{"id":1}\n'));
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
  });
  hung.listen(address.path);
  await once(hung, 'listening');
  const greeted = introduced();
  greeted.called('query');
  await until(() => expect(heard).toContain('"called"'));
  expect(await offer(introduced())).toBeNull();
  await until(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true]));
  await greeted.close();
  hung.close();
  remove();
}, 60_000);

test.skipIf(process.platform === 'win32')(
  'only this user reaches the socket, also of a profile with a long path',
  async () => {
    const socket = readAddress(profile)!.path;
    await until(() => expect(statSync(socket).mode & 0o777).toBe(0o600));
    expect(statSync(join(profile, 'assistants')).mode & 0o777).toBe(0o700);
    expect(statSync(join(profile, 'assistants', 'address.json')).mode & 0o777).toBe(0o600);
    listener.stop();
    expect([existsSync(socket), readAddress(profile)]).toEqual([false, null]);
    const long = join(profile, 'x'.repeat(120));
    mkdirSync(long);
    const before = profile;
    listen(long);
    const elsewhere = readAddress(long)!.path;
    expect(Buffer.byteLength(elsewhere)).toBeLessThanOrEqual(100);
    expect(statSync(join(elsewhere, '..')).mode & 0o777).toBe(0o700);
    listener.stop();
    expect(existsSync(join(elsewhere, '..'))).toBe(false);
    profile = before;
  },
);

// A file in place that is to be read-only while windows have it open.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NativeFile } from '#shared/native-link.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { NativeServer } from './native-server.ts';

const engine = await createNativeEngine();
const DATABASE = 'file:1';
const INSERT = "INSERT INTO item (name) VALUES ('bee')";
const AS_ASKED = /opened read-only, as requested.*Nothing was changed/s;

let folder: string;
let file: NativeFile;
let server: NativeServer;
let before: Buffer;
const ends: (() => void)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-native-server-'));
  const path = join(folder, 'shop.db');
  const made = engine.open(path, { durability: 'full', create: true });
  made.run('CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)');
  made.close();
  before = readFileSync(path);
  file = { database: DATABASE, fileName: 'shop.db', displayPath: path, locationId: '1', path };
  const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
  server = new NativeServer({ engine, ...parts, historyFolder: join(folder, 'history') });
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  server.settle();
  rmSync(folder, { recursive: true });
});

const waiting = (): NativeFile => ({ ...file, asksBeforeWriting: true });
const readOnly = (): NativeFile => ({ ...file, readOnly: true });

async function openIn(windowId: string): Promise<Client<Operations, Events>> {
  const { port1, port2 } = new MessageChannel();
  server.serve(windowId, domPort(port1 as never));
  const client = createClient<Operations, Events>(domPort(port2 as never));
  ends.push(() => port2.close());
  await client.call('session.begin', { windowTitle: windowId });
  await client.call('database.open', { database: DATABASE });
  return client;
}
const stateFor = (client: Client<Operations, Events>) => client.call('database.open', { database: DATABASE });
const insert = (client: Client<Operations, Events>) =>
  client.call('query.run', { database: DATABASE, sql: INSERT }).then(
    () => 'done',
    (thrown: unknown) => toAppError(thrown).message,
  );

test('a file that waits for its first edit becomes read-only in all windows, and stays so while it is at rest', async () => {
  server.addFile(waiting(), 'one');
  const one = await openIn('one');
  expect(await stateFor(one)).toMatchObject({ asksBeforeWriting: true });
  expect(server.addFile(readOnly(), 'two')).toBe(true);
  const two = await openIn('two');
  for (const client of [one, two]) {
    expect(await stateFor(client)).toMatchObject({ writable: false, readOnly: true });
    expect(await stateFor(client)).not.toHaveProperty('asksBeforeWriting');
    expect(await insert(client)).toMatch(AS_ASKED);
    // The answer to a question that was open in another window comes too late.
    await client.call('database.allowWriting', { database: DATABASE, untilMs: Infinity });
    expect(await insert(client)).toMatch(AS_ASKED);
  }
  expect(readFileSync(file.path)).toEqual(before);
  // What watches the file for changes of others does not set it free.
  const changed = new Promise((heard) => void one.on('database.changed', heard));
  const other = (await createNativeEngine()).open(file.path, { durability: 'full' });
  other.run(INSERT);
  other.close();
  await changed;
  expect(await insert(one)).toMatch(AS_ASKED);
});

test('a file that may be changed already does not become read-only; once all windows have closed it, it does', async () => {
  server.addFile(waiting(), 'one');
  const one = await openIn('one');
  await one.call('database.allowWriting', { database: DATABASE, untilMs: Infinity });
  expect(server.addFile(readOnly(), 'two')).toBe(false);
  expect(await insert(one)).toBe('done');
  await one.call('database.close', { database: DATABASE });
  expect(server.addFile(readOnly(), 'one')).toBe(true);
  await stateFor(one);
  await expect.poll(() => stateFor(one), { interval: 5 }).toMatchObject({ writable: false, readOnly: true });
  expect(await insert(one)).toMatch(AS_ASKED);
});

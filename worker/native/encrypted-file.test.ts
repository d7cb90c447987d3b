// An encrypted file in a process of its own: what main hears of it, the numbers it gives out, and what lies on the disk meanwhile.
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encryptedId, slotOfReader } from '#shared/protocol/index.ts';
import type { Events, Operations } from '#shared/protocol/index.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { givenKey } from '../engines/native/cipher/given-key.test-suite.ts';
import { createCipherEngine } from '../engines/native/native-engine.ts';
import type { DatabaseConstructor } from '../engines/native/runtime/load.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { holdForCopy } from './hold-for-copy.ts';
import { NativeServer } from './native-server.ts';

const Database = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;
const PLAIN = 'KNOWN-PLAIN-TEXT';
const SLOT = 5;
const database = encryptedId('a1');

let folder: string;
let path: string;
let told: boolean[];
let server: NativeServer | null;
let close: (() => void)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-encrypted-file-'));
  path = join(folder, 'shop.db');
  mkdirSync(join(folder, 'trials'));
  const db = new Database(path, {});
  db.key!(Buffer.from('secret'));
  db.exec(
    `CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item (name) VALUES ('${PLAIN}'), ('bee')`,
  );
  db.close();
  [told, server, close] = [[], null, []];
});
afterEach(() => {
  for (const each of close) each();
  server?.settle();
  rmSync(folder, { recursive: true });
});

async function serve(): Promise<NativeServer> {
  const engine = await createCipherEngine(givenKey('secret'), join(folder, 'trials'));
  const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
  const ofOwn = { slot: SLOT, opened: (isOpen: boolean) => void told.push(isOpen) };
  server = new NativeServer({ engine, ...parts, historyFolder: join(folder, 'history'), ofOwn });
  server.addFile({ database, fileName: 'shop.db', displayPath: path, locationId: 'a1', path }, 'one');
  return server;
}

async function openIn(window: string): Promise<Client<Operations, Events>> {
  const { port1, port2 } = new MessageChannel();
  server!.serve(window, domPort(port1 as never));
  const client = createClient<Operations, Events>(domPort(port2 as never));
  close.push(() => port2.close());
  await client.call('session.begin', { windowTitle: window });
  await client.call('database.open', { database });
  return client;
}

/** Names of files in which the text is. */
const leaks = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const file = join(folder, name);
    return statSync(file).isFile() && readFileSync(file).includes(PLAIN);
  });

test('main hears when the file is opened and closed, and the numbers are those of the slot', async () => {
  await serve();
  expect(told).toEqual([]);
  const client = await openIn('one');
  expect(told).toEqual([true]);
  const { reader } = await client.call('rows.open', { database, table: 'item', sort: [], filter: [] });
  expect(slotOfReader(reader)).toBe(SLOT);
  await client.call('database.close', { database });
  expect(told).toEqual([true, false]);
});

test('an edit is undone after the process has gone, and neither the history nor anything else shows the text', async () => {
  await serve();
  const first = await openIn('one');
  await first.call('query.run', { database, sql: `UPDATE item SET name = '${PLAIN} 2' WHERE id = 1` });
  expect(leaks()).toEqual([]);
  server!.settle();
  await serve();
  const second = await openIn('one');
  await second.call('history.undo', { database });
  server!.settle();
  server = null;
  const db = new Database(path, {});
  db.key!(Buffer.from('secret'));
  expect(db.prepare('SELECT name FROM item').pluck(true).all()).toEqual([PLAIN, 'bee']);
  db.close();
  expect(leaks()).toEqual([]);
});

test('what could not be undone is refused, and what was created says so later', async () => {
  await serve();
  const client = await openIn('one');
  const run = (sql: string, withoutUndo = false) => client.call('query.run', { database, sql, withoutUndo });
  await run('CREATE TABLE made (a); INSERT INTO made VALUES (1)');
  await expect(run('DROP TABLE item')).rejects.toMatchObject({
    code: 'not-undoable',
    // A file in place is not duplicated.
    message: expect.stringContaining('back up the database first (Back Up Now…)') as string,
  });
  await expect(run('ALTER TABLE item ADD b')).rejects.toMatchObject({ code: 'not-undoable' });
  await expect(client.call('history.undo', { database })).rejects.toThrow('an encrypted database cannot be replaced');
  await run('DROP TABLE item', true);
  await run('UPDATE made SET a = 2');
  await client.call('history.undo', { database });
  server!.settle();
  server = null;
  const db = new Database(path, {});
  db.key!(Buffer.from('secret'));
  expect(db.prepare('SELECT a FROM made').pluck(true).all()).toEqual([1]);
  db.close();
});

test('what others have in the WAL is copied encrypted though nothing is written here', async () => {
  server = null;
  const other = new Database(path, {});
  other.key!(Buffer.from('secret'));
  other.exec("PRAGMA journal_mode = WAL; INSERT INTO item (name) VALUES ('in the WAL')");
  const engine = await createCipherEngine(givenKey('secret'), join(folder, 'trials'));
  const reader = engine.open(path, { durability: 'balanced', readOnly: true });
  const steps = holdForCopy({ connection: reader, stopRequested: false });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const copy = join(folder, 'copy.db');
  writeFileSync(copy, step.value.read(0, step.value.sizeBytes));
  step.value.release();
  reader.close();
  other.close();
  expect(leaks()).toEqual([]);
  const read = engine.open(copy, { durability: 'balanced' });
  expect(read.all('SELECT name FROM item')).toEqual([[PLAIN], ['bee'], ['in the WAL']]);
  read.close();
});

// Files that windows attach to files in place, through the operations of the native process.
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { DatabaseState, Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import type { Client } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createClock } from '../sessions/clock.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { Attachments } from './attachments.ts';
import { NativeServer } from './native-server.ts';

type Window = Client<Operations, Events>;

const engine = await createNativeEngine();
const [SHOP, PRICES] = ['file:1', 'file:2'];
const ATTACHED = { name: 'prices', file: PRICES, fileName: 'prices.db', why: null };
const JOIN = 'SELECT name, amount FROM item JOIN prices.price ON item = id';

let folder: string;
let server: NativeServer;
const ends: (() => void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-attachments-'));
  make('shop.db', "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO item VALUES (1, 'ant')");
  make('prices.db', 'CREATE TABLE price (item, amount); INSERT INTO price VALUES (1, 2.5)');
  const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
  server = new NativeServer({ engine, ...parts, historyFolder: join(folder, 'history') });
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  server.settle();
  rmSync(folder, { recursive: true });
});

function make(name: string, sql: string): void {
  const made = engine.open(join(folder, name), { durability: 'full', create: true });
  for (const statement of sql.split(';')) made.run(statement);
  made.close();
}

async function openIn(windowId: string): Promise<Window> {
  for (const [database, name] of [
    [SHOP!, 'shop.db'],
    [PRICES!, 'prices.db'],
  ] as const) {
    const path = join(folder, name);
    server.addFile({ database, fileName: name, displayPath: path, locationId: database, path }, windowId);
  }
  const { port1, port2 } = new MessageChannel();
  server.serve(windowId, domPort(port1 as never));
  const client = createClient<Operations, Events>(domPort(port2 as never));
  ends.push(() => port2.close());
  await client.call('session.begin', { windowTitle: windowId });
  await client.call('database.open', { database: SHOP! });
  return client;
}

const stateFor = (window: Window): Promise<DatabaseState> => window.call('database.open', { database: SHOP! });
const attach = (window: Window, name = 'prices', file = PRICES!) =>
  window.call('database.attach', { database: SHOP!, name, file });
const run = (window: Window, sql: string) => window.call('query.run', { database: SHOP!, sql });
const failure = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (thrown: unknown) => toAppError(thrown).message,
  );

test('SQL of all windows joins an attached file, also while that file is open itself', async () => {
  const [one, two] = [await openIn('one'), await openIn('two')];
  await one.call('database.open', { database: PRICES! });
  const heard = new Promise((resolve) => void two.on('database.stateChanged', ({ state }) => resolve(state.attached)));
  await attach(one);
  expect(await heard).toEqual([ATTACHED]);
  expect((await stateFor(one)).attached).toEqual([ATTACHED]);
  for (const window of [one, two]) expect(await run(window, JOIN)).toMatchObject({ results: 1 });
  // What the other window does again changes nothing.
  await attach(two, 'again');
  expect((await stateFor(two)).attached).toEqual([ATTACHED]);
  await two.call('database.detach', { database: SHOP!, name: 'prices' });
  expect((await stateFor(one)).attached).toBeUndefined();
  expect(await failure(run(one, JOIN))).toContain('prices.price');
});

test('nothing is written to an attached file, and Undo of the own tables is exact', async () => {
  const window = await openIn('one');
  await attach(window);
  const before = readFileSync(join(folder, 'prices.db'));
  expect(await failure(run(window, 'DELETE FROM prices.price'))).toContain('“prices” is attached read-only');
  await run(window, "INSERT INTO item SELECT item + 1, 'copy' FROM prices.price");
  await run(window, 'UPDATE item SET name = (SELECT amount FROM prices.price)');
  const another = await createNativeEngine();
  const names = (): unknown => {
    const other = another.open(join(folder, 'shop.db'), { durability: 'full' });
    const read = other.all('SELECT name FROM item ORDER BY id').flat();
    other.close();
    return read;
  };
  expect(names()).toEqual(['2.5', '2.5']);
  await window.call('history.undo', { database: SHOP! });
  expect(names()).toEqual(['ant', 'copy']);
  await window.call('history.undo', { database: SHOP! });
  expect(names()).toEqual(['ant']);
  expect(readFileSync(join(folder, 'prices.db'))).toEqual(before);
});

test('names that clash, files that the window has not opened, and an open transaction are refused', async () => {
  const window = await openIn('one');
  expect(await failure(attach(window, 'main'))).toContain('“main”');
  expect(await failure(attach(window, 'two words'))).toContain('“two words”');
  expect(await failure(attach(window, 'x', SHOP!))).toContain('the database itself');
  expect(await failure(attach(window, 'x', 'file:3'))).toContain('not open in this window');
  await run(window, 'BEGIN');
  expect(await failure(attach(window))).toContain('A transaction is open');
  await run(window, 'ROLLBACK');
  await attach(window);
  expect((await stateFor(window)).attached).toEqual([ATTACHED]);
});

test('a file that is gone when the database is opened again is noted, and attached when it is back', () => {
  const [path, away] = [join(folder, 'prices.db'), join(folder, 'away.db')];
  const attachments = new Attachments({
    clock: createClock(),
    fileOf: () => ({ fileName: 'prices.db', path }),
    changed: () => undefined,
  });
  const connect = () => engine.open(join(folder, 'shop.db'), { durability: 'full' });
  let connection = connect();
  attachments.add(SHOP!, connection, 'prices', PRICES!);
  const reopen = (): boolean => {
    attachments.end(SHOP!);
    connection.close();
    connection = connect();
    return attachments.attachAll(SHOP!, connection);
  };
  expect(reopen()).toBe(false);
  expect(connection.all(JOIN)).toEqual([['ant', 2.5]]);
  renameSync(path, away);
  expect(reopen()).toBe(true);
  expect(attachments.of(SHOP!)).toMatchObject([{ name: 'prices', why: expect.stringContaining('no file') as unknown }]);
  renameSync(away, path);
  expect(reopen()).toBe(true);
  expect(connection.all(JOIN)).toEqual([['ant', 2.5]]);
  attachments.end(SHOP!);
  connection.close();
});

test('what SQL attached itself reports no changes, and is not live', async () => {
  const window = await openIn('one');
  await attach(window);
  await run(window, "ATTACH ':memory:' AS scratch; CREATE TABLE scratch.note (text)");
  const live = { database: SHOP!, sql: 'SELECT * FROM item, scratch.note', params: [], limitMs: null };
  expect(await failure(window.call('live.open', live))).toContain('It cannot be live');
});

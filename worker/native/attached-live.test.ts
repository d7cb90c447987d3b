// Live results over an attached file. One server in this file: each further one of a process has higher numbers for its readers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { NativeServer } from './native-server.ts';

const FILES = { 'file:1': 'shop.db', 'file:2': 'prices.db' } as const;
const JOIN = 'SELECT name, amount FROM item JOIN prices.price ON item = id';

test('a live result follows what another program and this app commit to an attached file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-attached-live-'));
  const [engine, otherEngine] = [await createNativeEngine(), await createNativeEngine()];
  const runElsewhere = (name: string, ...statements: readonly string[]): void => {
    const other = otherEngine.open(join(folder, name), { durability: 'full', create: true });
    for (const statement of statements) other.run(statement);
    other.close();
  };
  runElsewhere(
    'shop.db',
    'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)',
    "INSERT INTO item VALUES (1, 'ant')",
  );
  runElsewhere('prices.db', 'CREATE TABLE price (item, amount)', 'INSERT INTO price VALUES (1, 2.5)');
  const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
  const server = new NativeServer({ engine, ...parts, historyFolder: join(folder, 'history') });
  for (const [database, fileName] of Object.entries(FILES)) {
    const path = join(folder, fileName);
    server.addFile({ database, fileName, displayPath: path, locationId: database, path }, 'one');
  }
  const { port1, port2 } = new MessageChannel();
  server.serve('one', domPort(port1 as never));
  const window = createClient<Operations, Events>(domPort(port2 as never));
  await window.call('session.begin', { windowTitle: 'one' });
  await window.call('database.open', { database: 'file:1' });
  await window.call('database.attach', { database: 'file:1', name: 'prices', file: 'file:2' });

  const amounts: unknown[] = [];
  window.on('rows.patched', ({ rows }) => void amounts.push(new PackedRowsReader(rows).value(0, 1)));
  const readerOf = async (sql: string): Promise<number> => {
    const { reader } = await window.call('live.open', { database: 'file:1', sql, params: [], limitMs: null });
    await window.call('rows.watch', { reader, range: { start: 0, count: 10 } });
    return reader;
  };
  await readerOf(JOIN);
  const own = await readerOf('SELECT name FROM item');
  runElsewhere('prices.db', 'UPDATE price SET amount = 9');
  await expect.poll(() => amounts).toEqual([9]);
  await window.call('database.open', { database: 'file:2' });
  await window.call('query.run', { database: 'file:2', sql: 'UPDATE price SET amount = 10' });
  await expect.poll(() => amounts).toEqual([9, 10]);
  // A query of own tables alone does not run again.
  const counters = await window.call('live.counters', { database: 'file:1' });
  expect(counters.find(({ reader }) => reader === own)).toMatchObject({ runs: 0 });

  port2.close();
  server.settle();
  rmSync(folder, { recursive: true });
});

// What an assistant proposes for a file in place: rows of an open transaction, and one step of the history once a person keeps it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { NativeServer } from './native-server.ts';

test('a proposal for a file in place is kept as it was shown, under its title, and undone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-proposal-'));
  const path = join(folder, 'shop.db');
  // The same library: locks of another one in this process would not count.
  const other = (await createNativeEngine()).open(path, { durability: 'full', create: true });
  other.run('CREATE TABLE item (id INTEGER PRIMARY KEY, seen)');
  other.run('INSERT INTO item VALUES (1, 0), (2, 0)');
  const seen = (): readonly unknown[] => other.all('SELECT CAST(seen AS TEXT) FROM item').flat();
  const parts = { files: null as never, workStatus: new WorkStatusBuffer(), onBusy: () => undefined };
  const server = new NativeServer({ engine: await createNativeEngine(), ...parts, historyFolder: join(folder, 'history') }); // prettier-ignore
  const database = 'file:1';
  server.addFile({ database, fileName: 'shop.db', displayPath: path, locationId: database, path }, 'one');
  const { port1, port2 } = new MessageChannel();
  server.serve('one', domPort(port1 as never));
  const window = createClient<Operations, Events>(domPort(port2 as never));
  await window.call('session.begin', { windowTitle: 'one' });
  await window.call('database.open', { database });

  for (const sql of ['PRAGMA recursive_triggers = 1', 'CREATE TEMP TABLE item (id)'])
    await expect(window.call('dryRun.start', { database, sql, proposed: true })).rejects.toMatchObject({
      code: 'invalid',
    });
  const asked = { database, sql: 'UPDATE item SET seen = random()', title: 'claude: all', proposed: true };
  await window.call('dryRun.start', asked);
  await window.call('dryRun.finish', { database, keep: false });
  other.run('DELETE FROM item WHERE id = 2');

  await window.call('dryRun.start', asked);
  const { rows } = await window.call('dryRun.rows', { database, start: 0, count: 10 });
  await window.call('dryRun.finish', { database, keep: true });
  expect(rows.map(({ after }) => String(after?.[1]))).toEqual(seen());
  expect((await window.call('history.list', { database, before: null, limit: 1 })).steps).toMatchObject([{ title: 'claude: all' }]); // prettier-ignore
  await window.call('history.undo', { database });
  expect(seen()).toEqual(['0']);
  other.close();
  port2.close();
  server.settle();
  rmSync(folder, { recursive: true });
});

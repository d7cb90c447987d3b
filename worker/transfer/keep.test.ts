// A file of SQL becomes a database of the library only if SQLite finds no fault in what it made of it.
import { expect, test } from 'vitest';
import type { LibraryContext } from '../library/context.ts';
import { fakeClock } from '../sessions/fake-clock.test-suite.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { keepAsDatabase } from './keep.ts';
import { keepSource, sourceOf } from './opened-sources.ts';
import { opened, PLACES, transferWindow } from './transfer-fixture.test-suite.ts';

const [, inPool] = PLACES[0]!;
const DUMP = "CREATE TABLE t (a); INSERT INTO t VALUES (NULL), ('x');";

async function begin(id: string, isCanceled = false) {
  const added: string[] = [];
  const clock = fakeClock();
  const context = {
    clock,
    monitor: new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined),
    catalogue: { add: ({ name }: { name: string }) => (added.push(name), { id: name }) },
    databases: { find: (name: string) => ({ entry: { id: name } }), explain: (error: unknown) => error },
  } as unknown as LibraryContext;
  const call = { id: 1, canceled: isCanceled, emit: async () => undefined };
  const kept = keepAsDatabase(context, transferWindow, { id, name: 'new' }, call);
  return { added, outcome: await kept.catch((error: unknown) => error) };
}

test('one without a fault is kept', async () => {
  const id = keepSource(transferWindow, await opened(inPool, DUMP));
  const { added, outcome } = await begin(id);
  expect([added, outcome]).toEqual([['new'], { id: 'new' }]);
  expect(() => sourceOf(transferWindow, id)).toThrow('no longer being read');
});

test('one with a fault is not, nor is one whose check is stopped; its tables can still be chosen', async () => {
  const source = await opened(inPool, DUMP);
  const id = keepSource(transferWindow, source);
  expect(await begin(id, true)).toMatchObject({ added: [], outcome: { code: 'stopped' } });
  source.connection.close();
  const damaging = source.scratch.open({ durability: 'balanced', scratch: true });
  damaging.run('PRAGMA writable_schema = ON');
  damaging.run("UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a NOT NULL)'");
  damaging.close();
  const connection = source.scratch.open({ durability: 'balanced' });
  const damaged = keepSource(transferWindow, { ...source, connection });
  const { added, outcome } = await begin(damaged);
  expect(outcome).toMatchObject({ code: 'corrupt', message: expect.stringContaining('NULL value in t.a') });
  expect(added).toEqual([]);
  expect(sourceOf(transferWindow, damaged).connection.all('SELECT a FROM t')).toEqual([[null], ['x']]);
  connection.close();
});

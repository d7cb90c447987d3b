import { beforeEach, describe, expect, it } from 'vitest';
import type { Pause } from './session.ts';
import type { DatabaseState, Events } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { fakeClock } from './fake-clock.test-suite.ts';
import { OpenDatabases } from './open-databases.ts';
import { ClientWindow } from './window-session.ts';
import { WorkMonitor } from './work-monitor.ts';

const ENTRY = { id: 'd', name: 'Test', lastUsedAtMs: 0, durability: 'full' as const, source: null };
const { engine } = await createWasmEngine();

function start() {
  const clock = fakeClock();
  const workStatus = new WorkStatusBuffer();
  const changes: Events['database.changed'][] = [];
  const states: DatabaseState[] = [];
  let wakes = 0;
  let connection!: Connection;
  const databases = new OpenDatabases(
    {
      clock,
      monitor: new WorkMonitor(workStatus, clock, () => wakes++),
      entryOf: () => ENTRY,
      onChanges: (database, { tables, schema }) => changes.push({ database, tables, schema }),
      onStateChanged: (_id, state) => states.push(state),
    },
    () => {
      connection = engine.open(IN_MEMORY, { durability: 'full', create: true });
      // A file in memory has no size of its own to query.
      Object.defineProperty(connection, 'fileSizeBytes', { get: () => 4096 });
      return connection;
    },
  );
  const window = (name: string): ClientWindow => {
    const made = new ClientWindow(name, () => undefined);
    made.introduce(`Window ${name}`);
    return made;
  };
  const [one, two] = [window('1'), window('2')];
  const database = databases.join(one, 'd');
  databases.join(two, 'd');
  const run = (by: ClientWindow, sql: string): Promise<unknown> =>
    database.enqueue({ window: by, kind: 'write', title: sql, body: ({ connection: own }) => own.run(sql) });
  const read = (by: ClientWindow, sql: string): Promise<unknown> =>
    database.enqueue({ window: by, kind: 'read', title: sql, body: ({ connection: own }) => own.one(sql)?.[0] });
  return {
    clock,
    workStatus,
    changes,
    states,
    wakes: () => wakes,
    databases,
    database,
    one,
    two,
    run,
    read,
    connection: () => connection,
  };
}

let at: ReturnType<typeof start>;
beforeEach(async () => {
  at = start();
  await at.run(at.one, 'CREATE TABLE t (a)');
  at.clock.advance(100);
  at.changes.length = 0;
});

describe('a transaction opened by hand', () => {
  beforeEach(async () => {
    await at.run(at.one, 'BEGIN');
    await at.run(at.one, 'INSERT INTO t VALUES (1)');
  });

  it('is told to all, lets others read and refuses their writes by name', async () => {
    expect(at.states.at(-1)?.transaction).toMatchObject({ windowId: '1', windowTitle: 'Window 1', changes: 1 });
    expect(await at.read(at.two, 'SELECT count(*) FROM t')).toBe(1);
    await expect(at.run(at.two, 'INSERT INTO t VALUES (2)')).rejects.toMatchObject({
      code: 'transaction-elsewhere',
      message: expect.stringContaining('Window 1'),
    });
    await at.run(at.one, 'COMMIT');
    expect(at.states.at(-1)?.transaction).toBeNull();
    await at.run(at.two, 'INSERT INTO t VALUES (2)');
  });

  it('is rolled back when its window goes away, and the others see it', async () => {
    at.clock.advance(100);
    at.changes.length = 0;
    at.databases.leaveAll(at.one);
    expect(at.states.at(-1)?.transaction).toBeNull();
    expect(at.changes).toEqual([{ database: 'd', tables: null, schema: true }]);
    await at.run(at.two, 'INSERT INTO t VALUES (2)');
    expect(await at.read(at.two, 'SELECT count(*) FROM t')).toBe(1);
  });

  it('stays when another window goes away', async () => {
    at.databases.leaveAll(at.two);
    await at.run(at.one, 'COMMIT');
    expect(await at.read(at.one, 'SELECT count(*) FROM t')).toBe(1);
  });
});

it('a transaction that has changed nothing yet refreshes nobody', async () => {
  await at.run(at.one, 'INSERT INTO t VALUES (1)');
  at.clock.advance(100);
  at.changes.length = 0;
  await at.run(at.one, 'BEGIN');
  at.clock.advance(100);
  expect(at.changes).toEqual([]);
});

it('a script that goes away inside its transaction is rolled back', async () => {
  const script = at.database.enqueue({
    window: at.one,
    kind: 'write',
    title: 'script',
    *body(turn): Generator<Pause, void, undefined> {
      turn.connection.run('BEGIN');
      turn.connection.run('INSERT INTO t VALUES (1)');
      turn.pauseUntil(new Promise(() => undefined));
      yield 'between';
    },
  });
  await at.read(at.two, 'SELECT 1');
  at.databases.leaveAll(at.one);
  await expect(script).rejects.toMatchObject({ code: 'disconnected' });
  expect(await at.read(at.two, 'SELECT count(*) FROM t')).toBe(0);
});

it('tells windows of a burst of commits once a frame', async () => {
  for (let row = 0; row < 10; row++) await at.run(at.one, `INSERT INTO t VALUES (${row})`);
  expect(at.changes).toHaveLength(1);
  at.clock.advance(16);
  expect(at.changes).toEqual(Array.from({ length: 2 }, () => ({ database: 'd', tables: ['t'], schema: false })));
});

it('posts what runs, stops it by the work status buffer, and the connection lives on', async () => {
  const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';
  const long = at.database.enqueue({
    window: at.one,
    kind: 'read',
    title: 'endless',
    call: 7,
    body({ connection }) {
      const [work] = at.workStatus.read();
      expect(work).toMatchObject({ title: 'endless', call: 7, databaseName: 'Test', windowTitle: 'Window 1' });
      at.workStatus.stop(work!.id);
      return connection.one(endless);
    },
  });
  await expect(long).rejects.toMatchObject({ code: 'stopped' });
  expect(at.workStatus.read()).toEqual([]);
  expect(at.wakes()).toBe(1);
  expect(await at.read(at.one, 'SELECT 7')).toBe(7);
});

it('frees what a window held here when it lets go, and only that', () => {
  const freed: string[] = [];
  at.database.onLeave(at.one, () => freed.push('one'));
  at.database.onLeave(at.one, () => freed.push('forgotten'))();
  at.database.onLeave(at.two, () => freed.push('two'));
  at.databases.leave(at.one, 'd');
  expect(freed).toEqual(['one']);
});

it('a disk that refuses the last checkpoint keeps no other database open', () => {
  Object.assign(at.connection(), {
    checkpoint() {
      throw new Error('disk full');
    },
  });
  at.databases.join(at.one, 'e');
  at.databases.leaveAll(at.two);
  expect(() => at.databases.leaveAll(at.one)).not.toThrow();
  expect([at.databases.find('d'), at.databases.find('e')]).toEqual([null, null]);
});

it('work for a database that was closed meanwhile ends and says so', async () => {
  at.databases.leaveAll(at.one);
  at.databases.leaveAll(at.two);
  await expect(at.read(at.one, 'SELECT 1')).rejects.toMatchObject({ code: 'disconnected' });
});

it('closes the file with the last window', () => {
  at.databases.leaveAll(at.one);
  expect(at.databases.find('d')).not.toBeNull();
  at.databases.leaveAll(at.two);
  expect(at.databases.find('d')).toBeNull();
  expect(() => at.connection().one('SELECT 1')).toThrow('closed');
});

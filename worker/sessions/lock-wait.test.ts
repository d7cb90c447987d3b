// Tests with a second process that holds the file: what waits, what does not, in which order work continues, and what Stop leaves behind.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { holdOpen, runIn } from '../engines/native/storage/other-program.test-suite.ts';
import { QueryRun } from '../query/query-run.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { createClock } from './clock.ts';
import { OpenDatabases } from './open-databases.ts';
import { WorkMonitor } from './work-monitor.ts';
import { ClientWindow } from './window-session.ts';
import type { WorkKind } from './session.ts';

const engine = await createNativeEngine();
let folder: string;
let workStatus: WorkStatusBuffer;
let databases: OpenDatabases;
let other: ChildProcess | null = null;
const [first, second] = ['first', 'second'].map((name) => new ClientWindow(name, () => undefined)) as [
  ClientWindow,
  ClientWindow,
];

function openAll(lockTimeoutMs?: number): OpenDatabases {
  const clock = createClock();
  return new OpenDatabases(
    {
      clock,
      ...(lockTimeoutMs !== undefined && { lockTimeoutMs }),
      monitor: new WorkMonitor(workStatus, clock, () => undefined),
      entryOf: (id) => ({ id, name: id, durability: 'balanced' }) as unknown as LibraryEntry,
      onChanges: () => undefined,
      onStateChanged: () => undefined,
    },
    (id) => engine.open(join(folder, id), { durability: 'balanced', create: true }),
  );
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-lock-'));
  workStatus = new WorkStatusBuffer();
  databases = openAll();
});

afterEach(() => {
  other?.kill('SIGKILL');
  other = null;
  for (const window of [first, second]) databases.leaveAll(window);
  rmSync(folder, { recursive: true, force: true });
});

async function lockedBy(sql: string, mode = 'wal'): Promise<void> {
  for (const window of [first, second]) databases.join(window, 'a.db');
  await work(first, 'write', (connection) => {
    connection.one(`PRAGMA journal_mode = ${mode}`);
    connection.run('CREATE TABLE t(a)');
  });
  other = await holdOpen(join(folder, 'a.db'), sql);
}

const work = <T>(window: ClientWindow, kind: WorkKind, body: (connection: Connection) => T, id = 'a.db'): Promise<T> =>
  databases.of(window, id).enqueue({ window, kind, title: 'Work', body: ({ connection }) => body(connection) });

const insert = (window: ClientWindow, value: string): Promise<number> =>
  work(window, 'write', (connection) => connection.run('INSERT INTO t VALUES (?)', [value]));

const rows = (): Promise<readonly (readonly Value[])[]> =>
  work(first, 'read', (connection) => connection.all('SELECT a FROM t ORDER BY rowid'));

const waitingFor = (): (string | null)[] => workStatus.read().map((running) => running.waitingFor);

const isShown = async (): Promise<void> => {
  await expect.poll(waitingFor).toContainEqual(expect.stringMatching(/./));
};

describe.each(['wal', 'delete'])('a file that another program is writing to (%s)', (mode) => {
  it('is waited for: writes go on by themselves, in the order they came', async () => {
    await lockedBy('BEGIN IMMEDIATE', mode);
    const done = [insert(first, 'one'), insert(second, 'two'), insert(first, 'three'), insert(second, 'four')];
    await isShown();
    if (process.platform === 'linux') expect(waitingFor()[0]).toContain(`process ${other!.pid}`);
    expect(await rows()).toEqual([]);
    await runIn(other!, 'COMMIT');
    await Promise.all(done);
    expect(await rows()).toEqual([['one'], ['two'], ['three'], ['four']]);
    expect(waitingFor()).toEqual([]);
  });

  it('is let be when Stop is pressed, and nothing was changed', async () => {
    await lockedBy('BEGIN IMMEDIATE', mode);
    const [stopped, later] = [insert(first, 'stopped'), insert(second, 'later')];
    stopped.catch(() => undefined);
    await isShown();
    workStatus.stop(workStatus.read()[0]!.id);
    await expect(stopped).rejects.toMatchObject({ code: 'stopped', message: expect.stringContaining('Nothing was') });
    await runIn(other!, 'COMMIT');
    await later;
    expect(await rows()).toEqual([['later']]);
  });

  it('holds up no other file', async () => {
    databases.join(first, 'b.db');
    await work(first, 'write', (connection) => connection.run('CREATE TABLE t(a)'), 'b.db');
    const insertsMs = async (): Promise<number> => {
      const startedAtMs = performance.now();
      for (let time = 0; time < 20; time++)
        await work(first, 'write', (connection) => connection.run('INSERT INTO t VALUES (1)'), 'b.db');
      return performance.now() - startedAtMs;
    };
    const aloneMs = await insertsMs();
    await lockedBy('BEGIN IMMEDIATE', mode);
    const waiting = insert(first, 'one');
    await isShown();
    // Compared with the same work on the same machine: how long it takes depends on what else runs.
    expect(await insertsMs()).toBeLessThan(10 * aloneMs + 1000);
    await runIn(other!, 'COMMIT');
    await waiting;
  });

  it('ends the waiting of a window that is closed', async () => {
    await lockedBy('BEGIN IMMEDIATE', mode);
    const [closed, later] = [insert(first, 'closed'), insert(second, 'later')];
    closed.catch(() => undefined);
    await isShown();
    databases.leaveAll(first);
    await expect(closed).rejects.toMatchObject({ code: 'disconnected' });
    await runIn(other!, 'COMMIT');
    await later;
    databases.join(first, 'a.db');
    expect(await rows()).toEqual([['later']]);
  });
});

it('a file that is locked for reading too is waited for by reads', async () => {
  await lockedBy('BEGIN EXCLUSIVE', 'delete');
  const reading = rows();
  await isShown();
  await runIn(other!, 'COMMIT');
  expect(await reading).toEqual([]);
});

it('a reader of another program is in the way of a rollback journal, and waited for', async () => {
  await lockedBy('INSERT INTO t VALUES (0); BEGIN; SELECT * FROM t', 'delete');
  await runIn(other!, 'CREATE TEMP TABLE mine AS SELECT * FROM t');
  const writing = insert(first, 'one');
  await isShown();
  await runIn(other!, 'ROLLBACK');
  await writing;
  expect(await rows()).toEqual([[0], ['one']]);
});

it('a script that meets the lock inside its own transaction goes on with the same statement', async () => {
  await lockedBy('SELECT 1');
  const database = databases.of(first, 'a.db');
  const run = (sql: string): Promise<number | null> => {
    const query = new QueryRun(database, first, { sql }, () => undefined);
    return database.enqueue({
      window: first,
      kind: 'write',
      title: sql,
      body: (turn) => query.statements(turn, 0, 'write'),
    });
  };
  await run('BEGIN');
  await runIn(other!, 'BEGIN IMMEDIATE');
  const writing = run("INSERT INTO t VALUES ('one'); INSERT INTO t VALUES ('two'); COMMIT");
  await isShown();
  await runIn(other!, 'COMMIT');
  await writing;
  expect(await rows()).toEqual([['one'], ['two']]);
});

describe.each(['wal', 'delete'])('with a timeout (%s)', (mode) => {
  it('work that would wait longer fails with `locked`, and what follows is tried again', async () => {
    databases = openAll(200);
    await lockedBy('BEGIN IMMEDIATE', mode);
    await expect(insert(first, 'never')).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringMatching(/still locked by .*Nothing was changed/),
    });
    // A program that is being terminated still has its lock.
    const ended = once(other!, 'exit');
    other!.kill('SIGKILL');
    await ended;
    await insert(first, 'later');
    expect(await rows()).toEqual([['later']]);
  });

  it('work that waits behind other work of the same process is not impatient', async () => {
    databases = openAll(200);
    for (const window of [first, second]) databases.join(window, 'a.db');
    await work(first, 'write', (connection) => connection.run('CREATE TABLE t(a)'));
    const slow = databases.of(first, 'a.db').enqueue({
      window: first,
      kind: 'write',
      title: 'Slow',
      *body({ connection }) {
        connection.run('BEGIN IMMEDIATE');
        const until = performance.now() + 600;
        while (performance.now() < until) yield 'between' as const;
        connection.run('COMMIT');
      },
    });
    await Promise.all([slow, insert(second, 'after')]);
    expect(await rows()).toEqual([['after']]);
  });
});

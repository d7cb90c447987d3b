// Tests what windows meet when the disk below their databases is full or broken: refusals, not wrong answers, and a way out.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DatabaseState } from '#shared/protocol/session.ts';
import { fakeClock } from '../../../sessions/fake-clock.test-suite.ts';
import { OpenDatabases } from '../../../sessions/open-databases.ts';
import { ClientWindow } from '../../../sessions/window-session.ts';
import { WorkMonitor } from '../../../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../../../threads/work-status-buffer.ts';
import { FaultLab } from './lab.test-suite.ts';

const ENTRY = { name: 'Test', lastUsedAtMs: 0, durability: 'full' as const, source: null };

let lab: FaultLab;
beforeAll(async () => {
  lab = await FaultLab.open();
});

function start() {
  lab.disk.start(null, 0);
  const clock = fakeClock();
  const states: DatabaseState[] = [];
  const databases = new OpenDatabases(
    {
      clock,
      monitor: new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined),
      entryOf: (id) => ({ ...ENTRY, id }),
      onChanges: () => undefined,
      onStateChanged: (_id, state) => states.push(state),
    },
    (id) => lab.connect('full', `/${id}.sqlite3`),
  );
  const window = (name: string): ClientWindow => {
    const made = new ClientWindow(name, () => undefined);
    made.introduce(`Window ${name}`);
    return made;
  };
  const run = (by: ClientWindow, id: string, sql: string): Promise<unknown> =>
    databases
      .of(by, id)
      .enqueue({ window: by, kind: 'write', title: sql, body: ({ connection }) => connection.run(sql) });
  const count = (by: ClientWindow, id: string): Promise<unknown> =>
    databases.of(by, id).enqueue({
      window: by,
      kind: 'read',
      title: 'count',
      body: ({ connection }) => connection.one('SELECT count(*) FROM t')?.[0],
    });
  return { states, databases, one: window('1'), two: window('2'), run, count };
}

let at: ReturnType<typeof start>;
beforeEach(async () => {
  at = start();
  at.databases.join(at.one, 'a');
  await at.run(at.one, 'a', 'CREATE TABLE t (v)');
  await at.run(at.one, 'a', 'INSERT INTO t VALUES (1)');
});

describe.each([
  ['full', 'full', 'is full'],
  ['broken', 'io', 'failed on the disk'],
] as const)('a disk that is %s', (state, code, why) => {
  test('refuses writing and says why, is read as before, and is written again once it works', async () => {
    lab.disk.fail(state);
    await expect(at.run(at.one, 'a', 'INSERT INTO t VALUES (2)')).rejects.toMatchObject({ code });
    expect(at.states.at(-1)).toMatchObject({ writable: false, why: expect.stringContaining(why) });
    expect(await at.count(at.one, 'a')).toBe(1);
    lab.disk.repair();
    await at.run(at.one, 'a', 'INSERT INTO t VALUES (2)');
    expect(at.states.at(-1)).toMatchObject({ writable: true, why: null });
    expect(await at.count(at.one, 'a')).toBe(2);
  });

  test('does not keep a window from letting go of all its databases, and loses nothing of them', async () => {
    at.databases.join(at.one, 'b');
    at.databases.join(at.two, 'b');
    await at.run(at.one, 'b', 'CREATE TABLE t (v)');
    await at.run(at.one, 'b', 'BEGIN');
    lab.disk.fail(state);
    expect(() => at.databases.leaveAll(at.one)).not.toThrow();
    expect(at.databases.find('a')).toBeNull();
    lab.disk.repair();
    await at.run(at.two, 'b', 'INSERT INTO t VALUES (1)');
    at.databases.join(at.two, 'a');
    expect(await at.count(at.two, 'a')).toBe(1);
  });

  test('does not keep the app from closing everything', () => {
    at.databases.join(at.two, 'b');
    lab.disk.fail(state);
    expect(() => at.databases.closeAll()).not.toThrow();
    expect([at.databases.find('a'), at.databases.find('b')]).toEqual([null, null]);
  });
});

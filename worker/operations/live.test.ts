// Live results: run again after commits that concern them, only while seen, within limits; paused, failed, refreshed.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LiveStatus } from '#shared/protocol/live.ts';
import type { QueryChunk } from '#shared/protocol/query.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { OpenDatabase } from '../sessions/database-session.ts';
import { Follower } from '../live/follower.test-suite.ts';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';
import type { DatabaseFixture, TestWindow } from './database-fixture.test-suite.ts';

const SETUP = `CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 1, 'x'), (2, 2, 'y'), (3, 3, 'z');
  CREATE TABLE other(x); INSERT INTO other VALUES (1)`;
/** Takes seconds unless it is stopped. */
const SLOW = 'SELECT count(*) + (SELECT sum(a) FROM t) * 0 FROM n';
const withNumbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count} * (SELECT max(a) FROM t)) ${SLOW}`;

let fixture: DatabaseFixture;
let writer: TestWindow;
beforeEach(() => {
  fixture = openFixture(SETUP);
  writer = fixture.newWindow('Writer');
});
afterEach(() => fixture.close());

const write = (sql: string) => writer.call('query.run', { sql });

async function live(sql: string, params: Value[] = [], limitMs: number | null = null): Promise<Follower> {
  const { reader } = await fixture.window.call('live.open', { sql, params, limitMs });
  return Follower.on(fixture.window, reader, { start: 0, count: 10 });
}

async function result(sql: string): Promise<ReaderId> {
  const chunks: QueryChunk[] = [];
  await fixture.window.call('query.run', { sql }, chunks);
  return chunks.flat().find((event) => event.kind === 'result')!.reader.reader;
}

function lastStatus(): LiveStatus {
  return fixture.window.events.filter(({ topic }) => topic === 'live.stateChanged').at(-1)!.value as LiveStatus;
}

test('a live result follows what it reads, and is left alone by everything else', async () => {
  const shown = await live('SELECT b, sum(a) FROM t WHERE a < ? GROUP BY b', [10]);
  await write('UPDATE t SET a = 5 WHERE id = 2');
  await expect
    .poll(() => shown.rows)
    .toEqual([
      ['x', 1],
      ['y', 5],
      ['z', 3],
    ]);
  await shown.settled();
  expect(await shown.counters()).toMatchObject({ runs: 1, patches: 1 });
  await write('INSERT INTO other VALUES (2)');
  await write('UPDATE other SET x = 9');
  await shown.settled();
  expect(await shown.counters()).toMatchObject({ runs: 1, skips: 2 });
});

test('a run with the same rows sends nothing', async () => {
  const shown = await live('SELECT count(*) > 0 FROM t');
  await write("INSERT INTO t VALUES (4, 4, '')");
  await shown.settled();
  expect(await shown.counters()).toMatchObject({ runs: 1, unchanged: 1, patches: 0 });
});

test.each<{ sql: string; params: Value[]; own: string; pinned: boolean }>([
  { sql: 'SELECT * FROM t WHERE id = ?', params: [2], own: 'id = 2', pinned: true },
  { sql: 'SELECT b, a + 1 FROM t WHERE rowid = 2', params: [], own: 'id = 2', pinned: true },
  { sql: 'SELECT a FROM t WHERE id = ?', params: ['2'], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id = ? + 0', params: [2], own: 'id = 2', pinned: false },
  { sql: 'SELECT upper(b) FROM t WHERE id = ?2 AND a > ?1 LIMIT 1', params: [0, 2], own: 'id = 2', pinned: true },
  { sql: 'SELECT a FROM t WHERE id = CASE WHEN ? THEN 2 ELSE 1 + 1 END', params: [0], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id = coalesce(?, 1 + 1)', params: [null], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id = ? OR id = 1', params: [2], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id >= ?', params: [2], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE a = ?', params: [2], own: 'id = 2', pinned: false },
  { sql: 'SELECT (SELECT max(a) FROM t) FROM t WHERE id = ?', params: [2], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id BETWEEN ? AND 2', params: [2], own: 'id = 2', pinned: true },
  { sql: 'SELECT a FROM t WHERE id > 1 AND id < ? ORDER BY b', params: [3], own: 'id = 2', pinned: true },
  { sql: 'SELECT a FROM t WHERE id <= 2 AND id > 1 ORDER BY id DESC LIMIT 1', params: [], own: 'id = 2', pinned: true },
  { sql: 'SELECT a FROM t WHERE id >= 2 AND id < 3 AND a > ?', params: [0], own: 'id = 2', pinned: true },
  { sql: 'SELECT a FROM t WHERE id > 1.5 AND id < 2.5', params: [], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id BETWEEN 2 AND ?', params: ['2'], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id < 3', params: [], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id BETWEEN 2 AND 2 OR a = 2', params: [], own: 'id = 2', pinned: false },
  { sql: 'SELECT a FROM t WHERE id > 1 AND id < (SELECT 3 FROM t)', params: [], own: 'id = 2', pinned: false },
])('a query of certain rows is run for these only: $sql $params', async ({ sql, params, own, pinned }) => {
  const shown = await live(sql, params);
  await write("UPDATE t SET a = 7 WHERE id = 3; DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (8, 8, '')");
  await shown.settled();
  expect((await shown.counters()).runs === 0).toBe(pinned);
  await write(`UPDATE t SET a = 70, b = 'new' WHERE ${own}`);
  await expect.poll(() => shown.rows).toEqual(fixture.connection.all(sql, params));
  await write('UPDATE t SET id = 20 WHERE id = 2');
  await expect.poll(() => shown.rows).toEqual(fixture.connection.all(sql, params));
});

test('hidden: nothing runs, the result grows old; shown again it is new', async () => {
  const shown = await live('SELECT a FROM t');
  await shown.hide();
  await write('DELETE FROM t WHERE id < 3');
  expect(await shown.counters()).toMatchObject({ runs: 0 });
  await shown.watch({ start: 0, count: 10 });
  await expect.poll(() => shown.rows).toEqual([[3]]);
});

test('the result of a script is made live, paused, refreshed', async () => {
  const reader = await result('SELECT max(a) FROM t');
  const shown = await Follower.on(fixture.window, reader, { start: 0, count: 10 });
  await write('UPDATE t SET a = 30 WHERE id = 3');
  await shown.settled();
  expect(shown.rows).toEqual([[3]]);
  const set = (action: 'start' | 'pause' | 'refresh') => fixture.window.call('live.set', { reader, action });
  expect(await set('start')).toMatchObject({ reader, state: 'live' });
  await expect.poll(() => shown.rows).toEqual([[30]]);
  await write('UPDATE t SET a = 31 WHERE id = 3');
  await expect.poll(() => shown.rows).toEqual([[31]]);
  expect(await set('pause')).toMatchObject({ state: 'paused', stale: false, rows: 1 });
  await write('UPDATE t SET a = 32 WHERE id = 3');
  await expect.poll(() => lastStatus()).toMatchObject({ state: 'paused', stale: true });
  expect(shown.rows).toEqual([[31]]);
  expect(await set('refresh')).toMatchObject({ state: 'paused', stale: false });
  await expect.poll(() => shown.rows).toEqual([[32]]);
});

describe('the result of a statement that becomes live', () => {
  const start = (reader: ReaderId) => fixture.window.call('live.set', { reader, action: 'start' });
  const shownOf = (reader: ReaderId) => Follower.on(fixture.window, reader, { start: 0, count: 10 });

  test('is not run again when nothing was committed since', async () => {
    const shown = await shownOf(await result('SELECT a FROM t'));
    expect(await start(shown.reader)).toMatchObject({ state: 'live', stale: false });
    await shown.settled();
    expect(await shown.counters()).toMatchObject({ runs: 0, state: 'live' });
    await write('UPDATE t SET a = 4 WHERE id = 3');
    await expect.poll(() => shown.rows).toEqual([[1], [2], [4]]);
  });

  test('shows a commit from before it was live', async () => {
    const shown = await shownOf(await result('SELECT a FROM t'));
    await write('UPDATE t SET a = 4 WHERE id = 3');
    await start(shown.reader);
    await expect.poll(() => shown.rows).toEqual([[1], [2], [4]]);
  });

  test('does not keep what was rolled back', async () => {
    const shown = await shownOf(await result('BEGIN; UPDATE t SET a = 4; SELECT a FROM t; ROLLBACK'));
    expect(shown.rows).toEqual([[4], [4], [4]]);
    await start(shown.reader);
    await expect.poll(() => shown.rows).toEqual([[1], [2], [3]]);
  });
});

test('what cannot be live says so', async () => {
  const start = async (reader: ReaderId) => failureOf(fixture.window.call('live.set', { reader, action: 'start' }));
  expect((await start(await result('INSERT INTO other VALUES (3) RETURNING x'))).code).toBe('invalid');
  expect((await start(await result('PRAGMA page_size'))).code).toBe('invalid');
  const table = await fixture.window.call('rows.open', { table: 't', sort: [], filter: [] });
  expect((await start(table.reader)).code).toBe('invalid');
  const open = (sql: string) => failureOf(fixture.window.call('live.open', { sql, params: [], limitMs: null }));
  expect((await open('DELETE FROM t')).code).toBe('invalid');
  expect((await open('SELECT nope FROM t')).code).toBe('sql');
  await fixture.window.call('query.run', { sql: 'CREATE TEMP TABLE mine(a)' });
  expect((await open('SELECT * FROM mine')).code).toBe('invalid');
  expect((await open('SELECT * FROM t WHERE a IN (SELECT a FROM mine)')).code).toBe('invalid');
  expect((await start(await result('SELECT * FROM mine'))).code).toBe('invalid');
});

test('a query that no longer runs keeps its rows and says why; it follows again once it runs', async () => {
  const shown = await live('SELECT a FROM t');
  await write('ALTER TABLE t RENAME COLUMN a TO c');
  await expect.poll(() => lastStatus()).toMatchObject({ state: 'failed', stale: true });
  expect(lastStatus().why).toContain('no column named “a”');
  expect(shown.rows).toEqual([[1], [2], [3]]);
  await write('ALTER TABLE t RENAME COLUMN c TO a; DELETE FROM t WHERE id = 1');
  await expect.poll(() => shown.rows).toEqual([[2], [3]]);
  await expect.poll(() => lastStatus()).toMatchObject({ state: 'live', stale: false, why: null });
});

test('other columns: the rows from before stay, and it asks to be run again', async () => {
  const shown = await live('SELECT * FROM other');
  await write('ALTER TABLE other ADD COLUMN y');
  await expect.poll(() => lastStatus()).toMatchObject({ state: 'failed' });
  expect(lastStatus().why).toContain('different columns');
  expect(shown.rows).toEqual([[1]]);
});

test('past its limit a run is stopped, and it is not run again until it is told to', async () => {
  const shown = await live(withNumbers(10), [], 100);
  await write('UPDATE t SET a = 30000000 WHERE id = 3');
  await expect.poll(() => lastStatus()).toMatchObject({ state: 'too-slow', stale: true });
  expect(lastStatus().runMs).toBeLessThan(3000);
  expect(shown.rows).toEqual([[30]]);
  await shown.settled();
  const { runs } = await shown.counters();
  await write('UPDATE t SET a = 4 WHERE id = 3');
  await shown.settled();
  expect((await shown.counters()).runs).toBe(runs);
  await fixture.window.call('live.set', { reader: shown.reader, action: 'start' });
  await expect.poll(() => shown.rows).toEqual([[40]]);
});

test('a first run past its limit opens with what there is', async () => {
  await write('UPDATE t SET a = 30000000 WHERE id = 3');
  const shown = await live(withNumbers(10), [], 60);
  expect(shown.rows).toEqual([]);
  await expect.poll(() => lastStatus()).toMatchObject({ state: 'too-slow', stale: true });
});

test('a run that is held up before its statement begins, and then stopped at its limit, is too slow and not paused', async () => {
  const shown = await live(withNumbers(10), [], null);
  const limitMs = 400;
  await fixture.window.call('live.set', { reader: shown.reader, action: 'start', limitMs });
  const enqueue = OpenDatabase.prototype.enqueue;
  vi.spyOn(OpenDatabase.prototype, 'enqueue').mockImplementation(function (this: OpenDatabase, request) {
    if (request.limitMs !== limitMs) return enqueue.call(this, request);
    return enqueue.call(this, { ...request, body: (turn) => (holdUp(limitMs), request.body(turn)) });
  });
  await write('UPDATE t SET a = 30000000 WHERE id = 3');
  await expect.poll(() => lastStatus()).toMatchObject({ stale: true, state: expect.not.stringMatching('live') });
  expect(lastStatus().state).toBe('too-slow');
  expect(shown.rows).toEqual([[30]]);
});

/** Blocks like another program that occupies the processor. */
function holdUp(ms: number): void {
  for (const endsAt = performance.now() + ms; performance.now() < endsAt;);
}

test('a slow query rests between runs twice as long as they take', async () => {
  const query = withNumbers(20_000);
  const shown = await live(query);
  const began = performance.now();
  let runs = 0;
  for (let writes = 0; runs < 5; writes++) {
    // Each write in its own message, like those from windows.
    await new Promise((resolve) => setImmediate(resolve));
    await write(`UPDATE t SET a = 3 + (${writes} % 2) * 0.5 WHERE id = 3`);
    ({ runs } = await shown.counters());
  }
  const elapsedMs = performance.now() - began;
  const times = fixture.window.events
    .filter(({ topic }) => topic === 'live.stateChanged')
    .map(({ value }) => (value as LiveStatus).runMs)
    .filter((ms) => ms > 0);
  // Four rests lie between five runs.
  expect(elapsedMs).toBeGreaterThan(4 * 2 * Math.min(...times));
  await expect.poll(() => shown.rows).toEqual(fixture.connection.all(query));
});

import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import type { QueryChunk } from '#shared/protocol/query.ts';
import { openFixture } from '../operations/database-fixture.test-suite.ts';
import type { DatabaseFixture } from '../operations/database-fixture.test-suite.ts';
import { createClock } from '../sessions/clock.ts';

const ROWS = 4_000;
const INSERTS = Array.from({ length: ROWS }, (_, id) => `INSERT INTO t VALUES (${id}, 'text ${id}');`).join('\n');

let fixture: DatabaseFixture;
afterEach(() => fixture.close());

/** A clock that goes on by `stepMs` whenever it is read. Returns how often it was. */
function countReads(stepMs: number): () => number {
  let reads = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => ++reads * stepMs);
  onTestFinished(() => spy.mockRestore());
  return () => reads;
}

async function run(sql: string) {
  const chunks: QueryChunk[] = [];
  const reply = await fixture.window.call('query.run', { sql }, chunks);
  return { reply, done: chunks.flat().filter((event) => event.kind === 'done') };
}

it('reads the clock once for many short statements of a transaction', async () => {
  fixture = openFixture('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  const reads = countReads(0.001);
  await run(`BEGIN; ${INSERTS} COMMIT`);
  expect(reads()).toBeLessThan(ROWS / 4);
});

it('reads it after each statement that took long', async () => {
  fixture = openFixture('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  const reads = countReads(1);
  await run(`BEGIN; ${INSERTS} COMMIT`);
  expect(reads()).toBeGreaterThan(ROWS);
});

it('reads it after each statement that commits', async () => {
  fixture = openFixture('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  const reads = countReads(0.001);
  await run(INSERTS);
  expect(reads()).toBeGreaterThan(ROWS);
});

it('counts the time of statements that are not reported in the sum, and not for the next one that is', async () => {
  fixture = openFixture('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  const { connection } = fixture;
  const before = connection.totalChanges;
  // Only inserting takes time.
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => (connection.totalChanges - before) / 100);
  onTestFinished(() => spy.mockRestore());
  const { reply, done } = await run(`BEGIN; ${INSERTS} SELECT 1; COMMIT`);
  expect(done).toHaveLength(101);
  expect(done.at(-1)).toMatchObject({ statement: ROWS + 1, rows: 1, timeMs: 0 });
  expect(reply.timeMs).toBeCloseTo(ROWS / 100);
});

it('reads no clock in SQLite’s progress handler for a limit there is none of', async () => {
  let reads = 0;
  const clock = createClock();
  fixture = openFixture('', { ...clock, now: () => (reads++, clock.now()) });
  await run('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) FROM n');
  // It is called some 13,000 times.
  expect(reads).toBeLessThan(4_000);
});

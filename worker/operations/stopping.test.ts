import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AppError } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { failureOf, openFixture } from './database-fixture.test-suite.ts';
import type { DatabaseFixture } from './database-fixture.test-suite.ts';

const ROWS = 200_000;
const ENDLESS = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)';
const SLOW = 'length(hex(randomblob(300)))';
let fixture: DatabaseFixture;

beforeEach(() => {
  fixture = openFixture(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, a);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS}) INSERT INTO t SELECT i, i % 77 FROM n`);
});
afterEach(() => fixture.close());

const run = (sql: string): Promise<unknown> => fixture.window.call('query.run', { sql });

/** Calls `onProgress` whenever a statement reports its progress, that is, while it runs. */
function watchProgress(onProgress: (progress: Progress, id: number) => void): void {
  const { post } = fixture.workStatus;
  fixture.workStatus.post = (work) => {
    const place = post.call(fixture.workStatus, work)!;
    const { show } = place;
    place.show = (progress) => {
      show.call(place, progress);
      onProgress(progress, work.id);
    };
    return place;
  };
}

async function stopped(sql: string): Promise<AppError> {
  watchProgress((_progress, id) => fixture.workStatus.stop(id));
  const error = await failureOf(run(sql));
  expect(error.code).toBe('stopped');
  return error;
}

const count = (): unknown => fixture.connection.one('SELECT count(*) FROM t')![0];

describe('what a stop did is said', () => {
  test('a read by itself', async () => {
    expect((await stopped(`${ENDLESS} SELECT max(x) FROM c`)).message).toBe('Stopped.');
  });

  test('a write by itself: nothing of it is kept', async () => {
    const error = await stopped(`UPDATE t SET a = ${SLOW}`);
    expect(error.message).toBe('Stopped. Nothing of this statement was kept.');
    expect(fixture.connection.one('SELECT sum(a = id % 77) FROM t')![0]).toBe(ROWS);
  });

  test('the statements before it stand', async () => {
    const error = await stopped("INSERT INTO t (a) VALUES ('kept'); UPDATE t SET a = " + SLOW);
    expect(error.message).toBe('Stopped. Nothing of this statement was kept. The statement before it is kept.');
    expect(count()).toBe(ROWS + 1);
  });

  test('a read in an open transaction: the transaction stays', async () => {
    await run("BEGIN; INSERT INTO t (a) VALUES ('mine')");
    const error = await stopped(`${ENDLESS} SELECT max(x) FROM c`);
    expect(error.message).toContain('The transaction is still open');
    expect(fixture.connection.autocommit).toBe(false);
    await run('COMMIT');
    expect(count()).toBe(ROWS + 1);
  });

  test('a write in an open transaction: SQLite rolls all of it back', async () => {
    await run("BEGIN; INSERT INTO t (a) VALUES ('mine')");
    const error = await stopped(`UPDATE t SET a = ${SLOW}`);
    expect(error.message).toContain('rolled back the whole open transaction');
    expect(fixture.connection.autocommit).toBe(true);
    expect(fixture.database.state.transaction).toBeNull();
    expect(count()).toBe(ROWS);
  });

  test('a savepoint is a transaction, too', async () => {
    const error = await stopped('SAVEPOINT s; UPDATE t SET a = ' + SLOW);
    expect(error.message).toContain('rolled back the whole open transaction');
    expect(fixture.connection.autocommit).toBe(true);
  });
});

describe('how far a statement is', () => {
  async function progressOf(sql: string): Promise<Progress[]> {
    const seen: Progress[] = [];
    watchProgress((progress) => seen.push(progress));
    await run(sql);
    return seen;
  }

  test.each([
    `UPDATE t SET a = ${SLOW}`,
    `DELETE FROM t WHERE ${SLOW} > 0`,
    `SELECT count(*) FROM t WHERE ${SLOW} + a < 0`,
    `SELECT a, count(*) FROM t WHERE ${SLOW} > 0 GROUP BY a`,
  ])('%s', async (sql) => {
    const seen = await progressOf(sql);
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every(({ unit, phase }) => unit === 'rows' && phase === 'Reading')).toBe(true);
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b));
  });

  test.each([
    [`SELECT count(*) FROM t WHERE ${SLOW} + a < 0`, ROWS],
    [`UPDATE t SET a = ${SLOW}`, ROWS],
    [`DELETE FROM t WHERE ${SLOW} > 0`, ROWS],
    [`CREATE INDEX slow ON t (a) WHERE abs(${'abs('.repeat(60)}a${')'.repeat(60)}) >= 0`, 2 * ROWS],
  ])('of what is about one table it is known how far it has to go: %.40s', async (sql, rows) => {
    const seen = await progressOf(sql);
    expect(seen[0]).toMatchObject({ total: rows });
    expect(seen.every(({ done, total }) => done <= total!)).toBe(true);
  });
});

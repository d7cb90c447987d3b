// Tests that the rows on screen follow every commit through patches of the differences, and that unaffected rows are not read again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFixture } from '../operations/database-fixture.test-suite.ts';
import type { DatabaseFixture, TestWindow } from '../operations/database-fixture.test-suite.ts';
import { Follower } from './follower.test-suite.ts';

const SETUP = `
  CREATE TABLE t(id INTEGER PRIMARY KEY, a, b); CREATE TABLE other(x);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT i * 10, i, 'row ' || i FROM n;
  CREATE TABLE w(k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4);
`;
const WHOLE = { sort: [], filter: [] };

let fixture: DatabaseFixture;
let writer: TestWindow;
beforeEach(() => {
  fixture = openFixture(SETUP);
  writer = fixture.newWindow('Writer');
});
afterEach(() => fixture.close());

const write = (sql: string) => writer.call('query.run', { sql });

async function follow(start = 0, count = 5, options: { table?: string; sort?: string } = {}): Promise<Follower> {
  const { reader } = await fixture.window.call('rows.open', {
    table: options.table ?? 't',
    ...WHOLE,
    sort: options.sort === undefined ? [] : [{ column: options.sort, descending: false }],
  });
  return Follower.on(fixture.window, reader, { start, count });
}

describe('a watched range', () => {
  it('is patched by the row that was changed, alone', async () => {
    const shown = await follow();
    await write("UPDATE t SET b = 'new' WHERE id = 20");
    await shown.settled();
    const [patch] = shown.patches();
    expect([...patch!.origins]).toEqual([0, -1, 2, 3, 4]);
    expect(patch!.rows.rowCount).toBe(1);
    expect(shown.rows[1]).toEqual([20, 20, 2, 'new']);
  });

  it('takes rows that moved from where they were', async () => {
    const shown = await follow(1);
    await write('DELETE FROM t WHERE id = 30');
    await shown.settled();
    expect([...shown.patches()[0]!.origins]).toEqual([0, 2, 3, 4, -1]);
    await write("INSERT INTO t VALUES (25, 0, 'between')");
    await shown.settled();
    expect([...shown.patches()[1]!.origins]).toEqual([0, -1, 1, 2, 3]);
    expect(shown.rows.map(([id]) => id)).toEqual([20, 25, 40, 50, 60]);
    expect(shown.patches()[1]!.extent).toEqual({ rows: 100, exact: true });
  });

  it('shrinks and grows with its table', async () => {
    const shown = await follow(0, 6, { table: 'w' });
    await write("DELETE FROM w WHERE k <> 'b'");
    await shown.settled();
    expect(shown.rows).toEqual([['b', 2]]);
    await write("INSERT INTO w VALUES ('a', 9), ('z', 9)");
    await shown.settled();
    expect(shown.rows).toEqual([
      ['a', 9],
      ['b', 2],
      ['z', 9],
    ]);
  });

  it.each([
    { sql: 'INSERT INTO other VALUES (1)', why: 'another table' },
    { sql: 'UPDATE t SET a = a', why: 'the same values' },
    { sql: 'UPDATE t SET a = 0 WHERE id = 990', why: 'a row beyond it' },
    { sql: 'INSERT INTO t VALUES (5000, 1, 1), (77, 1, 1)', why: 'new rows behind it' },
    { sql: 'DELETE FROM t WHERE id > 500', why: 'rows taken behind it' },
  ])('is not read for $why', async ({ sql }) => {
    const shown = await follow();
    await write(sql);
    await shown.settled();
    expect(await shown.counters()).toMatchObject({ runs: 0, patches: 0 });
  });

  it('is sent nothing when all is taken back', async () => {
    const shown = await follow();
    await write('BEGIN; DELETE FROM t; ROLLBACK');
    await shown.settled();
    expect(shown.patches()).toEqual([]);
  });

  it('is not read for another row of a WITHOUT ROWID table, and is for its own', async () => {
    const shown = await follow(1, 2, { table: 'w' });
    await write("UPDATE w SET v = 7 WHERE k = 'd'");
    await shown.settled();
    expect(await shown.counters()).toMatchObject({ runs: 0, skips: 1 });
    await write("UPDATE w SET v = 7 WHERE k = 'c'");
    await shown.settled();
    expect(await shown.counters()).toMatchObject({ runs: 1, patches: 1 });
  });

  it('tells that the rest is old, and counts it, when only rows behind it came and went', async () => {
    const shown = await follow();
    await write('INSERT INTO t(a) VALUES (1), (2), (3)');
    await expect.poll(() => fixture.window.count('rows.changed')).toBe(1);
    const extents = fixture.window.events.filter(({ topic }) => topic === 'rows.extentChanged');
    expect(extents.at(-1)!.value).toEqual({ reader: shown.reader, rows: 103, exact: true });
    expect(await shown.counters()).toMatchObject({ runs: 0 });
  });

  it.each([1_500, 5_000, 60_000])('counts anew when %i rows behind it go at once', async (count) => {
    await write(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO t(a) SELECT i FROM n`,
    );
    const shown = await follow();
    const last = () => fixture.window.events.findLast(({ topic }) => topic === 'rows.extentChanged')?.value;
    if (!shown.extent.exact) await expect.poll(last).toEqual({ reader: shown.reader, rows: 100 + count, exact: true });
    await write('DELETE FROM t WHERE id > 1000');
    await expect.poll(last).toEqual({ reader: shown.reader, rows: 100, exact: true });
    expect(await shown.counters()).toMatchObject({ patches: 0 });
  });

  it('is checked once for changes that come in one frame', async () => {
    const shown = await follow();
    for (let i = 0; i < 50; i++) fixture.connection.run('UPDATE t SET a = ? WHERE id = 10', [i + 1000]);
    await shown.settled();
    expect((await shown.counters()).runs).toBeLessThanOrEqual(2);
    expect(shown.rows[0]![2]).toBe(1049);
  });

  it('costs nothing while it is hidden, and is whole when it is shown again', async () => {
    const shown = await follow();
    await shown.hide();
    await write('UPDATE t SET a = 0');
    await shown.settled();
    expect(await shown.counters()).toMatchObject({ runs: 0, patches: 0 });
    await shown.watch({ start: 0, count: 3 });
    expect(shown.rows.map((row) => row[2])).toEqual([0, 0, 0]);
    await write('UPDATE t SET a = 1 WHERE id = 20');
    await shown.settled();
    expect(shown.rows.map((row) => row[2])).toEqual([0, 1, 0]);
  });

  it('of a sorted table follows rows to their new places', async () => {
    const shown = await follow(0, 4, { sort: 'a' });
    await write('UPDATE t SET a = 2.5 WHERE id = 1000');
    await expect.poll(() => shown.rows.map(([id]) => id)).toEqual([10, 20, 1000, 30]);
    expect(shown.patches().reduce((sum, { rows }) => sum + rows.rowCount, 0)).toBe(1);
  });

  it('follows an open transaction of another window, and its end', async () => {
    const shown = await follow();
    await write("BEGIN; UPDATE t SET b = 'open' WHERE id = 10");
    await shown.settled();
    expect(shown.rows[0]![3]).toBe('open');
    await write('ROLLBACK');
    await shown.settled();
    expect(shown.rows[0]![3]).toBe('row 1');
  });

  it('keeps rows apart that only a long value, cut off, or its length tells apart', async () => {
    await write("INSERT INTO w VALUES ('long', zeroblob(5000))");
    const shown = await follow(4, 1, { table: 'w' });
    await write("UPDATE w SET v = zeroblob(5001) WHERE k = 'long'");
    await shown.settled();
    expect(shown.patches()).toHaveLength(1);
  });

  it('is measured: bytes and the time from the commit to the patch', async () => {
    const shown = await follow();
    await write('UPDATE t SET a = 0 WHERE id = 10');
    await shown.settled();
    const counters = await shown.counters();
    expect(counters).toMatchObject({ windowId: 'Window 1', title: 'Rows of t', patches: 1, unchanged: 0 });
    expect(counters.bytes).toBeGreaterThan(4 * 9);
    expect(counters.latencyP95Ms).toBeGreaterThan(0);
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryFixture, KEYED_TABLES } from './history-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';

describe.each(disks)('a dry run, $name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(KEYED_TABLES, disk);
  });
  afterEach(() => fixture.close());

  const counts = [
    { table: 't', inserted: 0, updated: 3, deleted: 0 },
    { table: 'log', inserted: 3, updated: 0, deleted: 0 },
  ];

  test('binds parameters, and is refused without their values', async () => {
    const sql = 'DELETE FROM t WHERE id = :id OR b = ?2';
    const before = fixture.dump;
    const failure = await failureOf(fixture.call('dryRun.start', { sql, parameters: { ':id': 1 } }));
    expect(failure).toMatchObject({ code: 'invalid', sqlite: { offset: sql.indexOf('?2') } });
    expect(fixture.dump).toBe(before);
    const parameters = { ':id': 1, '?2': 'y' };
    expect(await fixture.call('dryRun.start', { sql, parameters })).toMatchObject({ rows: 2 });
    await fixture.call('dryRun.finish', { keep: false });
  });

  test('shows what would change, triggers included, and is discarded or kept', async () => {
    const before = fixture.dump;
    const sql = "UPDATE t SET a = 'all'; INSERT INTO log VALUES ('mine')";
    const reply = await fixture.call('dryRun.start', { sql });
    expect(reply).toMatchObject({
      tables: [counts[0], { ...counts[1], inserted: 4 }],
      rows: 7,
      statements: 2,
      schema: false,
    });
    const page = await fixture.call('dryRun.rows', { start: 6, count: 10 });
    expect(page).toMatchObject({ total: 7, rows: [{ table: 'log', after: ['mine'] }] });
    await fixture.call('dryRun.finish', { keep: false });
    expect(fixture.dump).toBe(before);
    expect(fixture.state.steps).toBe(0);
    await fixture.call('dryRun.start', { sql });
    await fixture.call('dryRun.finish', { keep: true });
    expect((await fixture.steps())[0]).toMatchObject({
      title: sql,
      sql,
      tables: [counts[0], { ...counts[1], inserted: 4 }],
    });
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('counts the rows that it cannot list, because the schema would change', async () => {
    const sql = "UPDATE t SET a = 'all'; CREATE TABLE later (a)";
    expect(await fixture.call('dryRun.start', { sql })).toMatchObject({ tables: [], rows: 6, schema: true });
    expect(await fixture.call('dryRun.rows', { start: 0, count: 10 })).toEqual({ rows: [], total: 0 });
    await fixture.call('dryRun.finish', { keep: false });
  });

  test('of what an assistant proposes is one step under its title, and leaves nothing in the connection', async () => {
    const before = fixture.dump;
    for (const sql of ['PRAGMA ignore_check_constraints = 1', 'CREATE TEMP TABLE t (a)', 'SAVEPOINT a', 'ANALYZE'])
      expect(await failureOf(fixture.call('dryRun.start', { sql, proposed: true }))).toMatchObject({ code: 'invalid' });
    const sql = "UPDATE t SET a = 'all'; DELETE FROM log";
    expect(await fixture.call('dryRun.start', { sql, proposed: true, title: 'claude: all' })).toMatchObject({ schema: false }); // prettier-ignore
    await fixture.call('dryRun.finish', { keep: true });
    expect(await fixture.steps()).toMatchObject([{ title: 'claude: all', sql }]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('is rolled back by an error, by a window that closes, and holds off others', async () => {
    const before = fixture.dump;
    const failure = await failureOf(
      fixture.call('dryRun.start', { sql: "DELETE FROM w; INSERT INTO t (b) VALUES ('x')" }),
    );
    expect(failure).toMatchObject({ code: 'constraint', message: expect.stringContaining('rolled back') });
    expect(fixture.connection.autocommit).toBe(true);
    const other = fixture.newWindow('Window 2');
    await fixture.call('dryRun.start', { sql: 'DELETE FROM w' }, other);
    expect(await failureOf(fixture.run('DELETE FROM t'))).toMatchObject({ code: 'transaction-elsewhere' });
    expect(await failureOf(fixture.call('dryRun.rows', { start: 0, count: 1 }))).toMatchObject({ code: 'not-found' });
    fixture.leave(other);
    expect(fixture.dump).toBe(before);
    expect(await failureOf(fixture.call('dryRun.finish', { keep: true }))).toMatchObject({ code: 'not-found' });
  });

  test('takes nothing else in: other SQL of its window is refused until it is kept or discarded', async () => {
    const before = fixture.dump;
    await fixture.call('dryRun.start', { sql: 'DELETE FROM w' });
    for (const sql of ["INSERT INTO log VALUES ('theirs')", 'COMMIT', 'ROLLBACK'])
      expect(await failureOf(fixture.run(sql))).toMatchObject({ code: 'refused' });
    const edit = { table: 't', changes: [{ kind: 'delete', key: [1] }] } as const;
    expect(await failureOf(fixture.call('edit.apply', edit))).toMatchObject({ code: 'refused' });
    const discarded = fixture.call('dryRun.finish', { keep: false });
    const after = fixture.run("INSERT INTO log VALUES ('mine')");
    await Promise.all([discarded, after]);
    expect(fixture.connection.all('SELECT what FROM log')).toEqual([['mine']]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('can be kept at once, as one step', async () => {
    const before = fixture.dump;
    expect(await fixture.call('dryRun.start', { sql: 'DELETE FROM w', keep: true })).toMatchObject({ rows: 2 });
    expect(fixture.connection.autocommit).toBe(true);
    expect(await fixture.steps()).toMatchObject([{ title: 'DELETE FROM w' }]);
    const late = 'PRAGMA defer_foreign_keys = ON; INSERT INTO child (t) VALUES (99)';
    expect(await failureOf(fixture.call('dryRun.start', { sql: late, keep: true }))).toMatchObject({
      code: 'constraint',
    });
    expect(fixture.connection.autocommit).toBe(true);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('tells what a statement would set, and SQL sent meanwhile is no part of it', async () => {
    await fixture.run(
      "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t (id, a) SELECT i, 'x' FROM n",
    );
    const before = fixture.dump;
    const sql = "UPDATE t SET b = 'held' WHERE id = 2; UPDATE t SET a = upper(a), n = 5 WHERE id > 1";
    const tried = fixture.call('dryRun.updates', { sql, table: 't', columns: ['a', 'b'], maxRows: 5000 });
    const theirs = fixture.run("INSERT INTO log VALUES ('theirs')");
    const updates = await tried;
    await theirs;
    expect(updates).toHaveLength(2993);
    expect(updates.slice(0, 2)).toEqual([
      { key: [2], set: { b: 'held', a: 'TWO' }, base: { b: 'y', a: 'two' } },
      { key: [3], set: { a: 'THREE' }, base: { a: 'three' } },
    ]);
    expect(fixture.connection.all('SELECT what FROM log')).toEqual([['theirs']]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test.each([
    ['keys that change', 'UPDATE t SET id = id + 10, a = 1', 10, 'Keys'],
    ['more rows than may be', 'UPDATE t SET a = 1', 2, 'too many'],
  ])('what a statement would set is refused for %s', async (_what, sql, maxRows, words) => {
    const before = fixture.dump;
    const failure = await failureOf(fixture.call('dryRun.updates', { sql, table: 't', columns: ['a'], maxRows }));
    expect(failure).toMatchObject({ code: 'refused', message: expect.stringContaining(words) });
    expect(fixture.dump).toBe(before);
  });

  test('what a statement would set is refused where the history keeps less of one step, and says so', async () => {
    await fixture.run('UPDATE t SET a = zeroblob(800000)');
    await fixture.call('history.setLimits', { stepBytes: 2 ** 20, totalBytes: 2 ** 29 } as never);
    const before = fixture.dump;
    const sql = 'UPDATE t SET a = 1';
    const failure = await failureOf(fixture.call('dryRun.updates', { sql, table: 't', columns: ['a'], maxRows: 10 }));
    expect(failure).toMatchObject({ code: 'refused', message: expect.stringContaining('more than the history keeps') });
    expect(fixture.dump).toBe(before);
  });

  test.each(['BEGIN; DELETE FROM t', 'DELETE FROM t; COMMIT', 'VACUUM', "ATTACH ':memory:' AS a", 'rollback'])(
    'refuses %s',
    async (sql) => {
      expect(await failureOf(fixture.call('dryRun.start', { sql }))).toMatchObject({ code: 'invalid' });
    },
  );

  test('of a change of the schema says so, and can be kept and undone', async () => {
    const before = fixture.dump;
    expect(await fixture.call('dryRun.start', { sql: 'ALTER TABLE t ADD COLUMN c; DROP TABLE w' })).toMatchObject({
      schema: true,
    });
    await fixture.call('dryRun.finish', { keep: true });
    expect(fixture.connection.all("SELECT count(*) FROM pragma_table_info('w')")).toEqual([[0]]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });
});

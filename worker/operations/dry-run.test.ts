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

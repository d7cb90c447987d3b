import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryBench, KEYED_TABLES } from './history-bench.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { failureOf } from './test-bench.test-suite.ts';

describe.each(disks)('a dry run, $name', (disk) => {
  let bench: HistoryBench;
  beforeEach(() => {
    bench = new HistoryBench(KEYED_TABLES, disk);
  });
  afterEach(() => bench.close());

  const counts = [
    { table: 't', inserted: 0, updated: 3, deleted: 0 },
    { table: 'log', inserted: 3, updated: 0, deleted: 0 },
  ];

  test('shows what would change, triggers included, and is discarded or kept', async () => {
    const before = bench.dump;
    const sql = "UPDATE t SET a = 'all'; INSERT INTO log VALUES ('mine')";
    const reply = await bench.call('dryRun.start', { sql });
    expect(reply).toMatchObject({
      tables: [counts[0], { ...counts[1], inserted: 4 }],
      rows: 7,
      statements: 2,
      schema: false,
    });
    const page = await bench.call('dryRun.rows', { start: 6, count: 10 });
    expect(page).toMatchObject({ total: 7, rows: [{ table: 'log', after: ['mine'] }] });
    await bench.call('dryRun.finish', { keep: false });
    expect(bench.dump).toBe(before);
    expect(bench.state.steps).toBe(0);
    await bench.call('dryRun.start', { sql });
    await bench.call('dryRun.finish', { keep: true });
    expect((await bench.steps())[0]).toMatchObject({
      title: sql,
      sql,
      tables: [counts[0], { ...counts[1], inserted: 4 }],
    });
    await bench.undo();
    expect(bench.dump).toBe(before);
  });

  test('is rolled back by an error, by a window that closes, and holds off others', async () => {
    const before = bench.dump;
    const failure = await failureOf(
      bench.call('dryRun.start', { sql: "DELETE FROM w; INSERT INTO t (b) VALUES ('x')" }),
    );
    expect(failure).toMatchObject({ code: 'constraint', message: expect.stringContaining('rolled back') });
    expect(bench.connection.autocommit).toBe(true);
    const other = bench.newWindow('Window 2');
    await bench.call('dryRun.start', { sql: 'DELETE FROM w' }, other);
    expect(await failureOf(bench.run('DELETE FROM t'))).toMatchObject({ code: 'transaction-elsewhere' });
    expect(await failureOf(bench.call('dryRun.rows', { start: 0, count: 1 }))).toMatchObject({ code: 'not-found' });
    bench.leave(other);
    expect(bench.dump).toBe(before);
    expect(await failureOf(bench.call('dryRun.finish', { keep: true }))).toMatchObject({ code: 'not-found' });
  });

  test.each(['BEGIN; DELETE FROM t', 'DELETE FROM t; COMMIT', 'VACUUM', "ATTACH ':memory:' AS a", 'rollback'])(
    'refuses %s',
    async (sql) => {
      expect(await failureOf(bench.call('dryRun.start', { sql }))).toMatchObject({ code: 'invalid' });
    },
  );

  test('of a change of the schema says so, and can be kept and undone', async () => {
    const before = bench.dump;
    expect(await bench.call('dryRun.start', { sql: 'ALTER TABLE t ADD COLUMN c; DROP TABLE w' })).toMatchObject({
      schema: true,
    });
    await bench.call('dryRun.finish', { keep: true });
    expect(bench.connection.all("SELECT count(*) FROM pragma_table_info('w')")).toEqual([[0]]);
    await bench.undo();
    expect(bench.dump).toBe(before);
  });
});

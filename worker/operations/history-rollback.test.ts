// Work that is rolled back leaves no step, even where it was so large that SQLite wrote parts of it to the file.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';

const ROWS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)';

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture("CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'one')", disk);
  });
  afterEach(() => fixture.close());

  test.each([
    ['a schema change', `CREATE TABLE u AS ${ROWS} SELECT randomblob(1000) AS b FROM n`],
    ['rows', `${ROWS} INSERT INTO t (a) SELECT randomblob(1000) FROM n`],
  ])('%s: the steps before can be undone and made again, also after closing', async (_what, sql) => {
    await fixture.run("UPDATE t SET a = 'uno'");
    fixture.connection.run('PRAGMA cache_size = 10');
    const before = fixture.dump;
    await fixture.run(`BEGIN; ${sql}; ROLLBACK`);
    expect(fixture.dump).toBe(before);
    expect((await fixture.steps()).map(({ kind }) => kind)).toEqual(['rows']);
    fixture.reopen();
    expect((await fixture.steps()).map(({ kind }) => kind)).toEqual(['rows']);
    await fixture.undo();
    expect(fixture.connection.all('SELECT a FROM t')).toEqual([['one']]);
    await fixture.redo();
    expect(fixture.dump).toBe(before);
  });

  test('a schema change after it is a step', async () => {
    fixture.connection.run('PRAGMA cache_size = 10');
    const before = fixture.dump;
    await fixture.run(
      `BEGIN; CREATE TABLE u AS ${ROWS} SELECT randomblob(1000) AS b FROM n; ROLLBACK; CREATE TABLE v (x)`,
    );
    expect((await fixture.steps()).map(({ kind }) => kind)).toEqual(['snapshot']);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });
});

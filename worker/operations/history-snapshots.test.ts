import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryBench } from './history-bench.test-suite.ts';
import { disks, libraryDisk } from './history-disks.test-suite.ts';
import { failureOf } from './test-bench.test-suite.ts';

const MIB = 2 ** 20;
const BIG = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1500)
  INSERT INTO t (b) SELECT randomblob(1000) FROM n`;

describe.each(disks)('$name', (disk) => {
  let bench: HistoryBench;
  beforeEach(() => {
    bench = new HistoryBench(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2)",
      disk,
    );
  });
  afterEach(() => bench.close());

  const copies = (): readonly string[] =>
    bench.on.historyFiles().filter((name) => name.startsWith('/snapshot-') && !name.endsWith('-wal'));
  const limit = async (stepBytes: number, totalBytes = 512 * MIB) =>
    bench.call('history.setLimits', { stepBytes, totalBytes });

  describe.each([
    'ALTER TABLE t ADD COLUMN c DEFAULT 7',
    'CREATE TABLE u AS SELECT * FROM t; INSERT INTO u SELECT * FROM t; DROP TABLE t',
    'BEGIN; INSERT INTO t VALUES (3, 3, 3); CREATE INDEX i ON t (a); DELETE FROM t WHERE id = 1; COMMIT',
    'PRAGMA user_version = 7',
    'DELETE FROM t WHERE id = 1; VACUUM',
    'ALTER TABLE t RENAME TO s; CREATE VIRTUAL TABLE f USING fts5 (x); INSERT INTO f VALUES (1)',
  ])('%s', (sql) => {
    test('is taken back and made again with a copy of the database, also after closing', async () => {
      const before = bench.dump;
      const version = () => bench.connection.one('PRAGMA user_version');
      await bench.run(sql);
      const [after, versionAfter] = [bench.dump, version()];
      for (let round = 0; round < 2; round++) {
        while (bench.state.undo) await bench.undo();
        expect(bench.dump).toBe(before);
        expect(version()).toEqual([0]);
        bench.reopen();
        while (bench.state.redo) await bench.redo();
        expect(bench.dump).toBe(after);
        expect(version()).toEqual(versionAfter);
        bench.clock.advance(5000);
      }
      expect(bench.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
    });
  });

  describe('the copy that the first undo makes of what is there now', () => {
    let [before, after] = ['', ''];
    beforeEach(async () => {
      await bench.run(BIG);
      before = bench.dump;
      await bench.run('CREATE TABLE u (v)');
      after = bench.dump;
    });

    test('lets others read between its pieces, and write only when all is done', async () => {
      const other = bench.newWindow('Window 2');
      const order: string[] = [];
      await Promise.all([
        bench.undo().then(() => order.push('undone')),
        bench.run('INSERT INTO t VALUES (9001, 1, 1)', other).then(() => order.push('written')),
        bench.run('SELECT count(*) FROM u', other).then(() => order.push('read')),
      ]);
      expect(order).toEqual(['read', 'undone', 'written']);
      await bench.undo();
      expect(bench.dump).toBe(before);
    });

    test('can be stopped, and leaves nothing behind', async () => {
      const kept = copies();
      const undoing = failureOf(bench.undo());
      const reading = bench.run('SELECT count(*) FROM u', bench.newWindow('Window 2')).then(() => bench.cancelAll());
      expect(await undoing).toMatchObject({ code: 'stopped', message: 'Stopped. Everything is as it was before.' });
      await reading;
      expect(bench.dump).toBe(after);
      expect(copies()).toEqual(kept);
      await bench.undo();
      expect(bench.dump).toBe(before);
      await bench.redo();
      expect(bench.dump).toBe(after);
    });

    test('ends with the window that asked for it', async () => {
      const kept = copies();
      const other = bench.newWindow('Window 2');
      const undoing = failureOf(bench.call('history.undo', {}, other));
      await bench.run('SELECT count(*) FROM u');
      bench.leave(other);
      await undoing;
      expect(copies()).toEqual(kept);
      expect(bench.dump).toBe(after);
    });
  });

  test('a script that changes the schema is one step from there on, with one copy', async () => {
    await bench.run(
      "INSERT INTO t VALUES (3, 'three', 3); CREATE TABLE u (v); INSERT INTO u VALUES (1); CREATE INDEX i ON u (v)",
    );
    expect((await bench.steps()).map(({ kind }) => kind)).toEqual(['snapshot', 'rows']);
    expect(copies()).toHaveLength(1);
  });

  test('a copy for something that was rolled back does not stay', async () => {
    await bench.run('BEGIN; CREATE TABLE u (v); ROLLBACK');
    await failureOf(bench.run('CREATE TABLE t (v)'));
    expect(copies()).toEqual([]);
    expect(bench.state.steps).toBe(0);
  });

  describe('a database too large for a copy', () => {
    beforeEach(async () => {
      await bench.run(BIG);
      bench.clock.advance(5000);
      await limit(MIB);
    });

    test('is not changed in its schema before the person has agreed', async () => {
      const before = bench.dump;
      expect(await failureOf(bench.run('DELETE FROM t WHERE id = 1; DROP TABLE t'))).toMatchObject({
        code: 'not-undoable',
      });
      expect(bench.dump).toBe(before);
      // What the words of the text do not tell, the statement does.
      expect(await failureOf(bench.run('PRAGMA user_version = 3'))).toMatchObject({ code: 'not-undoable' });
      expect(bench.dump).toBe(before);
      await bench.run('CREATE TEMP TABLE mine (v); DROP TABLE temp.mine');
    });

    test('keeps a gap for what was agreed to, and nothing is undone across it', async () => {
      await bench.call('query.run', { sql: 'CREATE TABLE u (v); INSERT INTO u VALUES (1)', withoutUndo: true });
      const [gap] = await bench.steps();
      expect(gap).toMatchObject({
        kind: 'gap',
        title: 'CREATE TABLE u (v)',
        why: expect.stringContaining('larger than'),
      });
      expect(bench.state.undo).toBeNull();
      await bench.run('INSERT INTO u VALUES (2)');
      await bench.undo();
      const failure = await failureOf(bench.undo());
      expect(failure.code).toBe('not-found');
      expect(failure.message).toContain('larger than');
    });

    test('says which step undo ends at, before anything is tried', async () => {
      expect(bench.state.undoEnd).toBeNull();
      await bench.run('INSERT INTO t VALUES (9001, 1, 1)');
      const [below] = await bench.steps();
      await bench.call('query.run', { sql: 'CREATE TABLE u (v)', withoutUndo: true });
      const [gap] = await bench.steps();
      const end = { step: gap!.id, why: expect.stringMatching(/“CREATE TABLE u \(v\)”.*larger than/) };
      expect(bench.state.undoEnd).toEqual(end);
      for (let n = 1; n <= 3; n++) await bench.run(`INSERT INTO u VALUES (${n})`);
      await bench.undo();
      expect(bench.state.undoEnd).toEqual(end);
      bench.reopen();
      expect(bench.state.undoEnd).toEqual(end);
      const failure = await failureOf(bench.call('history.undoTo', { step: below!.id }));
      expect(failure).toMatchObject({ code: 'conflict', message: expect.stringContaining('Nothing was changed.') });
      expect(bench.connection.one('SELECT count(*) FROM u')).toEqual([2]);
      while (bench.state.undo) await bench.undo();
      expect(bench.connection.one('SELECT count(*) FROM u')).toEqual([0]);
      await bench.call('history.clear', {});
      expect(bench.state.undoEnd).toBeNull();
    });

    test('refuses a change past the budget, and rolls it back', async () => {
      const before = bench.dump;
      const failure = await failureOf(bench.run('UPDATE t SET b = randomblob(1000)'));
      expect(failure).toMatchObject({ code: 'not-undoable' });
      expect(bench.dump).toBe(before);
      await bench.call('query.run', { sql: 'UPDATE t SET b = NULL', withoutUndo: true });
      expect((await bench.steps())[0]).toMatchObject({ kind: 'gap' });
    });
  });

  test('a change past the budget in a small database is kept as a copy', async () => {
    await limit(MIB);
    const before = bench.dump;
    await bench.run(
      `BEGIN; ${BIG}; DELETE FROM t WHERE id > 2; ${BIG}; DELETE FROM t WHERE id > 2; ${BIG}; DELETE FROM t; COMMIT`,
    );
    expect((await bench.steps())[0]).toMatchObject({ kind: 'snapshot' });
    await bench.undo();
    expect(bench.dump).toBe(before);
  });

  describe('the size of the history', () => {
    test('has a limit: the oldest steps are forgotten at idle', async () => {
      for (let n = 0; n < 8; n++) await bench.run(`UPDATE t SET b = randomblob(100000) WHERE id = 1`);
      await limit(MIB, MIB);
      bench.clock.advance(5000);
      const steps = await bench.steps();
      expect(steps.length).toBeLessThan(6);
      expect(steps.length).toBeGreaterThan(1);
      expect(bench.state.sizeBytes).toBeLessThanOrEqual(MIB);
      for (const _ of steps) await bench.undo();
      expect(bench.state.undo).toBeNull();
    });

    test('counts copies, and takes their files away', async () => {
      for (let n = 0; n < 30; n++) await bench.run(`CREATE TABLE u${n} (v)`);
      expect(copies()).toHaveLength(24);
      await bench.call('history.clear', {});
      expect(copies()).toEqual([]);
      expect(bench.state).toMatchObject({ undo: null, steps: 0 });
      await bench.run('INSERT INTO t VALUES (9, 9, 9)');
      expect(bench.state.steps).toBe(1);
    });

    test.skipIf(disk !== libraryDisk)(
      'a copy takes the place of the oldest when there is no handle for it',
      async () => {
        for (let n = 0; n < 3; n++) await bench.run(`CREATE TABLE u${n} (v)`);
        bench.disk.slots = bench.disk.names.length;
        await bench.run('CREATE TABLE last (v)');
        // The oldest was one file, the new one is two: the log beside it.
        expect((await bench.steps()).map(({ title }) => title)).toEqual([
          'CREATE TABLE last (v)',
          'CREATE TABLE u2 (v)',
        ]);
        bench.disk.slots = Infinity;
      },
    );

    test('is checked before it is believed', async () => {
      expect(await failureOf(limit(1))).toMatchObject({ code: 'invalid' });
      expect(await failureOf(limit(Number.NaN))).toMatchObject({ code: 'invalid' });
      await limit(2 * MIB, 3 * MIB);
      bench.reopen();
      expect(bench.state.limits).toEqual({ stepBytes: 2 * MIB, totalBytes: 3 * MIB });
    });
  });
});

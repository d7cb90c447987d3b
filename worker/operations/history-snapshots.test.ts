import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { disks, libraryDisk } from './history-disks.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';

const MIB = 2 ** 20;
const BIG = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1500)
  INSERT INTO t (b) SELECT randomblob(1000) FROM n`;

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 'one', 1), (2, 'two', 2)",
      disk,
    );
  });
  afterEach(() => fixture.close());

  const copies = (): readonly string[] =>
    fixture.on.historyFiles().filter((name) => name.startsWith('/snapshot-') && !name.endsWith('-wal'));
  const limit = async (stepBytes: number, totalBytes = 512 * MIB) =>
    fixture.call('history.setLimits', { stepBytes, totalBytes });

  describe.each([
    'ALTER TABLE t ADD COLUMN c DEFAULT 7',
    'CREATE TABLE u AS SELECT * FROM t; INSERT INTO u SELECT * FROM t; DROP TABLE t',
    'BEGIN; INSERT INTO t VALUES (3, 3, 3); CREATE INDEX i ON t (a); DELETE FROM t WHERE id = 1; COMMIT',
    'PRAGMA user_version = 7',
    'DELETE FROM t WHERE id = 1; VACUUM',
    'ALTER TABLE t RENAME TO s; CREATE VIRTUAL TABLE f USING fts5 (x); INSERT INTO f VALUES (1)',
  ])('%s', (sql) => {
    test('is taken back and made again with a copy of the database, also after closing', async () => {
      const before = fixture.dump;
      const version = () => fixture.connection.one('PRAGMA user_version');
      await fixture.run(sql);
      const [after, versionAfter] = [fixture.dump, version()];
      for (let round = 0; round < 2; round++) {
        while (fixture.state.undo) await fixture.undo();
        expect(fixture.dump).toBe(before);
        expect(version()).toEqual([0]);
        fixture.reopen();
        while (fixture.state.redo) await fixture.redo();
        expect(fixture.dump).toBe(after);
        expect(version()).toEqual(versionAfter);
        fixture.clock.advance(5000);
      }
      expect(fixture.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
    });
  });

  describe('the copy that the first undo makes of what is there now', () => {
    let [before, after] = ['', ''];
    beforeEach(async () => {
      await fixture.run(BIG);
      before = fixture.dump;
      await fixture.run('CREATE TABLE u (v)');
      after = fixture.dump;
    });

    test('lets others read between its pieces, and write only when all is done', async () => {
      const other = fixture.newWindow('Window 2');
      const order: string[] = [];
      await Promise.all([
        fixture.undo().then(() => order.push('undone')),
        fixture.run('INSERT INTO t VALUES (9001, 1, 1)', other).then(() => order.push('written')),
        fixture.run('SELECT count(*) FROM u', other).then(() => order.push('read')),
      ]);
      expect(order).toEqual(['read', 'undone', 'written']);
      await fixture.undo();
      expect(fixture.dump).toBe(before);
    });

    test('can be stopped, and leaves nothing behind', async () => {
      const kept = copies();
      const undoing = failureOf(fixture.undo());
      const reading = fixture
        .run('SELECT count(*) FROM u', fixture.newWindow('Window 2'))
        .then(() => fixture.cancelAll());
      expect(await undoing).toMatchObject({ code: 'stopped', message: 'Stopped. Everything is as it was before.' });
      await reading;
      expect(fixture.dump).toBe(after);
      expect(copies()).toEqual(kept);
      await fixture.undo();
      expect(fixture.dump).toBe(before);
      await fixture.redo();
      expect(fixture.dump).toBe(after);
    });

    test('ends with the window that asked for it', async () => {
      const kept = copies();
      const other = fixture.newWindow('Window 2');
      const undoing = failureOf(fixture.call('history.undo', {}, other));
      await fixture.run('SELECT count(*) FROM u');
      fixture.leave(other);
      await undoing;
      expect(copies()).toEqual(kept);
      expect(fixture.dump).toBe(after);
    });
  });

  test('a script that changes the schema is one step from there on, with one copy', async () => {
    await fixture.run(
      "INSERT INTO t VALUES (3, 'three', 3); CREATE TABLE u (v); INSERT INTO u VALUES (1); CREATE INDEX i ON u (v)",
    );
    expect((await fixture.steps()).map(({ kind }) => kind)).toEqual(['snapshot', 'rows']);
    expect(copies()).toHaveLength(1);
  });

  test('what a script does behind its copy is counted instead of logged, and undone with it', async () => {
    const before = fixture.dump;
    const commits: boolean[] = [];
    // Changes of an open transaction that were shown before are published once more, without names.
    fixture.onChanged(({ tables, log, counted }) => {
      if (tables !== null) commits.push(log === null && counted !== undefined);
    });
    await fixture.run(
      `CREATE TABLE u (v); INSERT INTO u VALUES (1), (2); UPDATE u SET v = 3 WHERE v = 1;
       BEGIN; DELETE FROM t WHERE id = 1; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; COMMIT`,
    );
    const after = fixture.dump;
    expect(commits).toEqual([false, true, true, true]);
    expect(await fixture.steps()).toMatchObject([
      {
        kind: 'snapshot',
        tables: [
          { table: 'u', inserted: 2, updated: 1, deleted: 0 },
          { table: 't', inserted: 0, updated: 0, deleted: 1 },
        ],
      },
    ]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
    await fixture.redo();
    expect(fixture.dump).toBe(after);
    await fixture.run('INSERT INTO u VALUES (4)');
    expect(commits.at(-1)).toBe(false);
  });

  test('a transaction that such a script has begun belongs to its step, whoever goes on with it', async () => {
    const before = fixture.dump;
    await fixture.run('CREATE TABLE u (v); BEGIN; INSERT INTO u VALUES (1)');
    await fixture.run('INSERT INTO u VALUES (2), (3), (4)');
    await fixture.run('COMMIT');
    expect(await fixture.steps()).toMatchObject([
      { kind: 'snapshot', tables: [{ table: 'u', inserted: 4, updated: 0, deleted: 0 }] },
    ]);
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  test('without the step, a transaction that it would have undone is said not to be undoable', async () => {
    await fixture.run('CREATE TABLE u (v); BEGIN; INSERT INTO u VALUES (1)');
    fixture.history.clear();
    await fixture.run('COMMIT');
    expect(await fixture.steps()).toMatchObject([{ kind: 'gap', why: expect.stringContaining('no longer') }]);
    expect(fixture.state.undo).toBeNull();
  });

  test('a copy for something that was rolled back does not stay', async () => {
    await fixture.run('BEGIN; CREATE TABLE u (v); ROLLBACK');
    await failureOf(fixture.run('CREATE TABLE t (v)'));
    expect(copies()).toEqual([]);
    expect(fixture.state.steps).toBe(0);
  });

  describe('a database too large for a copy', () => {
    beforeEach(async () => {
      await fixture.run(BIG);
      fixture.clock.advance(5000);
      await limit(MIB);
    });

    test('is not changed in its schema before the person has agreed', async () => {
      const before = fixture.dump;
      expect(await failureOf(fixture.run('DELETE FROM t WHERE id = 1; DROP TABLE t'))).toMatchObject({
        code: 'not-undoable',
      });
      expect(fixture.dump).toBe(before);
      // The statement tells what the words of the text do not.
      expect(await failureOf(fixture.run('PRAGMA user_version = 3'))).toMatchObject({ code: 'not-undoable' });
      expect(fixture.dump).toBe(before);
      await fixture.run('CREATE TEMP TABLE mine (v); DROP TABLE temp.mine');
    });

    test('keeps a gap for what was agreed to, and nothing is undone across it', async () => {
      await fixture.call('query.run', { sql: 'CREATE TABLE u (v); INSERT INTO u VALUES (1)', withoutUndo: true });
      const [gap] = await fixture.steps();
      expect(gap).toMatchObject({
        kind: 'gap',
        title: 'CREATE TABLE u (v)',
        why: expect.stringContaining('larger than'),
      });
      expect(fixture.state.undo).toBeNull();
      await fixture.run('INSERT INTO u VALUES (2)');
      await fixture.undo();
      const failure = await failureOf(fixture.undo());
      expect(failure.code).toBe('not-found');
      expect(failure.message).toContain('larger than');
    });

    test('says which step undo ends at, before anything is tried', async () => {
      expect(fixture.state.undoEnd).toBeNull();
      await fixture.run('INSERT INTO t VALUES (9001, 1, 1)');
      const [below] = await fixture.steps();
      await fixture.call('query.run', { sql: 'CREATE TABLE u (v)', withoutUndo: true });
      const [gap] = await fixture.steps();
      const end = { step: gap!.id, why: expect.stringMatching(/“CREATE TABLE u \(v\)”.*larger than/) };
      expect(fixture.state.undoEnd).toEqual(end);
      for (let n = 1; n <= 3; n++) await fixture.run(`INSERT INTO u VALUES (${n})`);
      await fixture.undo();
      expect(fixture.state.undoEnd).toEqual(end);
      fixture.reopen();
      expect(fixture.state.undoEnd).toEqual(end);
      const failure = await failureOf(fixture.call('history.undoTo', { step: below!.id }));
      expect(failure).toMatchObject({ code: 'conflict', message: expect.stringContaining('Nothing was changed.') });
      expect(fixture.connection.one('SELECT count(*) FROM u')).toEqual([2]);
      while (fixture.state.undo) await fixture.undo();
      expect(fixture.connection.one('SELECT count(*) FROM u')).toEqual([0]);
      await fixture.call('history.clear', {});
      expect(fixture.state.undoEnd).toBeNull();
    });

    test('refuses a change past the budget, and rolls it back', async () => {
      const before = fixture.dump;
      const failure = await failureOf(fixture.run('UPDATE t SET b = randomblob(1000)'));
      expect(failure).toMatchObject({ code: 'not-undoable' });
      expect(fixture.dump).toBe(before);
      await fixture.call('query.run', { sql: 'UPDATE t SET b = NULL', withoutUndo: true });
      expect((await fixture.steps())[0]).toMatchObject({ kind: 'gap' });
    });
  });

  test('a change past the budget in a small database is kept as a copy', async () => {
    await limit(MIB);
    const before = fixture.dump;
    await fixture.run(
      `BEGIN; ${BIG}; DELETE FROM t WHERE id > 2; ${BIG}; DELETE FROM t WHERE id > 2; ${BIG}; DELETE FROM t; COMMIT`,
    );
    expect((await fixture.steps())[0]).toMatchObject({ kind: 'snapshot' });
    await fixture.undo();
    expect(fixture.dump).toBe(before);
  });

  describe('the size of the history', () => {
    test('has a limit: the oldest steps are forgotten at idle', async () => {
      for (let n = 0; n < 8; n++) await fixture.run(`UPDATE t SET b = randomblob(100000) WHERE id = 1`);
      await limit(MIB, MIB);
      fixture.clock.advance(5000);
      const steps = await fixture.steps();
      expect(steps.length).toBeLessThan(6);
      expect(steps.length).toBeGreaterThan(1);
      expect(fixture.state.sizeBytes).toBeLessThanOrEqual(MIB);
      for (const _ of steps) await fixture.undo();
      expect(fixture.state.undo).toBeNull();
    });

    test('counts copies, and takes their files away', async () => {
      for (let n = 0; n < 30; n++) await fixture.run(`CREATE TABLE u${n} (v)`);
      expect(copies()).toHaveLength(24);
      await fixture.call('history.clear', {});
      expect(copies()).toEqual([]);
      expect(fixture.state).toMatchObject({ undo: null, steps: 0 });
      await fixture.run('INSERT INTO t VALUES (9, 9, 9)');
      expect(fixture.state.steps).toBe(1);
    });

    test.skipIf(disk !== libraryDisk)(
      'a copy takes the place of the oldest when there is no handle for it',
      async () => {
        for (let n = 0; n < 3; n++) await fixture.run(`CREATE TABLE u${n} (v)`);
        fixture.disk.slots = fixture.disk.names.length;
        await fixture.run('CREATE TABLE last (v)');
        // The oldest was one file, the new one is two: the log beside it.
        expect((await fixture.steps()).map(({ title }) => title)).toEqual([
          'CREATE TABLE last (v)',
          'CREATE TABLE u2 (v)',
        ]);
        fixture.disk.slots = Infinity;
      },
    );

    test('is checked before it is believed', async () => {
      expect(await failureOf(limit(1))).toMatchObject({ code: 'invalid' });
      expect(await failureOf(limit(Number.NaN))).toMatchObject({ code: 'invalid' });
      await limit(2 * MIB, 3 * MIB);
      fixture.reopen();
      expect(fixture.state.limits).toEqual({ stepBytes: 2 * MIB, totalBytes: 3 * MIB });
    });
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryBench } from './history-bench.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { failureOf } from './test-bench.test-suite.ts';

describe.each(disks)('$name', (disk) => {
  let bench: HistoryBench;
  beforeEach(() => {
    bench = new HistoryBench(
      `
    CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT UNIQUE);
    INSERT INTO t VALUES (1, 'one', 'x'), (2, 'two', 'y');
    CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, v);
    CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t (id) ON DELETE CASCADE);
    INSERT INTO child VALUES (10, 1), (11, 1), (12, 2);
    CREATE TABLE log (what);
    CREATE TRIGGER noted AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END;
    CREATE VIRTUAL TABLE words USING fts5 (word);
    INSERT INTO words VALUES ('first');`,
      disk,
    );
  });
  afterEach(() => bench.close());

  describe('a step', () => {
    test('is one transaction, said in words', async () => {
      await bench.call('edit.apply', {
        table: 't',
        changes: [{ kind: 'update', key: [1], set: { a: 'uno' }, base: { a: 'one' } }],
      });
      await bench.run("DELETE FROM t WHERE id = 1; INSERT INTO words VALUES ('second')");
      const steps = await bench.steps();
      const inOrder = ({ tables }: (typeof steps)[number]) => tables.toSorted((a, b) => (a.table < b.table ? -1 : 1));
      const told = steps.map((step) => ({ title: step.title, sql: step.sql, kind: step.kind, tables: inOrder(step) }));
      expect(told).toEqual([
        {
          title: "INSERT INTO words VALUES ('second')",
          sql: "INSERT INTO words VALUES ('second')",
          ...(disk.logsVirtualTables
            ? { kind: 'rows', tables: [{ table: 'words', inserted: 1, updated: 0, deleted: 0 }] }
            : { kind: 'snapshot', tables: [] }),
        },
        {
          title: 'DELETE FROM t WHERE id = 1',
          sql: 'DELETE FROM t WHERE id = 1;',
          kind: 'rows',
          tables: [
            { table: 'child', inserted: 0, updated: 0, deleted: 2 },
            { table: 't', inserted: 0, updated: 0, deleted: 1 },
          ],
        },
        {
          title: 'Edit of t',
          sql: null,
          kind: 'rows',
          tables: [
            { table: 'log', inserted: 1, updated: 0, deleted: 0 },
            { table: 't', inserted: 0, updated: 1, deleted: 0 },
          ],
        },
      ]);
      expect(steps[0]!.run).toBe(steps[1]!.run);
      expect(steps[1]!.run).not.toBe(steps[2]!.run);
      expect(steps.map(({ state, windowTitle }) => [state, windowTitle])).toEqual(Array(3).fill(['done', 'Window 1']));
    });

    test('of a transaction made by hand is about the work that changed most in it', async () => {
      await bench.run('BEGIN; INSERT INTO log VALUES (1)');
      await bench.run('INSERT INTO log VALUES (2), (3), (4)');
      await bench.run('COMMIT');
      const [step] = await bench.steps();
      expect(step).toMatchObject({
        title: 'INSERT INTO log VALUES (2), (3), (4)',
        tables: [{ table: 'log', inserted: 4 }],
      });
    });

    test('is not left by what is rolled back, reads or changes nothing', async () => {
      await bench.run(
        'BEGIN; DELETE FROM t; ROLLBACK; SELECT * FROM t; UPDATE t SET a = a WHERE id = 1; PRAGMA user_version',
      );
      await failureOf(bench.run("INSERT INTO t VALUES (9, 'nine', 'x')"));
      await bench.run('CREATE TEMP TABLE mine (v); INSERT INTO mine VALUES (1)');
      const tables = (await bench.steps()).map((step) => step.tables);
      expect(tables).toEqual([[{ table: 'log', inserted: 1, updated: 0, deleted: 0 }]]); // the trigger did write
    });
  });

  describe('undo and redo', () => {
    test('lead back and forth through every state, triggers, cascades, sequences and full-text search included', async () => {
      const states = [bench.dump];
      for (const sql of [
        "BEGIN; UPDATE t SET a = 'changed' WHERE id = 2; UPDATE t SET a = NULL, b = 'z' WHERE id = 1; COMMIT",
        "INSERT INTO counted (v) VALUES ('a'), ('b')",
        'BEGIN; DELETE FROM t WHERE id = 1; DELETE FROM child WHERE id = 12; END',
        "BEGIN; UPDATE words SET word = 'other'; INSERT INTO words VALUES ('third'); DELETE FROM counted; COMMIT",
        "REPLACE INTO t VALUES (77, NULL, 'y')",
      ]) {
        await bench.run(sql);
        states.push(bench.dump);
      }
      for (let round = 0; round < 2; round++) {
        for (const state of states.slice(0, -1).reverse()) {
          await bench.undo();
          expect(bench.dump).toBe(state);
        }
        expect(bench.state.undo).toBeNull();
        for (const state of states.slice(1)) {
          await bench.redo();
          expect(bench.dump).toBe(state);
        }
        expect(bench.state.redo).toBeNull();
        bench.reopen();
      }
      expect(bench.connection.all("SELECT word FROM words WHERE words MATCH 'third'")).toEqual([['third']]);
      expect(bench.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
    });

    test('say what there is to undo, tell it to the windows, and that there is nothing', async () => {
      expect(await failureOf(bench.undo())).toMatchObject({ code: 'not-found', message: 'There is nothing to undo.' });
      await bench.run('DELETE FROM log; INSERT INTO log VALUES (1)');
      expect(bench.state).toMatchObject({
        undo: { title: 'INSERT INTO log VALUES (1)' },
        redo: null,
        steps: 1,
        why: null,
      });
      await bench.undo();
      bench.clock.advance(200);
      expect(bench.told.at(-1)).toEqual(bench.state);
      expect(bench.state).toMatchObject({ undo: null, redo: { title: 'INSERT INTO log VALUES (1)' } });
      expect(await failureOf(bench.undo())).toMatchObject({ code: 'not-found' });
    });

    test('the size of the history is that of its steps, whatever is done and taken back', async () => {
      const agrees = async (): Promise<void> => {
        const sum = (await bench.steps()).reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
        expect(bench.state).toMatchObject({ sizeBytes: sum });
      };
      await bench.run('INSERT INTO log VALUES (1)');
      await agrees();
      await bench.run("UPDATE t SET a = 'other'; ALTER TABLE log ADD COLUMN more; INSERT INTO log VALUES (2, 3)");
      await agrees();
      for (let round = 0; round < 2; round++) {
        while (bench.state.undo) await bench.undo().then(agrees);
        while (bench.state.redo) await bench.redo().then(agrees);
        bench.clock.advance(5000);
        await agrees();
      }
      await bench.undo();
      await bench.run('DELETE FROM t');
      await agrees();
      const sizeBytes = bench.state.sizeBytes;
      bench.reopen();
      expect(bench.state.sizeBytes).toBe(sizeBytes);
    });

    test('something new forgets what could be redone', async () => {
      await bench.run('INSERT INTO log VALUES (1)');
      await bench.run('INSERT INTO log VALUES (2)');
      await bench.undo();
      await bench.undo();
      await bench.run('INSERT INTO log VALUES (3)');
      expect(bench.state.redo).toBeNull();
      expect((await bench.steps()).map(({ title }) => title)).toEqual(['INSERT INTO log VALUES (3)']);
      await bench.undo();
      expect(bench.connection.one('SELECT count(*) FROM log')).toEqual([0]);
    });

    test('wait for an open transaction, whosever it is', async () => {
      await bench.run('INSERT INTO log VALUES (1)');
      const other = bench.newWindow('Window 2');
      await bench.run('BEGIN; INSERT INTO log VALUES (2)', other);
      expect(await failureOf(bench.undo())).toMatchObject({ code: 'transaction-elsewhere' });
      expect(await failureOf(bench.call('history.undo', {}, other))).toMatchObject({ code: 'transaction-elsewhere' });
      bench.leave(other);
      await bench.undo();
      expect(bench.connection.one('SELECT count(*) FROM log')).toEqual([0]);
    });

    test('go down to a step, one transaction each', async () => {
      for (let n = 1; n <= 5; n++) await bench.run(`INSERT INTO log VALUES (${n})`);
      const target = (await bench.steps()).find(({ title }) => title.includes('(3)'))!;
      expect(await bench.call('history.undoTo', { step: target.id })).toEqual({ undone: 3 });
      expect(bench.connection.all('SELECT what FROM log')).toEqual([[1], [2]]);
      for (let n = 3; n <= 5; n++) await bench.redo();
      expect(bench.connection.one('SELECT count(*) FROM log')).toEqual([5]);
    });

    test('a stop leaves everything as it was', async () => {
      await bench.run(
        'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) INSERT INTO log SELECT i FROM n',
      );
      const before = bench.dump;
      const undoing = failureOf(bench.undo());
      bench.cancelAll();
      expect(await undoing).toMatchObject({ code: 'stopped' });
      expect(bench.dump).toBe(before);
      expect(bench.state.undo).not.toBeNull();
      await bench.undo();
      expect(bench.connection.one('SELECT count(*) FROM log')).toEqual([0]);
    });
  });
});

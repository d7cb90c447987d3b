import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(
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
  afterEach(() => fixture.close());

  describe('a step', () => {
    test('is one transaction, said in words', async () => {
      await fixture.call('edit.apply', {
        table: 't',
        changes: [{ kind: 'update', key: [1], set: { a: 'uno' }, base: { a: 'one' } }],
      });
      await fixture.run("DELETE FROM t WHERE id = 1; INSERT INTO words VALUES ('second')");
      const steps = await fixture.steps();
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
          title: 'Edit a in t',
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
      await fixture.run('BEGIN; INSERT INTO log VALUES (1)');
      await fixture.run('INSERT INTO log VALUES (2), (3), (4)');
      await fixture.run('COMMIT');
      const [step] = await fixture.steps();
      expect(step).toMatchObject({
        title: 'INSERT INTO log VALUES (2), (3), (4)',
        tables: [{ table: 'log', inserted: 4 }],
      });
    });

    test('is not left by what is rolled back, reads or changes nothing', async () => {
      await fixture.run(
        'BEGIN; DELETE FROM t; ROLLBACK; SELECT * FROM t; UPDATE t SET a = a WHERE id = 1; PRAGMA user_version',
      );
      await failureOf(fixture.run("INSERT INTO t VALUES (9, 'nine', 'x')"));
      await fixture.run('CREATE TEMP TABLE mine (v); INSERT INTO mine VALUES (1)');
      const tables = (await fixture.steps()).map((step) => step.tables);
      expect(tables).toEqual([[{ table: 'log', inserted: 1, updated: 0, deleted: 0 }]]); // the trigger did write
    });
  });

  describe('undo and redo', () => {
    test('lead back and forth through every state, triggers, cascades, sequences and full-text search included', async () => {
      const states = [fixture.dump];
      for (const sql of [
        "BEGIN; UPDATE t SET a = 'changed' WHERE id = 2; UPDATE t SET a = NULL, b = 'z' WHERE id = 1; COMMIT",
        "INSERT INTO counted (v) VALUES ('a'), ('b')",
        'BEGIN; DELETE FROM t WHERE id = 1; DELETE FROM child WHERE id = 12; END',
        "BEGIN; UPDATE words SET word = 'other'; INSERT INTO words VALUES ('third'); DELETE FROM counted; COMMIT",
        "REPLACE INTO t VALUES (77, NULL, 'y')",
      ]) {
        await fixture.run(sql);
        states.push(fixture.dump);
      }
      for (let round = 0; round < 2; round++) {
        for (const state of states.slice(0, -1).reverse()) {
          await fixture.undo();
          expect(fixture.dump).toBe(state);
        }
        expect(fixture.state.undo).toBeNull();
        for (const state of states.slice(1)) {
          await fixture.redo();
          expect(fixture.dump).toBe(state);
        }
        expect(fixture.state.redo).toBeNull();
        fixture.reopen();
      }
      expect(fixture.connection.all("SELECT word FROM words WHERE words MATCH 'third'")).toEqual([['third']]);
      expect(fixture.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
    });

    test('say what there is to undo, tell it to the windows, and that there is nothing', async () => {
      expect(await failureOf(fixture.undo())).toMatchObject({
        code: 'not-found',
        message: 'There is nothing to undo.',
      });
      await fixture.run('DELETE FROM log; INSERT INTO log VALUES (1)');
      expect(fixture.state).toMatchObject({
        undo: { title: 'INSERT INTO log VALUES (1)' },
        redo: null,
        steps: 1,
        why: null,
      });
      await fixture.undo();
      fixture.clock.advance(200);
      expect(fixture.told.at(-1)).toEqual(fixture.state);
      expect(fixture.state).toMatchObject({ undo: null, redo: { title: 'INSERT INTO log VALUES (1)' } });
      expect(await failureOf(fixture.undo())).toMatchObject({ code: 'not-found' });
    });

    test('the size of the history is that of its steps, whatever is done and taken back', async () => {
      const agrees = async (): Promise<void> => {
        const sum = (await fixture.steps()).reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
        expect(fixture.state).toMatchObject({ sizeBytes: sum });
      };
      await fixture.run('INSERT INTO log VALUES (1)');
      await agrees();
      await fixture.run("UPDATE t SET a = 'other'; ALTER TABLE log ADD COLUMN more; INSERT INTO log VALUES (2, 3)");
      await agrees();
      for (let round = 0; round < 2; round++) {
        while (fixture.state.undo) await fixture.undo().then(agrees);
        while (fixture.state.redo) await fixture.redo().then(agrees);
        fixture.clock.advance(5000);
        await agrees();
      }
      await fixture.undo();
      await fixture.run('DELETE FROM t');
      await agrees();
      const sizeBytes = fixture.state.sizeBytes;
      fixture.reopen();
      expect(fixture.state.sizeBytes).toBe(sizeBytes);
    });

    test('something new forgets what could be redone', async () => {
      await fixture.run('INSERT INTO log VALUES (1)');
      await fixture.run('INSERT INTO log VALUES (2)');
      await fixture.undo();
      await fixture.undo();
      await fixture.run('INSERT INTO log VALUES (3)');
      expect(fixture.state.redo).toBeNull();
      expect((await fixture.steps()).map(({ title }) => title)).toEqual(['INSERT INTO log VALUES (3)']);
      await fixture.undo();
      expect(fixture.connection.one('SELECT count(*) FROM log')).toEqual([0]);
    });

    test('wait for an open transaction, whosever it is', async () => {
      await fixture.run('INSERT INTO log VALUES (1)');
      const other = fixture.newWindow('Window 2');
      await fixture.run('BEGIN; INSERT INTO log VALUES (2)', other);
      expect(await failureOf(fixture.undo())).toMatchObject({ code: 'transaction-elsewhere' });
      expect(await failureOf(fixture.call('history.undo', {}, other))).toMatchObject({ code: 'transaction-elsewhere' });
      fixture.leave(other);
      await fixture.undo();
      expect(fixture.connection.one('SELECT count(*) FROM log')).toEqual([0]);
    });

    test('go down to a step, one transaction each', async () => {
      for (let n = 1; n <= 5; n++) await fixture.run(`INSERT INTO log VALUES (${n})`);
      const target = (await fixture.steps()).find(({ title }) => title.includes('(3)'))!;
      expect(await fixture.call('history.undoTo', { step: target.id })).toEqual({ undone: 3 });
      expect(fixture.connection.all('SELECT what FROM log')).toEqual([[1], [2]]);
      for (let n = 3; n <= 5; n++) await fixture.redo();
      expect(fixture.connection.one('SELECT count(*) FROM log')).toEqual([5]);
    });

    test('a stop leaves everything as it was', async () => {
      await fixture.run(
        'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) INSERT INTO log SELECT i FROM n',
      );
      const before = fixture.dump;
      const undoing = failureOf(fixture.undo());
      fixture.cancelAll();
      expect(await undoing).toMatchObject({ code: 'stopped' });
      expect(fixture.dump).toBe(before);
      expect(fixture.state.undo).not.toBeNull();
      await fixture.undo();
      expect(fixture.connection.one('SELECT count(*) FROM log')).toEqual([0]);
    });
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApplyReply, ConflictChoices } from '#shared/protocol/history.ts';
import { HistoryFixture, KEYED_TABLES } from './history-fixture.test-suite.ts';
import { disks } from './history-disks.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';

describe.each(disks)('$name', (disk) => {
  let fixture: HistoryFixture;
  beforeEach(() => {
    fixture = new HistoryFixture(KEYED_TABLES, disk);
  });
  afterEach(() => fixture.close());

  const rows = (sql: string) => fixture.connection.all(sql);
  const newest = async () => (await fixture.steps())[0]!.id;
  const revert = (step: number, choices?: ConflictChoices) =>
    fixture.call('history.revert', { step, ...(choices && { choices }) });
  const conflictsOf = (reply: ApplyReply) => {
    if (reply.applied) throw new Error('It was applied.');
    return reply.conflicts.map(({ index, reason, change, current }) => ({ index, reason, kind: change.kind, current }));
  };

  describe('one older step', () => {
    test('is taken back with what its triggers did, as a new step, and that can be undone', async () => {
      await fixture.run("UPDATE t SET a = 'uno', n = 10 WHERE id = 1");
      const step = await newest();
      await fixture.run("UPDATE t SET b = 'later' WHERE id = 1; INSERT INTO w VALUES ('b', 1, 'third')");
      const before = fixture.dump;
      expect(await revert(step)).toEqual({ applied: true, step: step + 3, rowsChanged: 2, skipped: 0 });
      expect(rows('SELECT * FROM t WHERE id = 1')).toEqual([[1, 'one', 'later', 1]]);
      expect(rows('SELECT * FROM log')).toEqual([]);
      expect((await fixture.steps())[0]).toMatchObject({
        title: "Undo: UPDATE t SET a = 'uno', n = 10 WHERE id = 1",
        tables: [
          { table: 'log', deleted: 1 },
          { table: 't', updated: 1 },
        ],
      });
      await fixture.undo();
      expect(fixture.dump).toBe(before);
    });

    test('brings deleted rows back, of tables of every kind', async () => {
      const before = fixture.dump;
      await fixture.run('BEGIN; DELETE FROM w; DELETE FROM t WHERE id = 2; COMMIT');
      const step = await newest();
      await fixture.run("INSERT INTO log VALUES ('other')");
      await revert(step);
      await fixture.run('DELETE FROM log');
      expect(fixture.dump).toBe(before);
    });

    test('is not taken back over what has changed since: each row says why, and each can be decided', async () => {
      await fixture.run(
        "BEGIN; UPDATE t SET n = n + 50; DELETE FROM w WHERE l = 1; INSERT INTO log VALUES ('new'); COMMIT",
      );
      const step = await newest();
      await fixture.run(
        "UPDATE t SET n = 7 WHERE id = 1; DELETE FROM t WHERE id = 2; INSERT INTO w VALUES ('a', 1, 'again'); UPDATE log SET what = 'edited'",
      );
      const before = fixture.dump;
      const reply = await revert(step);
      expect(conflictsOf(reply)).toEqual([
        { index: 0, reason: 'differs', kind: 'updated', current: [1, 'one', 'x', 7] },
        { index: 1, reason: 'gone', kind: 'updated', current: null },
        { index: 3, reason: 'exists', kind: 'inserted', current: ['a', 1, 'again'] },
        { index: 4, reason: 'differs', kind: 'deleted', current: ['edited'] },
      ]);
      expect(fixture.dump).toBe(before);
      const decided = await revert(step, { rows: { 0: 'mine', 3: 'theirs' }, all: 'theirs' });
      expect(decided).toMatchObject({ applied: true, rowsChanged: 3, skipped: 2 });
      expect(rows('SELECT id, n FROM t')).toEqual([
        [1, 7],
        [3, 3],
      ]);
      expect(rows('SELECT v FROM w')).toEqual([['first'], ['second']]);
      expect(rows('SELECT * FROM log')).toEqual([]);
      await fixture.undo();
      expect(fixture.dump).toBe(before);
    });

    test('names rows in conflict by the primary key they had then', async () => {
      await fixture.run(
        "CREATE TABLE tag (name TEXT PRIMARY KEY, used); INSERT INTO tag VALUES ('red', 1), ('tan', 1), ('tin', 1)",
      );
      await fixture.run(
        "BEGIN; UPDATE tag SET used = 2 WHERE name = 'red'; UPDATE tag SET name = 'tea', used = 3 WHERE name = 'tan'; DELETE FROM tag WHERE name = 'tin'; COMMIT",
      );
      const step = await newest();
      await fixture.run("UPDATE tag SET name = 'now ' || name, used = 9; INSERT INTO tag VALUES ('other', 5)");
      const reply = await revert(step);
      if (reply.applied) throw new Error('It was applied.');
      expect(reply.conflicts.map(({ change, reason }) => [reason, change.kind, change.key, change.name])).toEqual([
        ['differs', 'updated', [1], ['red']],
        ['differs', 'updated', [2], ['tan']],
        ['exists', 'inserted', [3], ['tin']],
      ]);
    });

    test('leaves no row that refers to nothing', async () => {
      await fixture.run("INSERT INTO t VALUES (9, 'nine', 'q', 9)");
      const step = await newest();
      await fixture.run('INSERT INTO child VALUES (1, 9)');
      const reply = await revert(step);
      expect(conflictsOf(reply)).toEqual([
        { index: 0, reason: 'refused', kind: 'deleted', current: [9, 'nine', 'q', 9] },
      ]);
      expect(await revert(step, { rows: {}, all: 'mine' })).toMatchObject({ applied: true, step: 0, skipped: 1 });
      expect(conflictsOf(await revert(step, { rows: {}, all: 'theirs' }))).toHaveLength(1);
    });

    test('keeps to the constraints of today', async () => {
      await fixture.run("UPDATE t SET b = 'moved' WHERE id = 1");
      const step = await newest();
      await fixture.run("UPDATE t SET b = 'x' WHERE id = 2");
      expect(conflictsOf(await revert(step))).toMatchObject([{ reason: 'exists' }]);
      expect(rows('SELECT b FROM t ORDER BY id')).toEqual([['moved'], ['x'], ['z']]);
    });

    test('swaps unique values and primary keys back', async () => {
      const before = fixture.dump;
      await fixture.run(
        `BEGIN; UPDATE t SET b = 'tmp' WHERE id = 1; UPDATE t SET b = 'x' WHERE id = 2; UPDATE t SET b = 'y' WHERE id = 1;
       UPDATE w SET l = 9 WHERE l = 1; UPDATE w SET l = 1 WHERE l = 2; UPDATE w SET l = 2 WHERE l = 9; COMMIT`,
      );
      const step = await newest();
      await fixture.run("INSERT INTO log VALUES ('other')");
      expect(await revert(step)).toMatchObject({ applied: true });
      await fixture.run('DELETE FROM log');
      expect(fixture.dump).toBe(before);
    });

    test('several changes of one row count once, and changes that cancel out do not count', async () => {
      await fixture.run(
        "BEGIN; UPDATE t SET n = 20 WHERE id = 1; UPDATE t SET n = 30, b = 'bb' WHERE id = 1; INSERT INTO log VALUES (1); DELETE FROM log; UPDATE t SET n = 5 WHERE id = 2; UPDATE t SET n = 2 WHERE id = 2; COMMIT",
      );
      expect(await revert(await newest())).toMatchObject({ applied: true, rowsChanged: 1 });
      expect(rows('SELECT n, b FROM t WHERE id < 3')).toEqual([
        [1, 'x'],
        [2, 'y'],
      ]);
    });

    test('is refused when its table is another now, or the step is no row-by-row one', async () => {
      await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
      const step = await newest();
      await fixture.run('ALTER TABLE t RENAME COLUMN a TO c');
      expect(await failureOf(revert(step))).toMatchObject({
        code: 'not-found',
        message: expect.stringContaining('“a”'),
      });
      expect(await failureOf(revert(await newest()))).toMatchObject({ code: 'invalid' });
      expect(await failureOf(revert(999))).toMatchObject({ code: 'not-found' });
    });

    test('is known to be impossible before it is tried', async () => {
      await fixture.run("UPDATE t SET a = 'uno' WHERE id = 1");
      const step = await newest();
      const check = (of: number) => fixture.call('history.checkRevert', { step: of });
      await fixture.run("UPDATE t SET a = 'other' WHERE id = 1");
      expect(await check(step)).toBeNull(); // the user has to resolve a conflict
      await fixture.run('ALTER TABLE t RENAME COLUMN a TO c');
      expect(await check(step)).toEqual({ why: expect.stringContaining('“a”') });
      expect(await check(await newest())).toEqual({ why: expect.stringContaining('schema') });
      await fixture.undo();
      expect(await check(step)).toBeNull();
      await fixture.run('DROP TABLE log; DROP TABLE child; DROP TABLE t');
      expect(await check(step)).toEqual({ why: expect.stringContaining('no longer exists') });
    });
  });

  describe('full-text search beside', () => {
    test.skipIf(!disk.logsVirtualTables)('rows of a full-text table are merged as rows of it', async () => {
      await fixture.run(
        "CREATE VIRTUAL TABLE f USING fts5 (title, body); INSERT INTO f VALUES ('a', 'one two'), ('b', 'three')",
      );
      await fixture.run("BEGIN; UPDATE f SET body = 'four' WHERE title = 'a'; DELETE FROM f WHERE title = 'b'; COMMIT");
      const step = await newest();
      const page = await fixture.call('history.rows', { step, start: 0, count: 10 });
      expect(page.rows.map(({ table, columns }) => [table, columns])).toContainEqual(['f', ['title', 'body']]);
      await fixture.run("INSERT INTO f (rowid, title, body) VALUES (9, 'c', 'five')");
      expect(await revert(step)).toMatchObject({ applied: true });
      expect(rows("SELECT title FROM f WHERE f MATCH 'two OR three OR five' ORDER BY title")).toEqual([
        ['a'],
        ['b'],
        ['c'],
      ]);
      expect(rows("SELECT title FROM f WHERE f MATCH 'four'")).toEqual([]);
      await fixture.run("INSERT INTO f (f) VALUES ('integrity-check')");
    });

    test.skipIf(!disk.logsVirtualTables)('an index over another table is made anew', async () => {
      await fixture.run(
        `CREATE VIRTUAL TABLE f USING fts5 (a, content='t', content_rowid='id');
       INSERT INTO f (f) VALUES ('rebuild');
       CREATE TRIGGER f_u AFTER UPDATE ON t BEGIN
         INSERT INTO f (f, rowid, a) VALUES ('delete', old.id, old.a); INSERT INTO f (rowid, a) VALUES (new.id, new.a);
       END;`,
      );
      await fixture.run("UPDATE t SET a = 'eins' WHERE id = 1");
      const step = await newest();
      await fixture.run("UPDATE t SET a = 'zwei' WHERE id = 2");
      expect(await revert(step)).toMatchObject({ applied: true });
      expect(rows("SELECT rowid FROM f WHERE f MATCH 'one OR zwei'")).toEqual([[1], [2]]);
      expect(rows("SELECT rowid FROM f WHERE f MATCH 'eins'")).toEqual([]);
      await fixture.run("INSERT INTO f (f, rank) VALUES ('integrity-check', 1)");
    });

    test.skipIf(!disk.logsVirtualTables)('what cannot be merged row by row is refused in words', async () => {
      await fixture.run('CREATE VIRTUAL TABLE r USING rtree (id, x0, x1)');
      await fixture.run('INSERT INTO r VALUES (1, 0, 1)');
      const step = await newest();
      await fixture.run("INSERT INTO log VALUES ('other')");
      expect(await failureOf(revert(step))).toMatchObject({ code: 'invalid', message: expect.stringContaining('“r”') });
      await fixture.undo();
      await fixture.undo();
      expect(rows('SELECT count(*) FROM r')).toEqual([[0]]);
    });
  });
});

// Tests that a transaction can be undone and redone from its log: undone, everything is as before; redone, as after.
import { describe, expect, it } from 'vitest';
import { MAX_ROWS_WITH_AFTER } from '../row-log/row-log.ts';
import { CHANGE_CASES } from './change-cases.test-suite.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { BUDGET_BYTES, RecordedLogs, runScript, undo } from './row-log-fixture.test-suite.ts';
import type { RowLogSubject } from './row-log-fixture.test-suite.ts';
import { needs } from './subject.test-suite.ts';

export function describeRowLogs(subject: RowLogSubject): void {
  const { get, exceptions } = subject;
  describe('row logs', needs('changes'), () => {
    const recorded = new RecordedLogs(subject);

    it.each(CHANGE_CASES)('takes back and makes again: %s', (name, sql) => {
      const before = dumpDatabase(get());
      runScript(get(), sql);
      const after = dumpDatabase(get());
      if (recorded.guard.asked > 0) {
        // Statistics are a table of their own the first time; VACUUM may give rows other ids.
        expect(['ANALYZE', 'VACUUM', ...(exceptions().copiedCases ?? [])]).toContain(name);
        expect(recorded.published.map(({ log }) => log)).toEqual(['dropped']);
        return;
      }
      const logs = recorded.all();
      expect(logs.length > 0).toBe(before !== after);
      recorded.published = [];
      for (const log of logs.toReversed()) undo(get(), log);
      expect(dumpDatabase(get())).toBe(before);
      const undone = recorded.all();
      for (const log of undone.toReversed()) undo(get(), log);
      expect(dumpDatabase(get())).toBe(after);
    });

    it('takes back and makes again row ids and primary keys of all kinds', () => {
      roundTrip(
        'CREATE TABLE shadowed(rowid, _rowid_, v); CREATE TABLE text_key(k TEXT PRIMARY KEY, v); CREATE TABLE plain(v)',
        `INSERT INTO shadowed(oid, rowid, _rowid_) VALUES (-9223372036854775808, 1, 2), (7, 3, 4);
         INSERT INTO text_key VALUES (NULL, 1), (NULL, 2), ('k', 3); INSERT INTO plain(rowid, v) VALUES (5, 5)`,
        'UPDATE shadowed SET oid = ~oid',
        "UPDATE text_key SET rowid = rowid + 10 WHERE k IS NULL; REPLACE INTO text_key VALUES ('k', 9)",
        'UPDATE plain SET rowid = 9223372036854775807; INSERT INTO plain VALUES (1); DELETE FROM plain',
      );
    });

    it('counts AUTOINCREMENT back, and what was written to sqlite_sequence by hand', () => {
      roundTrip(
        'CREATE TABLE other(id INTEGER PRIMARY KEY AUTOINCREMENT)',
        'INSERT INTO numbered DEFAULT VALUES; INSERT INTO other VALUES (7)',
        'DELETE FROM numbered',
        "BEGIN; INSERT INTO other VALUES (99); UPDATE sqlite_sequence SET seq = 3 WHERE name = 'other'; COMMIT",
        'DELETE FROM other WHERE id = 99',
        'BEGIN; SAVEPOINT s; INSERT INTO other VALUES (200); ROLLBACK TO s; DELETE FROM sqlite_sequence; COMMIT',
      );
      roundTrip(
        'INSERT INTO numbered DEFAULT VALUES',
        "UPDATE sqlite_sequence SET name = replace(hex(zeroblob(100000)), '0', 'x'), seq = 3",
      );
    });

    it('goes through a UNIQUE column and foreign keys in both directions', () => {
      roundTrip(
        '',
        "BEGIN; UPDATE a SET x = 'swap' WHERE id = 1; UPDATE a SET x = 'one' WHERE id = 2; UPDATE a SET x = 'two' WHERE id = 1; COMMIT",
        'BEGIN; PRAGMA defer_foreign_keys = ON; INSERT INTO child VALUES (20, 77); INSERT INTO parent VALUES (77); COMMIT',
        'UPDATE parent SET id = 78 WHERE id = 77; DELETE FROM parent',
      );
    });

    it('keeps full-text and R-Tree tables whole', () => {
      roundTrip(
        "INSERT INTO f(f, rank) VALUES ('pgsz', 64)",
        `WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO f SELECT 'word' || i || ' common' FROM n`,
        "UPDATE f SET body = body || ' again' WHERE rowid % 3 = 0; DELETE FROM f WHERE rowid % 5 = 0",
        "INSERT INTO f(f) VALUES ('optimize'); INSERT INTO r VALUES (1, 1, 2), (2, 3, 4); UPDATE r SET x1 = 9 WHERE id = 1",
        "BEGIN; INSERT INTO f VALUES ('held back'); SAVEPOINT s; DELETE FROM f; ROLLBACK TO s; COMMIT",
      );
      expect(get().all("SELECT rowid FROM f WHERE f MATCH 'common AND again' LIMIT 1")).toHaveLength(1);
    });

    it('finds by full text what a replay brought back, on the same connection', () => {
      get().run("INSERT INTO f VALUES ('needle')");
      const found = () => get().all("SELECT rowid FROM f WHERE f MATCH 'needle'").length;
      expect(found()).toBe(1);
      undo(get(), recorded.only());
      expect(found()).toBe(0);
      undo(get(), recorded.all()[1]!);
      expect(found()).toBe(1);
      get().run("INSERT INTO f(f) VALUES ('integrity-check')");
      expect(get().all("SELECT rtreecheck('r')")).toEqual([['ok']]);
    });

    it.each([
      ['before a statement that fails', "INSERT INTO a VALUES (5, 'five', 5), (6, 'bad', 6)"],
      ['before one that writes by a trigger too', "INSERT INTO docs VALUES (1, 'x'), (1, 'y')"],
    ])('keeps what FTS5 held back %s', (_name, failing) => {
      runScript(
        get(),
        `CREATE TABLE docs(id INTEGER PRIMARY KEY, body);
         CREATE TRIGGER docs_in AFTER INSERT ON docs BEGIN INSERT INTO f(body) VALUES (new.body); END`,
      );
      const before = dumpDatabase(get());
      recorded.published = [];
      runScript(get(), "BEGIN; INSERT INTO f VALUES ('kept')");
      expect(() => get().run(failing)).toThrow();
      get().run('COMMIT');
      const after = dumpDatabase(get());
      undo(get(), recorded.only());
      expect(dumpDatabase(get())).toBe(before);
      undo(get(), recorded.all()[1]!);
      expect(dumpDatabase(get())).toBe(after);
      get().run("INSERT INTO f(f) VALUES ('integrity-check')");
    });

    it('leaves AUTOINCREMENT alone when rows come back that it does not count', () => {
      roundTrip('INSERT INTO numbered VALUES (5), (6); UPDATE sqlite_sequence SET seq = 2', 'DELETE FROM numbered');
      roundTrip(
        'DELETE FROM sqlite_sequence; INSERT INTO numbered VALUES (7); DELETE FROM sqlite_sequence',
        'DELETE FROM numbered',
      );
    });

    it.each([
      ['rolled back, though a trigger counted rows', 'INSERT INTO picky VALUES (8), (1)'],
      ['kept by FAIL', 'INSERT OR FAIL INTO picky VALUES (8), (1)'],
    ])('knows what is left of a statement that failed in a transaction: %s', (_name, failing) => {
      runScript(
        get(),
        `CREATE TABLE picky(id INTEGER PRIMARY KEY); INSERT INTO picky VALUES (1);
         CREATE TRIGGER picky_log AFTER INSERT ON picky BEGIN INSERT INTO deep VALUES (new.id); END`,
      );
      const before = dumpDatabase(get());
      recorded.published = [];
      runScript(get(), 'BEGIN; DELETE FROM w');
      expect(() => get().run(failing)).toThrow();
      get().run('COMMIT');
      undo(get(), recorded.only());
      expect(dumpDatabase(get())).toBe(before);
    });

    it('keeps row ids that follow each other in a few bytes, and takes them back', () => {
      const fill = (count: number) =>
        `WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO deep SELECT i FROM n`;
      get().run(fill(MAX_ROWS_WITH_AFTER));
      const bytes = recorded.all()[0]!.bytes.length;
      get().run('DELETE FROM deep');
      recorded.published = [];
      const before = dumpDatabase(get());
      runScript(get(), `BEGIN; ${fill(MAX_ROWS_WITH_AFTER)}; SAVEPOINT s; ${fill(50)}; ROLLBACK TO s; ${fill(20_000)}`);
      for (let row = 0; row < 1_000; row++) get().run('INSERT INTO deep VALUES (1)');
      expect(() => get().run('INSERT INTO a VALUES (70, 70, 70), (71, 70, 70)')).toThrow();
      get().run('INSERT INTO deep VALUES (1)');
      get().run('COMMIT');
      const log = recorded.only();
      expect(log.rowCount).toBe(MAX_ROWS_WITH_AFTER + 21_001);
      expect(log.tables).toMatchObject([{ name: 'deep', inserted: log.rowCount, updated: 0, deleted: 0 }]);
      expect(log.bytes.length).toBeLessThan(bytes + 200);
      const after = dumpDatabase(get());
      undo(get(), log);
      expect(dumpDatabase(get())).toBe(before);
      undo(get(), recorded.all()[1]!);
      expect(dumpDatabase(get())).toBe(after);
    });

    it('keeps all that was before when updates are too many to compare', () => {
      const fill =
        'WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 18000) INSERT INTO made(id, n, other, r) SELECT i, i, i, i FROM n';
      roundTrip(fill, "UPDATE made SET n = n + 1, other = 'x', r = id % 2");
    });

    it('puts a connection back as it was after a replay that failed', () => {
      expect(() =>
        get().replay(() => {
          runScript(get(), "INSERT INTO child VALUES (50, 12345); INSERT INTO f_docsize VALUES (77, x'00')");
          throw new Error('Half way.');
        }),
      ).toThrow('Half way.');
      expect([get().autocommit, get().one('PRAGMA ignore_check_constraints')]).toEqual([true, [0]]);
      expect(() => get().run('INSERT INTO child VALUES (50, 12345)')).toThrow();
      expect(() => get().run("INSERT INTO f_docsize VALUES (77, x'00')")).toThrow();
      expect(() => get().run("INSERT INTO a VALUES (9, 'bad', 9)")).toThrow();
      get().run('UPDATE src SET v = 99');
      expect(get().one('SELECT count(*) FROM log')).toEqual([1]);
      expect(() => runScript(get(), 'BEGIN; SELECT 1')).not.toThrow();
      expect(() => get().replay(() => 1)).toThrow();
    });

    /** Each script, then everything back to the start and forward to the end. */
    function roundTrip(setUp: string, ...scripts: readonly string[]): void {
      get().record(null);
      runScript(get(), setUp);
      recorded.record(BUDGET_BYTES);
      recorded.published = [];
      const dumps = [dumpDatabase(get())];
      for (const script of scripts) {
        runScript(get(), script);
        dumps.push(dumpDatabase(get()));
      }
      const [start, end] = [dumps[0], dumps.at(-1)];
      const done = recorded.all();
      recorded.published = [];
      for (const log of done.toReversed()) undo(get(), log);
      expect(dumpDatabase(get())).toBe(start);
      const undone = recorded.all();
      for (const log of undone.toReversed()) undo(get(), log);
      expect(dumpDatabase(get())).toBe(end);
      expect(get().all('PRAGMA integrity_check')).toEqual([['ok']]);
    }
  });
}

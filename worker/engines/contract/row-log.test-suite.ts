// Tests that a transaction can be undone and redone from its log: undone, everything is as before; redone, as after.
import { describe, expect, it } from 'vitest';
import { MAX_ROWS_WITH_AFTER } from '../row-log/row-log.ts';
import { CHANGE_CASES } from './change-cases.test-suite.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { BUDGET_BYTES, changesOf, RecordedLogs, runScript, undo } from './row-log-fixture.test-suite.ts';
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

    it('says what happened, in order and with values before and after', () => {
      runScript(get(), "BEGIN; INSERT INTO a VALUES (3, 'three', 3); UPDATE a SET y = 9, x = x WHERE id = 3; COMMIT");
      runScript(get(), 'BEGIN; SAVEPOINT s; DELETE FROM w; ROLLBACK TO s; DELETE FROM made; COMMIT');
      const [first, second] = recorded.all();
      expect(changesOf(first!)).toMatchObject([
        { operation: 'insert', table: { name: 'a', columns: ['id', 'x', 'y'] }, key: [3], after: [3, 'three', 3] },
        { operation: 'update', keyBefore: [3], keyAfter: [3], columnIndexes: [2], before: [3], after: [9] },
      ]);
      expect(first!.tables).toMatchObject([
        { name: 'a', key: { kind: 'rowid', name: 'id', columnIndex: 0 }, inserted: 1, updated: 1 },
      ]);
      expect(changesOf(second!)).toMatchObject([
        // Generated columns follow by themselves.
        {
          operation: 'delete',
          table: { columns: ['id', 'n', 'other', 'r'] },
          key: [1],
          before: [1, 1, 'o', { real: 2 }],
        },
      ]);
      expect(second!.tables.map(({ name }) => name)).toEqual(['made']);
      expect([...second!.backwards()]).toEqual(changesOf(second!).toReversed());
    });

    it('gives the rows of one table from any of them on, runs of row ids included', () => {
      const numbers = 'WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n LIMIT 12000)';
      runScript(
        get(),
        `BEGIN; DELETE FROM made; INSERT INTO a VALUES (3, 'three', 3); ${numbers} INSERT INTO a SELECT i, 'a' || i, i FROM n;
         UPDATE a SET y = 0 WHERE id BETWEEN 200 AND 220; INSERT INTO made(id, n) VALUES (50, 1), (70, 2); DELETE FROM a WHERE id > 5000; COMMIT`,
      );
      const log = recorded.only();
      for (const table of log.tables) {
        const all = changesOf(log).filter((change) => change.operation !== 'sequence' && change.table === table);
        for (const start of [0, 1, 2, 9_999, 10_000, 10_001, 12_010, all.length - 1, all.length])
          expect([...log.rowsOf(table, start)]).toEqual(all.slice(start));
      }
    });

    it('keeps every value as it is stored', () => {
      const values = [
        null,
        0,
        -1,
        127,
        -128,
        128,
        40_000,
        -40_000,
        2 ** 31,
        -(2 ** 40),
        2 ** 53 - 1,
        2n ** 62n,
        -(2n ** 63n),
      ];
      const others = [
        { real: 1 },
        { real: -0 },
        0.1,
        Infinity,
        -Infinity,
        '',
        'a\0b',
        '😀'.repeat(100),
        new Uint8Array(0),
      ];
      const bytes = [{ textBytes: new Uint8Array([0xff, 0x61, 0, 0xc0]) }, new Uint8Array(70_000).fill(7)];
      const all = [...values, ...others, ...bytes];
      get().run('BEGIN');
      for (const value of all) get().run('INSERT INTO deep VALUES (?)', [value]);
      for (const value of all) get().run('UPDATE deep SET what = ? WHERE rowid = 1', [value]);
      get().run('COMMIT');
      const changes = changesOf(recorded.only());
      expect(changes.slice(0, all.length).map((change) => change.operation === 'insert' && change.after)).toEqual(
        all.map((value) => [value]),
      );
      const updates = changes.slice(all.length) as readonly { before: unknown; after: unknown }[];
      expect(updates.map(({ after }) => after)).toEqual(all.slice(1).map((value) => [value]));
      expect(updates.map(({ before }) => before)).toEqual(all.slice(0, -1).map((value) => [value]));
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

    it('names updated rows by a primary key that is not the row id, as it was then', () => {
      runScript(
        get(),
        `CREATE TABLE text_key(v, k TEXT PRIMARY KEY); CREATE TABLE pair(a, v, b, PRIMARY KEY (b, a));
         CREATE TABLE descending(id INTEGER PRIMARY KEY DESC, v);
         INSERT INTO text_key VALUES (1, 'one'), (2, NULL), (3, replace(hex(zeroblob(129)), '00', 'é')); INSERT INTO pair VALUES (1, 'x', x'ff');
         INSERT INTO descending VALUES (5, 'x')`,
      );
      recorded.published = [];
      runScript(
        get(),
        `BEGIN; UPDATE text_key SET v = v + 1; UPDATE text_key SET k = 'uno', v = 9 WHERE k = 'one'; UPDATE text_key SET rowid = 50 WHERE k = 'uno';
         UPDATE pair SET v = 'y'; UPDATE pair SET a = 2.5; UPDATE descending SET v = 'y';
         UPDATE w SET v = 9; UPDATE a SET y = 9 WHERE id = 1; COMMIT`,
      );
      const log = recorded.only();
      const named = changesOf(log).map((change) => change.operation === 'update' && [change.table.name, change.name]);
      expect(named).toEqual([
        ['text_key', ['one']],
        ['text_key', [null]],
        // Longer than is kept of a value that did not change.
        ['text_key', [null]],
        ['text_key', ['uno']],
        ['text_key', ['uno']],
        ['pair', [new Uint8Array([0xff]), 1]],
        ['pair', [new Uint8Array([0xff]), 2.5]],
        ['descending', [5]],
        // Rows of these are found by what they are known by.
        ['w', null],
        ['a', null],
      ]);
      expect(log.tables.map(({ name, declaredKey }) => [name, declaredKey])).toEqual([
        ['text_key', [1]],
        ['pair', [2, 0]],
        ['descending', [0]],
        ['w', undefined],
        ['a', undefined],
      ]);
    });

    it('names no more updated rows than it keeps with their values after the change', () => {
      const count = MAX_ROWS_WITH_AFTER + 100;
      const numbers = `WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
      runScript(
        get(),
        `CREATE TABLE text_key(v, k TEXT PRIMARY KEY); ${numbers} INSERT INTO text_key SELECT i, 'k' || i FROM n`,
      );
      const before = dumpDatabase(get());
      recorded.published = [];
      runScript(get(), "BEGIN; UPDATE text_key SET v = 0; UPDATE text_key SET k = 'new' || k WHERE k = 'k7'; COMMIT");
      const log = recorded.only();
      const names = changesOf(log).map((change) => change.operation === 'update' && change.name?.[0]);
      const named = Array.from({ length: MAX_ROWS_WITH_AFTER }, (_, index) => `k${index + 1}`);
      expect(names).toEqual([...named, ...Array.from({ length: 101 }, () => undefined)]);
      expect(changesOf(log).at(-1)).toMatchObject({ before: ['k7'], after: null, name: null });
      const after = dumpDatabase(get());
      undo(get(), log);
      expect(dumpDatabase(get())).toBe(before);
      undo(get(), recorded.all()[1]!);
      expect(dumpDatabase(get())).toBe(after);
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

    it('shows the log of the open transaction', () => {
      expect(get().openLog).toBeNull();
      runScript(get(), 'BEGIN; DELETE FROM a WHERE id = 1; SAVEPOINT s; INSERT INTO numbered DEFAULT VALUES');
      expect(changesOf(get().openLog!).map(({ operation }) => operation)).toEqual(['delete', 'insert', 'sequence']);
      runScript(get(), 'ROLLBACK TO s');
      expect(changesOf(get().openLog!).map(({ operation }) => operation)).toEqual(['delete']);
      get().run('COMMIT');
      expect(changesOf(recorded.only())).toHaveLength(1);
      expect(get().openLog).toBeNull();
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

// What the log of a transaction says: the changes in order, the rows of each table, every value, and by what rows are found.
import { describe, expect, it } from 'vitest';
import { MAX_ROWS_WITH_AFTER } from '../row-log/row-log.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { changesOf, RecordedLogs, runScript, undo } from './row-log-fixture.test-suite.ts';
import type { RowLogSubject } from './row-log-fixture.test-suite.ts';
import { needs } from './subject.test-suite.ts';

export function describeLoggedChanges(subject: RowLogSubject): void {
  const { get } = subject;
  describe('row logs', needs('changes'), () => {
    const recorded = new RecordedLogs(subject);

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
  });
}

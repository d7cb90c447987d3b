// Tests what a connection that keeps a row log asks before changes that rows do not show, and when the log has no room.
import { describe, expect, it } from 'vitest';
import { AppError, inParts } from '#shared/protocol/errors.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { BUDGET_BYTES, logsOf, RecordedLogs, runScript } from './row-log-fixture.test-suite.ts';
import type { RowLogSubject } from './row-log-fixture.test-suite.ts';
import { needs } from './subject.test-suite.ts';

const GUARDED: readonly string[] = [
  'CREATE TABLE fresh(a)',
  'CREATE VIEW seen AS SELECT 1',
  'CREATE VIRTUAL TABLE g USING fts5(body)',
  'CREATE INDEX ai ON a(y)',
  'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT 1; END',
  'ALTER TABLE a ADD COLUMN z',
  'ALTER TABLE a RENAME COLUMN y TO y2',
  'ALTER TABLE deep RENAME TO deeper',
  'DROP TABLE deep',
  'DROP INDEX log_what',
  'DROP TABLE r',
  'ANALYZE',
  'VACUUM',
  'PRAGMA user_version = 7',
  'PRAGMA application_id = 7',
];

const NOT_GUARDED: readonly string[] = [
  'CREATE TABLE IF NOT EXISTS a(x)',
  'CREATE VIEW IF NOT EXISTS both AS SELECT 1',
  'CREATE INDEX IF NOT EXISTS log_what ON log(what)',
  'CREATE VIRTUAL TABLE IF NOT EXISTS f USING fts5(body)',
  'CREATE TEMP TABLE own(x)',
  'CREATE TEMP TABLE own AS SELECT * FROM a',
  'CREATE TEMP VIEW own AS SELECT 1',
  'CREATE TEMP TRIGGER own AFTER INSERT ON a BEGIN SELECT 1; END',
  'CREATE TABLE beside.own(x); DROP TABLE beside.own',
  'DROP TABLE scratch',
  'DROP TABLE IF EXISTS nowhere',
  'REINDEX',
  'PRAGMA user_version',
  'PRAGMA cache_size = 100',
  'EXPLAIN VACUUM',
  'EXPLAIN DROP TABLE deep',
  'SELECT 1',
];

export function describeRowLogGuard(subject: RowLogSubject): void {
  const { get } = subject;
  describe('the guard of row logs', needs('changes'), () => {
    const recorded = new RecordedLogs(subject);

    it.each(GUARDED)('asks before: %s', (sql) => {
      recorded.guard.refusal = new AppError({ code: 'not-undoable', message: 'No.' });
      const before = dumpDatabase(get());
      expect(() => runScript(get(), sql)).toThrow('No.');
      expect([dumpDatabase(get()), recorded.published, recorded.guard.asked]).toEqual([before, [], 1]);
      recorded.guard.refusal = null;
      runScript(get(), sql);
      expect(recorded.guard.asked).toBe(2);
      runScript(get(), 'UPDATE made SET n = n + 1');
      expect(recorded.published.map(({ log }) => typeof log)).toEqual(
        sql.includes('journal_mode') ? ['object'] : ['string', 'object'],
      );
    });

    it.each(NOT_GUARDED)('does not ask before: %s', (sql) => {
      runScript(get(), sql);
      expect(recorded.guard.asked).toBe(0);
    });

    it('asks once a transaction, and the transaction goes on when it is refused', () => {
      runScript(get(), 'BEGIN; DELETE FROM a WHERE id = 1');
      recorded.guard.refusal = new AppError({ code: 'not-undoable', message: 'No.' });
      expect(() => get().run('CREATE TABLE fresh(x)')).toThrow('No.');
      expect(get().openLog!.rowCount).toBe(1);
      recorded.guard.refusal = null;
      runScript(get(), 'CREATE TABLE fresh(x); CREATE INDEX fresh_x ON fresh(x); INSERT INTO fresh VALUES (1); COMMIT');
      expect(recorded.guard.asked).toBe(2);
      expect(recorded.published.map(({ log }) => log)).toEqual(['dropped']);
    });

    it('drops a log that passes the budget', () => {
      recorded.record(10_000);
      const before = get().totalChanges;
      get().run('INSERT INTO deep VALUES (zeroblob(20000)), (1)');
      expect(get().totalChanges).toBe(before + 2);
      expect([recorded.published[0]!.log, recorded.guard.overBudgets, get().openLog]).toEqual(['dropped', 1, null]);
      get().run('INSERT INTO deep VALUES (2)');
      expect(logsOf(recorded.published.slice(1))).toHaveLength(1);
    });

    it.each([
      [
        'many rows',
        'WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO deep SELECT i FROM n',
      ],
      ['one row', 'INSERT INTO deep VALUES (zeroblob(20000))'],
    ])('stops a statement that passes the budget: %s', (_name, sql) => {
      recorded.record(10_000);
      recorded.guard.answer = 'stop';
      const before = dumpDatabase(get());
      expect(() => get().run(sql)).toThrow(
        new AppError({
          code: 'not-undoable',
          ...inParts('This would change more than 1 MB and could not be undone.', 'Nothing was changed.'),
        }),
      );
      expect([dumpDatabase(get()), recorded.published]).toEqual([before, []]);
      runScript(get(), 'BEGIN; DELETE FROM a WHERE id = 1');
      expect(() => get().run(sql)).toThrow('could not be undone. The open transaction was rolled back.');
      expect([get().autocommit, dumpDatabase(get()), recorded.published]).toEqual([true, before, []]);
      get().run('DELETE FROM a WHERE id = 1');
      expect(recorded.all()).toHaveLength(1);
    });

    it('records from the next transaction on, until told otherwise', () => {
      get().record(null);
      get().run('DELETE FROM a WHERE id = 1');
      get().run('BEGIN');
      get().run('INSERT INTO deep VALUES (1)');
      recorded.record(BUDGET_BYTES);
      get().run('INSERT INTO deep VALUES (2)');
      get().run('COMMIT');
      runScript(get(), 'BEGIN; INSERT INTO deep VALUES (3); COMMIT');
      expect(recorded.published.map(({ log }) => log === null)).toEqual([true, true, false]);
    });
  });
}

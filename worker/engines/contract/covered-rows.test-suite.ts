// Tests what a connection reports of transactions that need no row log, because something that is kept already undoes them.
import { describe, expect, it } from 'vitest';
import type { TransactionChanges } from '../transaction-changes.ts';
import { CHANGE_CASES } from './change-cases.test-suite.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { logsOf, RecordedLogs, runScript, undo } from './row-log-fixture.test-suite.ts';
import type { RowLogSubject } from './row-log-fixture.test-suite.ts';
import { needs } from './subject.test-suite.ts';

/** Their leftovers are not undone from a log, and keep them from running again. */
const OUT_OF_REACH = ['Attached database', 'CREATE TEMP TRIGGER'];

export function describeCoveredRows(subject: RowLogSubject): void {
  const { get } = subject;
  describe('covered rows', needs('changes'), () => {
    const recorded = new RecordedLogs(subject);
    const counts = () =>
      recorded.published.flatMap(({ counted }) =>
        (counted ?? []).map(({ name, inserted, updated, deleted }) => [name, inserted, updated, deleted]),
      );

    it.each(CHANGE_CASES.filter(([name]) => !OUT_OF_REACH.includes(name)))(
      'are published as others, and counted as a log counts them: %s',
      (_name, sql) => {
        runScript(get(), sql);
        // A copy stands for the whole transaction.
        if (recorded.guard.asked > 0) return;
        const logged = recorded.published.splice(0);
        const after = dumpDatabase(get());
        for (const log of logsOf(logged).toReversed()) undo(get(), log);
        recorded.published = [];
        recorded.guard.isCovering = true;
        runScript(get(), sql);
        expect(dumpDatabase(get())).toBe(after);
        expect(recorded.published.map(({ log }) => log)).toEqual(recorded.published.map(() => null));
        expect(recorded.published.flatMap(({ counted }) => counted ?? [])).toEqual(
          logsOf(logged).flatMap(({ tables }) => tables),
        );
        const named = (published: readonly TransactionChanges[]) =>
          published.filter(({ tables }) => tables?.size !== 0).map(({ tables, schema }) => ({ tables, schema }));
        expect(named(recorded.published)).toEqual(named(logged));
      },
    );

    it('are not counted when a savepoint or a failed statement takes them back', () => {
      recorded.guard.isCovering = true;
      runScript(get(), "BEGIN; SAVEPOINT first; INSERT INTO a VALUES (3, 'three', 3); SAVEPOINT s; DELETE FROM a");
      expect(() => get().run("INSERT INTO a VALUES (1, 'uno', 1), (2, 'bad', 2)")).toThrow();
      runScript(get(), 'INSERT INTO deep VALUES (1), (2); ROLLBACK TO s; UPDATE a SET y = 5; UPDATE a SET y = 5');
      expect(get().openLog).toBeNull();
      runScript(get(), 'COMMIT');
      expect(counts()).toEqual([['a', 1, 3, 0]]);
      runScript(get(), 'BEGIN; SAVEPOINT first; DELETE FROM a; ROLLBACK TO first; COMMIT');
      runScript(get(), 'BEGIN; DELETE FROM a; ROLLBACK');
      expect(recorded.published).toHaveLength(1);
    });

    it('are those of transactions that had none when the guard was asked', () => {
      runScript(get(), 'BEGIN; INSERT INTO deep VALUES (1)');
      recorded.guard.isCovering = true;
      runScript(get(), 'INSERT INTO deep VALUES (2); COMMIT');
      runScript(get(), 'BEGIN; UPDATE deep SET what = what; INSERT INTO deep VALUES (3)');
      recorded.guard.isCovering = false;
      runScript(get(), 'INSERT INTO deep VALUES (4); COMMIT; INSERT INTO deep VALUES (5)');
      expect(recorded.published.map(({ log }) => log !== null && log !== 'dropped' && log.rowCount)).toEqual([
        2,
        false,
        1,
      ]);
      expect(counts()).toEqual([['deep', 2, 0, 0]]);
    });

    it('do not reach into the next transaction when there were none', () => {
      recorded.guard.isCovering = true;
      runScript(get(), 'UPDATE deep SET what = 1; BEGIN; DELETE FROM deep; COMMIT');
      recorded.guard.isCovering = false;
      runScript(get(), 'BEGIN; INSERT INTO deep VALUES (1); COMMIT');
      expect(recorded.all().map(({ rowCount }) => rowCount)).toEqual([1]);
    });

    it('need no room of the budget', () => {
      recorded.record(10_000);
      recorded.guard.isCovering = true;
      recorded.guard.answer = 'stop';
      get().run('INSERT INTO deep VALUES (zeroblob(20000)), (1)');
      expect([counts(), recorded.guard.overBudgets]).toEqual([[['deep', 2, 0, 0]], 0]);
    });

    it('end where something comes that rows do not tell', () => {
      recorded.guard.isCovering = true;
      runScript(
        get(),
        'BEGIN; INSERT INTO deep VALUES (1); CREATE TABLE fresh(x); INSERT INTO deep VALUES (2); COMMIT',
      );
      expect(recorded.published).toMatchObject([{ log: 'dropped', schema: true }]);
      expect([counts(), recorded.guard.asked]).toEqual([[], 1]);
    });
  });
}

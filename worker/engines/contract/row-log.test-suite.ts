// What a transaction did to rows: taken back from its log, everything is as it was; made again, as it became.
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { GetConnection } from '../contract.test-suite.ts';
import type { Connection, TransactionChanges } from '../engine.ts';
import { RowLogApplier } from '../row-log/apply.ts';
import type { ChangeGuard, RowLog } from '../row-log/row-log.ts';
import { CHANGE_CASES, CHANGE_SCHEMA } from './change-cases.test-suite.ts';
import { dumpDatabase } from './dump.test-suite.ts';

const BUDGET_BYTES = 64 << 20;

export function describeRowLogs(get: GetConnection, info: () => EngineInfo): void {
  describe('row logs', () => {
    let published: TransactionChanges[];
    let guard: TestGuard;
    beforeEach(({ skip }) => {
      skip(!info().capabilities.changes);
      published = [];
      guard = new TestGuard();
      runScript(get(), CHANGE_SCHEMA);
      get().onCommit((changes) => published.push(changes));
      get().record({ budgetBytes: BUDGET_BYTES, guard });
    });

    it.each(CHANGE_CASES)('takes back and makes again: %s', (name, sql) => {
      const before = dumpDatabase(get());
      runScript(get(), sql);
      const after = dumpDatabase(get());
      if (guard.asked > 0) {
        // Statistics are a table of their own the first time; VACUUM may give rows other ids.
        expect(['ANALYZE', 'VACUUM']).toContain(name);
        expect(published.map(({ log }) => log)).toEqual(['dropped']);
        return;
      }
      const logs = logsOf(published);
      expect(logs.length > 0).toBe(before !== after);
      published = [];
      for (const log of logs.toReversed()) takeBack(get(), log);
      expect(dumpDatabase(get())).toBe(before);
      const undone = logsOf(published);
      for (const log of undone.toReversed()) takeBack(get(), log);
      expect(dumpDatabase(get())).toBe(after);
    });
  });
}

class TestGuard implements ChangeGuard {
  asked = 0;
  overBudgets = 0;
  answer: 'drop' | 'stop' = 'drop';
  refusal: Error | null = null;

  beforeSchemaChange(): void {
    this.asked++;
    if (this.refusal) throw this.refusal;
  }

  overBudget(): 'drop' | 'stop' {
    this.overBudgets++;
    return this.answer;
  }
}

export function logsOf(published: readonly TransactionChanges[]): RowLog[] {
  return published.flatMap(({ log }) => {
    if (log === 'dropped') throw new Error('A log was dropped.');
    return log ?? [];
  });
}

export function takeBack(connection: Connection, log: RowLog): void {
  connection.replay(() => {
    const applier = new RowLogApplier(connection);
    connection.run('BEGIN');
    for (const change of log.backwards()) applier.undo(change);
    applier.close();
    connection.run('COMMIT');
  });
}

export function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
}

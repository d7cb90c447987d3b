// Fixture for tests of row logs: a connection that records, what it published, and a guard that says what it is told to say.
import { beforeEach } from 'vitest';
import type { EngineExceptions, GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { RowLogApplier } from '../row-log/apply.ts';
import type { ChangeGuard, LoggedChange, RowLog } from '../row-log/row-log.ts';
import { CHANGE_SCHEMA } from './change-cases.test-suite.ts';

export const BUDGET_BYTES = 64 << 20;

/** The engine under test, and its exceptions. */
export interface RowLogSubject {
  readonly get: GetConnection;
  readonly exceptions: () => EngineExceptions;
}

/** Logs recorded by the tests of a `describe`: each begins with the schema of the change cases, and a fresh log. */
export class RecordedLogs {
  published: TransactionChanges[] = [];
  guard = new TestGuard();
  readonly #get: GetConnection;

  constructor({ get, exceptions }: RowLogSubject) {
    this.#get = get;
    beforeEach(({ skip, task }) => {
      skip(
        exceptions().notLogged?.some((name) => task.name.includes(name)) === true,
        'what it needs is not logged row by row',
      );
      this.published = [];
      this.guard = new TestGuard();
      runScript(get(), CHANGE_SCHEMA);
      get().onCommit((changes) => this.published.push(changes));
      this.record(BUDGET_BYTES);
    });
  }

  record(budgetBytes: number): void {
    this.#get().record({ budgetBytes, guard: this.guard });
  }

  all(): RowLog[] {
    return logsOf(this.published);
  }

  /** Returns the log of the only transaction. */
  only(): RowLog {
    if (this.published.length !== 1) throw new Error(`There were ${this.published.length} transactions.`);
    return this.all()[0]!;
  }
}

export const changesOf = (log: RowLog): LoggedChange[] => [...log.forwards()];

class TestGuard implements ChangeGuard {
  asked = 0;
  overBudgets = 0;
  answer: 'drop' | 'stop' = 'drop';
  isCovering = false;
  refusal: Error | null = null;

  beforeSchemaChange(): void {
    this.asked++;
    if (this.refusal) throw this.refusal;
  }

  overBudget(): 'drop' | 'stop' {
    this.overBudgets++;
    return this.answer;
  }

  covers(): boolean {
    return this.isCovering;
  }
}

export function logsOf(published: readonly TransactionChanges[]): RowLog[] {
  return published.flatMap(({ log }) => {
    if (log === 'dropped') throw new Error('A log was dropped.');
    return log ?? [];
  });
}

export function undo(connection: Connection, log: RowLog): void {
  connection.replay(() => {
    const applier = new RowLogApplier(connection);
    for (const change of log.backwards()) applier.undo(change);
    applier.close();
  });
}

export function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
}

// Random writes are undone transaction by transaction, then redone: the whole database is compared.
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection, TransactionChanges } from '../engine.ts';
import type { RowLog } from '../row-log/row-log.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { randomDatabase } from './random-writes.test-suite.ts';
import { logsOf, runScript, undo } from './row-log-fixture.test-suite.ts';

const SEEDS = Number(process.env.SIDELITE_SEEDS ?? 40);
const FIRST_SEED = Number(process.env.SIDELITE_SEED ?? 1);
const STATEMENTS = 120;

export function describeRandomRowLogs(get: GetConnection, info: () => EngineInfo): void {
  describe('row logs of random writes', () => {
    beforeEach(({ skip }) => skip(!info().capabilities.changes));

    it.each(Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index))('seed %i', (seed) => {
      const connection = get();
      const writer = randomDatabase(seed);
      runScript(connection, writer.schema);
      const history = new History(connection);
      for (let count = 0; count < STATEMENTS; count++)
        attempt(connection, writer.nextStatement(!connection.autocommit));
      if (!connection.autocommit) connection.run('ROLLBACK');
      history.check();
    });
  });
}

/** What was done since the last transaction whose log is not whole: that cannot be taken back. */
class History {
  readonly #connection: Connection;
  #logs: RowLog[] = [];
  #start: string;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#start = dumpDatabase(connection);
    connection.record({ budgetBytes: 64 << 20, guard: { beforeSchemaChange: () => {}, overBudget: () => 'drop' } });
    connection.onCommit((changes) => this.#note(changes));
  }

  check(): void {
    const end = dumpDatabase(this.#connection);
    const undone = this.#undoAll(this.#logs);
    expect(dumpDatabase(this.#connection)).toBe(this.#start);
    this.#undoAll(undone);
    expect(dumpDatabase(this.#connection)).toBe(end);
    expect(this.#connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  }

  #undoAll(logs: readonly RowLog[]): readonly RowLog[] {
    this.#logs = [];
    for (const log of logs.toReversed()) undo(this.#connection, log);
    return this.#logs;
  }

  #note(changes: TransactionChanges): void {
    if (changes.log !== 'dropped') this.#logs.push(...logsOf([changes]));
    else {
      this.#logs = [];
      this.#start = dumpDatabase(this.#connection);
    }
  }
}

/** Failures are part of it; only those of ours are not. */
function attempt(connection: Connection, sql: string): void {
  try {
    runScript(connection, sql);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error;
  }
}

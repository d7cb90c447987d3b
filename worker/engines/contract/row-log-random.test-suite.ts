// Random writes are undone transaction by transaction, then redone: the whole database is compared.
import { describe, expect, it } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import type { RowLog } from '../row-log/row-log.ts';
import { quoteName } from '../../sql/quote.ts';
import { dumpDatabase } from './dump.test-suite.ts';
import { randomDatabase } from './random-writes.test-suite.ts';
import { logsOf, runScript, undo } from './row-log-fixture.test-suite.ts';

const SEEDS = seeds(40);
const STATEMENTS = 120;

export function describeRandomRowLogs(get: GetConnection): void {
  describe('row logs of random writes', needs('changes'), () => {
    it.each(SEEDS)('seed %i', (seed) => {
      const connection = get();
      const writer = randomDatabase(seed);
      runScript(connection, writer.schema);
      const history = new History(connection);
      for (let count = 0; count < STATEMENTS; count++)
        attempt(connection, writer.nextStatement(!connection.autocommit));
      if (!connection.autocommit) connection.run('ROLLBACK');
      history.check();
    });

    it.each(SEEDS)('seed %i, counted', (seed) => {
      const connection = get();
      const writer = randomDatabase(seed);
      runScript(connection, writer.schema);
      const counts = new Counts(connection);
      for (let count = 0; count < STATEMENTS; count++)
        attempt(connection, writer.nextStatement(!connection.autocommit));
      if (!connection.autocommit) connection.run('ROLLBACK');
      counts.close();
    });
  });
}

/** The rows of all tables, held against what each commit says it has added and removed. */
class Counts {
  readonly #connection: Connection;
  #rows: ReadonlyMap<string, number>;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#rows = this.#count();
    connection.record({
      budgetBytes: 64 << 20,
      guard: { beforeSchemaChange: () => {}, overBudget: () => 'drop', covers: () => true },
    });
    connection.onCommit((changes) => this.#note(changes));
  }

  close(): void {
    this.#connection.onCommit(null);
    expect(this.#count()).toEqual(this.#rows);
  }

  #note({ counted }: TransactionChanges): void {
    const before = this.#rows;
    this.#rows = this.#count();
    // Empty where it is not known what SQLite kept of a statement that failed.
    if (counted === undefined || counted.length === 0) return;
    const grown = [...this.#rows].map(([name, rows]) => [name, rows - before.get(name)!]);
    const told = new Map(counted.map(({ name, inserted, deleted }) => [name, inserted - deleted]));
    expect(grown).toEqual([...this.#rows.keys()].map((name) => [name, told.get(name) ?? 0]));
  }

  #count(): ReadonlyMap<string, number> {
    const names = this.#connection.all(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'",
    );
    return new Map(
      names.map(([name]) => [
        String(name),
        Number(this.#connection.one(`SELECT count(*) FROM main.${quoteName(String(name))}`)![0]),
      ]),
    );
  }
}

/** Changes since the last transaction whose log is not whole: that one cannot be undone. */
class History {
  readonly #connection: Connection;
  #logs: RowLog[] = [];
  #start: string;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#start = dumpDatabase(connection);
    connection.record({
      budgetBytes: 64 << 20,
      guard: { beforeSchemaChange: () => {}, overBudget: () => 'drop', covers: () => false },
    });
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

/** Failures are expected, except internal ones. */
function attempt(connection: Connection, sql: string): void {
  try {
    runScript(connection, sql);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error;
  }
}

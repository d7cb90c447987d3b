// Writes rows in batches: one prepared statement, a transaction a batch, and a pause after each so that windows stay served.
import type { Progress } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { runScript } from '../engines/transaction.ts';

/** About 10 ms of work: short enough that a user does not notice it, long enough that the cost of a commit does not matter. */
const BATCH_ROWS = 2000;

export type Row = readonly Value[];

/** Filling work: pauses between batches with nothing open. */
export type Fill = Generator<'between', void>;

export class Filler {
  readonly connection: Connection;
  readonly #onProgress: (progress: Progress) => void;
  readonly #totalRows: number;
  #rows = 0;

  constructor(connection: Connection, totalRows: number, onProgress: (progress: Progress) => void) {
    this.connection = connection;
    this.#totalRows = totalRows;
    this.#onProgress = onProgress;
  }

  /** Rows still to be written until the promised total is reached. */
  get rowsLeft(): number {
    return this.#totalRows - this.#rows;
  }

  /** Runs statements without parameters, in one transaction. */
  runScript(sql: string): void {
    this.#inTransaction(() => runScript(this.connection, sql));
  }

  /** Runs `sql` once for each row. */
  *write(phase: string, sql: string, rows: Iterable<Row>): Fill {
    const iterator = rows[Symbol.iterator]();
    let ended = false;
    while (!ended) {
      this.#inTransaction(() => {
        ended = this.#writeBatch(sql, iterator);
      });
      this.#onProgress({ phase, done: this.#rows, total: this.#totalRows, unit: 'rows' });
      yield 'between';
    }
  }

  /** True when `rows` has ended. */
  #writeBatch(sql: string, rows: Iterator<Row>): boolean {
    const statement = this.connection.prepare(sql);
    try {
      for (let written = 0; written < BATCH_ROWS; written++) {
        const next = rows.next();
        if (next.done) return true;
        statement.bind(next.value);
        while (statement.step());
        statement.reset();
        this.#rows++;
      }
      return false;
    } finally {
      statement.finalize();
    }
  }

  #inTransaction(body: () => void): void {
    this.connection.run('BEGIN');
    try {
      body();
      this.connection.run('COMMIT');
    } catch (error) {
      if (!this.connection.autocommit) this.connection.run('ROLLBACK');
      throw error;
    }
  }
}

// Dates of the sample: fixed, never "now", as SQLite's date functions read them.

const DAY_MS = 86_400_000;
const FIRST_DAY_MS = Date.UTC(2021, 2, 1);

/** The shop's life, in days since it opened. */
export const LAST_DAY = 1_640;

/** `2021-03-01` for day 0. */
export function dateOfDay(day: number): string {
  return new Date(FIRST_DAY_MS + Math.floor(day) * DAY_MS).toISOString().slice(0, 10);
}

/** `2021-03-01 12:00:00` for day 0.5. */
export function timeOfDay(day: number): string {
  return new Date(FIRST_DAY_MS + Math.floor(day * DAY_MS)).toISOString().slice(0, 19).replace('T', ' ');
}

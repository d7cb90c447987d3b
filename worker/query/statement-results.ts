// Handles the rows of a statement of a run: keeps them for a window to read, or counts them.
import type { ScriptStatement } from '../engines/engine.ts';
import { fillSpool, fillSpoolWhole } from '../readers/fill-spool.ts';
import type { SpooledQuery } from '../readers/query-run.ts';
import { sliceEnd } from '../readers/slice.ts';
import type { SpooledReader } from '../readers/spooled-reader.ts';
import type { Pause, Turn } from '../sessions/session.ts';

/** Rows between two checks of the clock. */
const CLOCK_ROWS = 16;

/** Collects rows for a reader. */
export class SpooledResult {
  readonly #statement: ScriptStatement;
  readonly #query: SpooledQuery | null;
  readonly #reader: SpooledReader;
  readonly #grown: (rows: number, first: boolean) => void;
  #first = true;

  /**
   * @param query the statement, if it is one that can be run again
   * @param grown called when there are more rows, the first time with `first`
   */
  constructor(
    statement: ScriptStatement,
    query: SpooledQuery | null,
    reader: SpooledReader,
    grown: (rows: number, first: boolean) => void,
  ) {
    this.#statement = statement;
    this.#query = query;
    this.#reader = reader;
    this.#grown = grown;
  }

  get rows(): number {
    return this.#reader.extent.rows;
  }

  *fill(turn: Turn): Generator<Pause, void> {
    const { spool } = this.#reader;
    let resumed = performance.now();
    let runMs = 0;
    let isCommitted = false;
    const { autocommit } = turn.connection;
    try {
      // Rows of RETURNING are read without a pause, in which other windows would see half of a change.
      if (!this.#statement.readonly) fillSpoolWhole(this.#statement, spool);
      else {
        for (const pause of fillSpool(turn, this.#statement, this.#query, spool, () => this.#report(null))) {
          if (this.#reader.disposed) return;
          runMs += performance.now() - resumed;
          yield pause;
          resumed = performance.now();
        }
      }
      isCommitted = autocommit;
    } finally {
      if (!isCommitted) this.#reader.fellBehind();
      this.#report(runMs + performance.now() - resumed);
    }
  }

  #report(runMs: number | null): void {
    this.#reader.grew(runMs);
    this.#grown(this.rows, this.#first);
    this.#first = false;
  }
}

/** Steps through rows that are only counted, up to `end`. False when there are more; a statement that only reads may pause there. */
export function countRows(statement: ScriptStatement, counted: { rows: number }, end: number): boolean {
  while (statement.step()) {
    counted.rows++;
    if (statement.readonly && counted.rows % CLOCK_ROWS === 0 && performance.now() >= end) return false;
  }
  return true;
}

/** Counts the remaining rows, with pauses. */
export function* countRest(turn: Turn, statement: ScriptStatement, counted: { rows: number }): Generator<Pause, void> {
  do yield 'reading';
  while (!countRows(statement, counted, sliceEnd(turn)));
}

/** A statement without rows that met a lock, as `thrown` says, has changed nothing, so it is run again. */
export function* stepAgain(turn: Turn, statement: ScriptStatement, thrown: unknown): Generator<Pause, void> {
  let error = thrown;
  for (;;) {
    yield* turn.outlastLock(error);
    try {
      while (statement.step());
      return;
    } catch (again) {
      error = again;
    }
  }
}

// The query of a reader that can be run again: runs it into a spool, and measures the run.
import type { ResultArrangement } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Statement } from '../engines/engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { arrangeRows } from './arrange/arrange-rows.ts';
import { ArrangedRows } from './arrange/arranged-rows.ts';
import { fillSpool } from './fill-spool.ts';
import { refuseOtherDatabases } from './query-program.ts';
import type { ReadSet } from './read-set.ts';
import type { ReaderHost } from './reader.ts';
import type { Spool } from './spool.ts';

/** A read-only query that can be run again. */
export interface SpooledQuery {
  readonly sql: string;
  readonly params: readonly Value[];
  readonly reads: ReadSet;
}

/** The reader that shows the rows. */
export interface RunOwner {
  /** The reader has been closed: a run under way ends and discards its rows. */
  readonly disposed: boolean;
  /** How the user has sorted and filtered the rows. */
  readonly arrangement: ResultArrangement | null;
  /** The names of the columns that are shown; null before the first run. */
  readonly shownColumns: readonly string[] | null;
  /** How long the engine has worked on the last run, without pauses. */
  runMs: number;
  /** The rows will include everything committed so far. */
  noteBegun(): void;
}

export class QueryRun {
  readonly query: SpooledQuery;
  readonly title: string;
  #ranPastLimit = false;
  readonly #owner: RunOwner;
  readonly #host: ReaderHost;
  readonly #rowsOf: string | null;
  /** Column names of the first run, on which pages and the window's grid are based. */
  #columnNames: string | null = null;

  constructor(owner: RunOwner, host: ReaderHost, query: SpooledQuery, named: { title: string; rowsOf: string | null }) {
    this.#owner = owner;
    this.#host = host;
    this.query = query;
    this.title = named.title;
    this.#rowsOf = named.rowsOf;
  }

  /** Whether the last run passed its limit: set by the code that stops it there, because two clocks could disagree. */
  get ranPastLimit(): boolean {
    return this.#ranPastLimit;
  }

  /** @throws AppError when the query reads other databases, whose changes are not reported */
  async assertFollows(): Promise<void> {
    const { database, window } = this.#host;
    const { sql, params } = this.query;
    await database.enqueue({
      window,
      kind: 'read',
      title: this.title,
      rowsOf: this.#rowsOf,
      body: ({ connection }) => refuseOtherDatabases(connection, sql, params),
    });
  }

  /** Returns the rows as the user has arranged them; null if that is how SQLite returned them. */
  fill(spool: Spool, limitMs: number | null, grown: () => void): Promise<ArrangedRows | null> {
    const { database, window } = this.#host;
    return database.enqueue({
      window,
      kind: 'read',
      pausesReading: true,
      title: this.title,
      rowsOf: this.#rowsOf,
      limitMs,
      body: (turn) => this.#run(turn, spool, grown),
    });
  }

  *#run(turn: Turn, spool: Spool, grown: () => void): Generator<Pause, ArrangedRows | null> {
    const { sql, params, reads } = this.query;
    let resumed = performance.now();
    this.#owner.runMs = 0;
    this.#owner.noteBegun();
    let statement: Statement | null = null;
    try {
      reads.learn();
      statement = turn.connection.prepare(sql);
      this.#checkColumns(statement);
      statement.bind(params);
      for (const pause of fillSpool(turn, statement, this.query, spool, grown)) {
        if (this.#owner.disposed) return discarded(spool);
        this.#owner.runMs += performance.now() - resumed;
        yield pause;
        resumed = performance.now();
      }
      statement.finalize();
      statement = null;
      const { arrangement } = this.#owner;
      if (!arrangement) return null;
      const arranging = arrangeRows(turn, spool, arrangement);
      for (;;) {
        const { done, value } = arranging.next();
        if (done) return new ArrangedRows(spool, value);
        if (this.#owner.disposed) return discarded(spool);
        this.#owner.runMs += performance.now() - resumed;
        yield value;
        resumed = performance.now();
      }
    } finally {
      this.#owner.runMs += performance.now() - resumed;
      this.#ranPastLimit = turn.isPastLimit;
      statement?.finalize();
    }
  }

  #checkColumns({ columns }: Statement): void {
    const names = columns.map(({ name }) => name);
    this.#columnNames ??= JSON.stringify(this.#owner.shownColumns ?? names);
    if (JSON.stringify(names) === this.#columnNames) return;
    throw AppError.unavailable(
      'The query has different columns now. The previous rows are kept; run it again to see the new columns.',
    );
  }
}

function discarded(spool: Spool): null {
  spool.dispose();
  return null;
}

export function isStop(error: unknown): boolean {
  return error instanceof AppError && error.code === 'stopped';
}

// Pages the spooled rows of a query: a one-time result, a view, or a live result. A reader that follows changes runs again into a new spool
// and shows that when it is complete, so rows never come from two runs.
import type { ResultArrangement } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { LiveState, LiveStatus } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Statement, TransactionChanges } from '../engines/engine.ts';
import type { Pause, Turn, WorkRequest } from '../sessions/session.ts';
import { sameValue } from '../sql/same-value.ts';
import { arrangeRows } from './arrange/arrange-rows.ts';
import { ArrangedRows } from './arrange/arranged-rows.ts';
import type { KeptRows } from './arrange/arranged-rows.ts';
import { fillSpool } from './fill-spool.ts';
import type { Key } from './key-order.ts';
import { PAGE_BYTES } from './key-walker.ts';
import { refuseOtherDatabases } from './query-program.ts';
import type { ReadSet } from './read-set.ts';
import type { CellValue, Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { yieldToOthers } from './slice.ts';
import { Spool } from './spool.ts';

/** After a run the reader rests this many times as long, so that a slow query leaves the worker to other work. */
const REST_FACTOR = 2;

/** A read-only query that can be run again. */
export interface SpooledQuery {
  readonly sql: string;
  readonly params: readonly Value[];
  readonly reads: ReadSet;
}

export interface SpooledOptions {
  readonly title: string;
  /** The view that the rows come from; null for a query. */
  readonly rowsOf?: string | null;
  /** Null when the statement cannot be run again. */
  readonly query: SpooledQuery | null;
  readonly state: LiveState;
  /** How long a run may take. */
  readonly limitMs: number | null;
  /** The state after the user stops a run. */
  readonly whenStopped: 'paused' | 'failed';
}

export class SpooledReader implements Reader {
  readonly layout: ReaderLayout;
  readonly title: string;
  readonly #host: ReaderHost;
  readonly #rowsOf: string | null;
  readonly #query: SpooledQuery | null;
  /** The shown rows: old ones stay until the new ones are complete. */
  #shown: Spool;
  /** How the user has sorted and filtered the rows, and the rows that are shown because of it. Null: all of them, as SQLite returned them. */
  #arrangement: ResultArrangement | null = null;
  #arranged: ArrangedRows | null = null;
  #complete = false;
  /** Why the shown rows are incomplete: the error for reads of the missing rows. */
  #failure: unknown = null;
  #state: LiveState;
  #why: string | null = null;
  #limitMs: number | null;
  readonly #whenStopped: 'paused' | 'failed';
  #stale = false;
  #running: Promise<void> | null = null;
  #runMs = 0;
  /** Set by the code that stops a run at its limit, because two clocks could disagree about it. */
  #ranPastLimit = false;
  #restUntilMs = 0;
  /** Column names of the first run, for which pages and the window's grid are made. */
  #columnNames: string | null = null;
  #disposed = false;

  constructor(host: ReaderHost, layout: ReaderLayout, options: SpooledOptions) {
    this.#host = host;
    this.layout = layout;
    this.title = options.title;
    this.#rowsOf = options.rowsOf ?? null;
    this.#query = options.query;
    this.#state = options.state;
    this.#limitMs = options.limitMs;
    this.#whenStopped = options.whenStopped;
    this.#shown = new Spool(layout.columns.length);
  }

  get extent(): Extent {
    return { rows: this.rows.rowCount, exact: this.#complete && !(this.#stale && this.#state === 'live') };
  }

  get status(): Omit<LiveStatus, 'reader'> {
    const { rowCount: rows } = this.rows;
    return { state: this.#state, stale: this.#stale, runMs: this.#runMs, rows, why: this.#why };
  }

  /** Parameters of the query; none when it cannot be run again. */
  get params(): readonly Value[] {
    return this.#query?.params ?? [];
  }

  /** The SELECT that the rows are from; null when it cannot be run again. */
  get sql(): string | null {
    return this.#query?.sql ?? null;
  }

  /** The spool that a statement of the user's script fills. */
  get spool(): Spool {
    return this.#shown;
  }

  /** What is shown, and exported: by position, as the window counts rows. */
  get rows(): KeptRows {
    return this.#arranged ?? this.#shown;
  }

  get isArranged(): boolean {
    return this.#arranged !== null;
  }

  /** The window has closed the reader, so the run that fills it may stop. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Called when there are more rows; with `runMs` the result is complete. */
  grew(runMs: number | null): void {
    this.#complete = runMs !== null;
    this.#runMs = runMs ?? 0;
    if (!this.#disposed) this.#host.extentChanged();
  }

  noteChanges(changes: TransactionChanges): Effect | null {
    if (!this.#query || this.#state === 'fixed') return null;
    const isTouched = this.#query.reads.touchedBy(changes);
    // The run that is due will include this change; a query that has failed may succeed now.
    if (!isTouched || (this.#stale && this.#state !== 'failed')) return null;
    this.#stale = true;
    if (this.#follows) return { kind: 'rows', keys: null };
    this.#host.liveChanged();
    return null;
  }

  /** Starts spooling. Resolves with the first rows; the rest follows. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fill(this.#shown, this.#limitMs, () => {
        this.#host.extentChanged();
        resolve();
      }).then(
        () => {
          this.#complete = true;
          this.#ranWhole();
          if (!this.#disposed) this.#host.extentChanged();
          resolve();
        },
        (error: unknown) => {
          const isTooSlow = isStop(error) && this.#ranPastLimit;
          this.#stale = isTooSlow;
          if (isTooSlow) this.#become('too-slow');
          else this.#become('failed', sentenceOf(error));
          if (isTooSlow) return resolve();
          this.#failure = error;
          reject(error);
        },
      );
    });
  }

  async read(start: number, count: number): Promise<RowsPage> {
    if (this.#stale) void this.freshen();
    else if (this.#failure && start + count > this.#shown.rowCount) throw this.#failure;
    return { rows: this.rows.read(start, count, PAGE_BYTES), start, exactPosition: true, extent: this.extent };
  }

  async find(key: Key): Promise<number | null> {
    const columns = this.layout.key.columns;
    if (columns.length === 0) return null;
    const { rows } = this;
    for (let row = 0; row < rows.rowCount; row++) {
      if (columns.every((column, index) => sameValue(rows.cell(row, column).value, key[index] ?? null))) return row;
    }
    return null;
  }

  valueAt(position: number, column: number): CellValue {
    const { rows } = this;
    if (position >= 0 && position < rows.rowCount && column >= 0 && column < rows.columnCount)
      return rows.cell(position, column);
    throw new AppError({ code: 'not-found', message: 'That cell is no longer in the result.' });
  }

  async freshen(): Promise<void> {
    if (this.#running) return this.#running;
    if (!this.#stale || !this.#follows || this.#disposed) return;
    return this.#runOnce(this.#limitMs, false);
  }

  /** @throws AppError `invalid` when it cannot be run again */
  async follow(limitMs: number | null | undefined): Promise<void> {
    const { sql, params } = this.#assertRunsAgain();
    const { database, window } = this.#host;
    await database.enqueue({
      window,
      kind: 'read',
      title: this.title,
      rowsOf: this.#rowsOf,
      body: ({ connection }) => refuseOtherDatabases(connection, sql, params),
    });
    if (limitMs !== undefined) this.#limitMs = limitMs;
    // Commits in the meantime have not been checked.
    if (!this.#follows) this.#stale = true;
    this.#become('live');
    this.#host.rowsChanged();
  }

  pause(): void {
    this.#assertRunsAgain();
    this.#become('paused');
  }

  /** Runs the query now, whatever the state, for as long as it takes: the user asked for it and can stop it. */
  async refresh(): Promise<void> {
    this.#assertRunsAgain();
    await this.#running;
    this.#stale = true;
    await this.#runOnce(null, true);
  }

  /**
   * Sorts and filters the rows that are kept.
   *
   * @param request what the queue needs to stop it for its caller
   * @throws AppError `unavailable` while rows are still being read, `stopped`, `full`, `invalid`; the rows stay as they were
   */
  async arrange(
    arrangement: ResultArrangement,
    request: Pick<WorkRequest<unknown>, 'call' | 'onCancel'>,
  ): Promise<{ readonly rows: number; readonly total: number }> {
    const isPlain = arrangement.sort.length + arrangement.filter.length === 0;
    for (;;) {
      if (this.#running) await this.#running;
      if (!this.#complete)
        throw new AppError({
          code: 'unavailable',
          message: 'The statement is still running. Its rows can be sorted and filtered when it has finished.',
        });
      const shown = this.#shown;
      const arranged = isPlain ? null : await this.#arrangedBy(arrangement, shown, request);
      // A live result has run again in the meantime, and these are not its rows; or it does now, and arranges them as they were before.
      if ((shown !== this.#shown || this.#running) && !this.#disposed) continue;
      this.#arrangement = isPlain ? null : arrangement;
      this.#arranged = arranged;
      break;
    }
    this.#host.rowsChanged();
    this.#host.extentChanged();
    return { rows: this.rows.rowCount, total: this.#shown.rowCount };
  }

  /**
   * Computes something from all rows as they are shown; begins again if a live result has run again in the meantime.
   *
   * @param request what the queue needs to stop it for its caller
   */
  async overRows<T>(
    title: string,
    request: Pick<WorkRequest<unknown>, 'call' | 'onCancel'>,
    body: (turn: Turn, rows: KeptRows) => Generator<Pause, T>,
  ): Promise<T> {
    const { database, window } = this.#host;
    for (;;) {
      if (this.#stale) await this.freshen();
      else if (this.#running) await this.#running;
      const { rows } = this;
      try {
        return await database.enqueue({ window, kind: 'read', title, ...request, body: (turn) => body(turn, rows) });
      } catch (error) {
        if (!rows.disposed || this.#disposed) throw error;
      }
    }
  }

  async #arrangedBy(
    arrangement: ResultArrangement,
    spool: Spool,
    request: Pick<WorkRequest<unknown>, 'call' | 'onCancel'>,
  ): Promise<ArrangedRows | null> {
    const { database, window } = this.#host;
    try {
      const positions = await database.enqueue({
        window,
        kind: 'read',
        title: `Sorting and filtering ${this.title}`,
        ...request,
        body: (turn) => arrangeRows(turn, spool, arrangement),
      });
      return new ArrangedRows(spool, positions);
    } catch (error) {
      if (spool.disposed && !this.#disposed) return null;
      throw error;
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#shown.dispose();
  }

  get #follows(): boolean {
    return this.#state === 'live' || this.#state === 'failed';
  }

  #assertRunsAgain(): SpooledQuery {
    if (this.#query) return this.#query;
    throw new AppError({ code: 'invalid', message: 'Only the result of a single SELECT can be kept up to date.' });
  }

  #runOnce(limitMs: number | null, isAskedFor: boolean): Promise<void> {
    this.#running ??= this.#runAgain(limitMs, isAskedFor).finally(() => (this.#running = null));
    return this.#running;
  }

  async #runAgain(limitMs: number | null, isAskedFor: boolean): Promise<void> {
    const restMs = isAskedFor ? 0 : this.#restUntilMs - performance.now();
    if (restMs > 0) await yieldToOthers(restMs);
    if (this.#disposed || !(isAskedFor || this.#follows)) return;
    const fresh = new Spool(this.layout.columns.length);
    let arranged: ArrangedRows | null;
    try {
      arranged = await this.#fill(fresh, limitMs, () => undefined);
    } catch (error) {
      fresh.dispose();
      this.#stale = true;
      if (this.#disposed) return;
      if (isAskedFor && !this.#follows) throw error;
      this.#noteFailure(error);
      return;
    } finally {
      this.#restUntilMs = performance.now() + this.#runMs * REST_FACTOR;
    }
    if (this.#disposed) return fresh.dispose();
    this.#shown.dispose();
    this.#shown = fresh;
    this.#arranged = arranged;
    this.#complete = true;
    this.#failure = null;
    this.#ranWhole();
    this.#host.rowsChanged();
    this.#host.extentChanged();
  }

  /** SQLite cannot be interrupted everywhere, so a run may complete after its limit. */
  #ranWhole(): void {
    if (this.#follows) this.#become(this.#ranPastLimit ? 'too-slow' : 'live');
    else this.#host.liveChanged();
  }

  #noteFailure(error: unknown): void {
    if (!isStop(error)) this.#become('failed', sentenceOf(error));
    else if (this.#ranPastLimit) this.#become('too-slow');
    else this.#become(this.#whenStopped, this.#whenStopped === 'failed' ? sentenceOf(error) : null);
  }

  #become(state: LiveState, why: string | null = null): void {
    this.#state = state;
    this.#why = why;
    if (!this.#disposed) this.#host.liveChanged();
  }

  /** Returns the rows as the user has arranged them; null if that is how SQLite returned them. */
  #fill(spool: Spool, limitMs: number | null, grown: () => void): Promise<ArrangedRows | null> {
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
    const { sql, params, reads } = this.#query!;
    let resumed = performance.now();
    this.#runMs = 0;
    this.#stale = false;
    let statement: Statement | null = null;
    try {
      reads.learn();
      statement = turn.connection.prepare(sql);
      this.#checkColumns(statement);
      statement.bind(params);
      for (const pause of fillSpool(turn, statement, spool, grown)) {
        if (this.#disposed) return discarded(spool);
        this.#runMs += performance.now() - resumed;
        yield pause;
        resumed = performance.now();
      }
      statement.finalize();
      statement = null;
      const arrangement = this.#arrangement;
      if (!arrangement) return null;
      const arranging = arrangeRows(turn, spool, arrangement);
      for (;;) {
        const { done, value } = arranging.next();
        if (done) return new ArrangedRows(spool, value);
        if (this.#disposed) return discarded(spool);
        this.#runMs += performance.now() - resumed;
        yield value;
        resumed = performance.now();
      }
    } finally {
      this.#runMs += performance.now() - resumed;
      this.#ranPastLimit = turn.isPastLimit;
      statement?.finalize();
    }
  }

  #checkColumns({ columns }: Statement): void {
    const names = JSON.stringify(columns.map(({ name }) => name));
    this.#columnNames ??= this.#complete ? JSON.stringify(this.layout.columns.map(({ name }) => name)) : names;
    if (names === this.#columnNames) return;
    throw new AppError({
      code: 'unavailable',
      message: 'The query has different columns now. The previous rows are kept; run it again to see the new columns.',
    });
  }
}

function discarded(spool: Spool): null {
  spool.dispose();
  return null;
}

function isStop(error: unknown): boolean {
  return error instanceof AppError && error.code === 'stopped';
}

function sentenceOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The query could not be run again. The previous rows are kept.';
}

// Pages the spooled rows of a query: a one-time result, a view, or a live result. A reader that follows changes runs again into a new spool
// and shows that when it is complete, so rows never come from two runs.
import type { ResultArrangement } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { LiveState, LiveStatus } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { TransactionChanges } from '../engines/engine.ts';
import type { Pause, Turn, WorkRequest } from '../sessions/session.ts';
import { sameValue } from '../sql/same-value.ts';
import { arrangeRows } from './arrange/arrange-rows.ts';
import { ArrangedRows } from './arrange/arranged-rows.ts';
import type { KeptRows } from './arrange/arranged-rows.ts';
import type { Key } from './key-order.ts';
import { PAGE_BYTES } from './key-walker.ts';
import { LiveStanding } from './live-standing.ts';
import { QueryRun, isStop } from './query-run.ts';
import type { RunOwner, SpooledQuery } from './query-run.ts';
import type { CellValue, Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { yieldToOthers } from './slice.ts';
import { Spool } from './spool.ts';

/** After a run the reader rests this many times as long, so that a slow query leaves the worker to other work. */
const REST_FACTOR = 2;

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

export class SpooledReader implements Reader, RunOwner {
  readonly layout: ReaderLayout;
  readonly title: string;
  runMs = 0;
  /** Settles when rows were read for the first time, or never will be. */
  readonly firstRead: Promise<void>;
  #noteRead!: () => void;
  readonly #host: ReaderHost;
  readonly #run: QueryRun | null;
  readonly #live: LiveStanding;
  /** The shown rows: old ones stay until the new ones are complete. */
  #shown: Spool;
  /** How the user has sorted and filtered the rows, and the rows that are shown because of it. Null: all of them, as SQLite returned them. */
  #arrangement: ResultArrangement | null = null;
  #arranged: ArrangedRows | null = null;
  #complete = false;
  /** Why the shown rows are incomplete: the error for reads of the missing rows. */
  #failure: unknown = null;
  #limitMs: number | null;
  #stale = false;
  #running: Promise<void> | null = null;
  #restUntilMs = 0;
  #disposed = false;

  constructor(host: ReaderHost, layout: ReaderLayout, options: SpooledOptions) {
    this.#host = host;
    this.firstRead = new Promise((resolve) => (this.#noteRead = resolve));
    this.layout = layout;
    this.title = options.title;
    this.#limitMs = options.limitMs;
    this.#live = new LiveStanding(options.state, options.whenStopped, () => {
      if (!this.#disposed) host.liveChanged();
    });
    const { title, rowsOf = null, query } = options;
    this.#run = query && new QueryRun(this, host, query, { title, rowsOf });
    this.#shown = new Spool(layout.columns.length);
  }

  get extent(): Extent {
    return { rows: this.rows.rowCount, exact: this.#complete && !(this.#stale && this.#live.state === 'live') };
  }

  get status(): Omit<LiveStatus, 'reader'> {
    const { rowCount: rows } = this.rows;
    const { state, why } = this.#live;
    return { state, stale: this.#stale, runMs: this.runMs, rows, why };
  }

  /** Parameters of the query; none when it cannot be run again. */
  get params(): readonly Value[] {
    return this.#run?.query.params ?? [];
  }

  /** The SELECT that the rows are from; null when it cannot be run again. */
  get sql(): string | null {
    return this.#run?.query.sql ?? null;
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

  get arrangement(): ResultArrangement | null {
    return this.#arrangement;
  }

  get shownColumns(): readonly string[] | null {
    return this.#complete ? this.layout.columns.map(({ name }) => name) : null;
  }

  noteBegun(): void {
    this.#stale = false;
  }

  /** The window has closed the reader, so the run that fills it may stop. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Called when there are more rows; with `runMs` the result is complete. */
  grew(runMs: number | null): void {
    this.#complete = runMs !== null;
    this.runMs = runMs ?? 0;
    if (!this.#disposed) this.#host.extentChanged();
  }

  get tables(): readonly string[] {
    return this.#run && this.#live.state === 'live' ? this.#run.query.reads.tables : [];
  }

  noteChanges(changes: TransactionChanges): Effect | null {
    if (!this.#run || this.#live.state === 'fixed') return null;
    const isTouched = this.#run.query.reads.touchedBy(changes);
    // The run that is due will include this change; a query that has failed may succeed now.
    if (!isTouched || (this.#stale && this.#live.state !== 'failed')) return null;
    this.#stale = true;
    if (this.#live.follows) return { kind: 'rows', keys: null };
    this.#host.liveChanged();
    return null;
  }

  /** Starts spooling. Resolves with the first rows; the rest follows. */
  open(): Promise<void> {
    const run = this.#assertRunsAgain();
    return new Promise((resolve, reject) => {
      run
        .fill(this.#shown, this.#limitMs, () => {
          this.#host.extentChanged();
          resolve();
        })
        .then(
          () => {
            this.#complete = true;
            this.#live.ranWhole(run.ranPastLimit);
            if (!this.#disposed) this.#host.extentChanged();
            resolve();
          },
          (error: unknown) => {
            const isTooSlow = isStop(error) && run.ranPastLimit;
            this.#stale = isTooSlow;
            this.#live.ranPartly(error, isTooSlow, false);
            if (isTooSlow) return resolve();
            this.#failure = error;
            reject(error);
          },
        );
    });
  }

  async read(start: number, count: number): Promise<RowsPage> {
    this.#noteRead();
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
    if (!this.#stale || !this.#live.follows || this.#disposed) return;
    return this.#runOnce(this.#limitMs, false);
  }

  /** @throws AppError `invalid` when it cannot be run again */
  async follow(limitMs: number | null | undefined): Promise<void> {
    await this.#assertRunsAgain().assertFollows();
    if (limitMs !== undefined) this.#limitMs = limitMs;
    // Commits in the meantime have not been checked.
    if (!this.#live.follows) this.#stale = true;
    this.#live.become('live');
    this.#host.rowsChanged();
  }

  pause(): void {
    this.#assertRunsAgain();
    this.#live.become('paused');
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
    this.#noteRead();
    this.#shown.dispose();
  }

  #assertRunsAgain(): QueryRun {
    if (this.#run) return this.#run;
    throw new AppError({ code: 'invalid', message: 'Only the result of a single SELECT can be kept up to date.' });
  }

  #runOnce(limitMs: number | null, isAskedFor: boolean): Promise<void> {
    this.#running ??= this.#runAgain(limitMs, isAskedFor).finally(() => (this.#running = null));
    return this.#running;
  }

  async #runAgain(limitMs: number | null, isAskedFor: boolean): Promise<void> {
    const run = this.#assertRunsAgain();
    const restMs = isAskedFor ? 0 : this.#restUntilMs - performance.now();
    if (restMs > 0) await yieldToOthers(restMs);
    if (this.#disposed || !(isAskedFor || this.#live.follows)) return;
    const fresh = new Spool(this.layout.columns.length);
    let arranged: ArrangedRows | null;
    try {
      arranged = await run.fill(fresh, limitMs, () => undefined);
    } catch (error) {
      fresh.dispose();
      this.#stale = true;
      if (this.#disposed) return;
      if (isAskedFor && !this.#live.follows) throw error;
      this.#live.ranPartly(error, isStop(error) && run.ranPastLimit, true);
      return;
    } finally {
      this.#restUntilMs = performance.now() + this.runMs * REST_FACTOR;
    }
    if (this.#disposed) return fresh.dispose();
    this.#shown.dispose();
    this.#shown = fresh;
    this.#arranged = arranged;
    this.#complete = true;
    this.#failure = null;
    this.#live.ranWhole(run.ranPastLimit);
    this.#host.rowsChanged();
    this.#host.extentChanged();
  }
}

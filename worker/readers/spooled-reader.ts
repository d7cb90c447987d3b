// Pages the spooled rows of a query: a one-time result, a view, or a live result. A reader that follows changes runs again into a new spool
// and shows that when it is complete, so rows never come from two runs.
import type { CellCondition } from '#shared/cell-test.ts';
import type { ResultArrangement } from '#shared/protocol/arrange.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { LiveState, LiveStatus } from '#shared/protocol/live.ts';
import type { Extent, RowsPage } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { Pause, Turn, WorkRequest } from '../sessions/session.ts';
import { arrangeRows } from './arrange/arrange-rows.ts';
import { ArrangedRows, type KeptRows } from './arrange/arranged-rows.ts';
import { Freshness } from './freshness.ts';
import type { Key } from './key-order.ts';
import { QueryRun, isStop, type RunOwner, type SpooledQuery } from './query-run.ts';
import type { CellValue, Effect, Reader, ReaderHost, ReaderLayout } from './reader.ts';
import { ShownRows } from './shown-rows.ts';
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
  readonly #shown: ShownRows;
  /** Freshness of the shown rows: the runs after the first one. */
  readonly #freshness = new Freshness();
  readonly #work: ShownWork;
  #limitMs: number | null;
  /** Settles when the run that {@link open} began has ended, in whatever way. */
  #opened: Promise<void> = Promise.resolve();
  #restUntilMs = 0;
  /** Rows of a statement that is not run again miss a commit, or are not what a run outside its transaction returns. */
  #isBehind = false;
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
    this.#shown = new ShownRows(layout.columns.length);
    this.#work = new ShownWork(this, host, this.#shown, this.#freshness);
  }

  get extent(): Extent {
    return {
      rows: this.rows.rowCount,
      exact: this.#shown.isComplete && !(this.#freshness.isOutdated && this.#live.state === 'live'),
    };
  }

  get status(): Omit<LiveStatus, 'reader'> {
    const { rowCount: rows } = this.rows;
    const { state, why } = this.#live;
    return { state, stale: this.#freshness.isOutdated, runMs: this.runMs, rows, why };
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
    return this.#shown.spool;
  }

  /** Rows that are shown and exported, by position in the window. */
  get rows(): KeptRows {
    return this.#shown.rows;
  }

  get isArranged(): boolean {
    return this.#shown.isArranged;
  }

  get arrangement(): ResultArrangement | null {
    return this.#shown.arrangement;
  }

  get shownColumns(): readonly string[] | null {
    return this.#shown.isComplete ? this.layout.columns.map(({ name }) => name) : null;
  }

  noteBegun(): void {
    this.#freshness.renew();
  }

  /** The window has closed the reader, so the run that fills it may stop. */
  get disposed(): boolean {
    return this.#disposed;
  }

  /** Called when there are more rows; with `runMs` the result is complete. */
  grew(runMs: number | null): void {
    this.#shown.noteFilled(runMs === null ? 'partial' : 'complete');
    this.runMs = runMs ?? 0;
    if (!this.#disposed) this.#host.extentChanged();
  }

  /** A run of the query would return other rows than the user's statement did. */
  fellBehind(): void {
    this.#isBehind = true;
  }

  get tables(): readonly string[] {
    return this.#run && this.#live.state === 'live' ? this.#run.query.reads.tables : [];
  }

  noteChanges(changes: TransactionChanges): Effect | null {
    if (!this.#run || this.#live.state === 'fixed') {
      this.#isBehind = true;
      return null;
    }
    const isTouched = this.#run.query.reads.touchedBy(changes);
    // The run that is due will include this change; a query that has failed may succeed now.
    if (!isTouched || (this.#freshness.isOutdated && this.#live.state !== 'failed')) return null;
    this.#freshness.expire();
    if (this.#live.follows) return { kind: 'rows', keys: null };
    this.#host.liveChanged();
    return null;
  }

  /** Starts spooling. Resolves with the first rows; the rest follows. */
  open(): Promise<void> {
    const run = this.#assertRunsAgain();
    return new Promise((resolve, reject) => {
      this.#opened = run
        .fill(this.#shown.spool, this.#limitMs, () => {
          this.#host.extentChanged();
          resolve();
        })
        .then(
          () => {
            this.#shown.noteFilled('complete');
            this.#live.ranWhole(run.ranPastLimit);
            if (!this.#disposed) this.#host.extentChanged();
            resolve();
          },
          (error: unknown) => {
            const isTooSlow = isStop(error) && run.ranPastLimit;
            if (isTooSlow) this.#freshness.expire();
            else this.#freshness.renew();
            this.#live.ranPartly(error, isTooSlow, false);
            if (isTooSlow) return resolve();
            this.#shown.noteFailed(error);
            reject(error);
          },
        );
    });
  }

  async read(start: number, count: number): Promise<RowsPage> {
    this.#noteRead();
    if (this.#freshness.isOutdated) void this.freshen();
    else this.#shown.assertReached(start + count);
    return { rows: this.#shown.read(start, count), start, exactPosition: true, extent: this.extent };
  }

  async find(key: Key): Promise<number | null> {
    return this.#shown.find(key, this.layout.key.columns);
  }

  valueAt(position: number, column: number): CellValue {
    return this.#shown.valueAt(position, column);
  }

  async freshen(): Promise<void> {
    if (this.#freshness.run) return this.#freshness.run;
    if (!this.#freshness.isOutdated || !this.#live.follows || this.#disposed) return;
    return this.#runOnce(this.#limitMs, false);
  }

  /** @throws AppError `invalid` when it cannot be run again */
  async follow(limitMs: number | null | undefined): Promise<void> {
    await this.#assertRunsAgain().assertFollows();
    if (limitMs !== undefined) this.#limitMs = limitMs;
    // Which tables those commits changed has not been checked.
    if (this.#isBehind) this.#freshness.expire();
    this.#isBehind = false;
    this.#live.become('live');
    if (this.#freshness.isOutdated) this.#host.rowsChanged();
  }

  pause(): void {
    this.#assertRunsAgain();
    this.#live.become('paused');
  }

  /** Runs the query now, whatever the state, for as long as it takes: the user requested it and can stop it. */
  async refresh(): Promise<void> {
    this.#assertRunsAgain();
    await this.#freshness.run;
    this.#freshness.expire();
    await this.#runOnce(null, true);
  }

  /** @throws AppError `unavailable` while rows are still being read, `stopped`, `full`, `invalid`; the rows stay as they were */
  arrange(
    arrangement: ResultArrangement,
    request: QueueRequest,
  ): Promise<{ readonly rows: number; readonly total: number }> {
    return this.#work.arrange(arrangement, request);
  }

  /**
   * Positions of the rows with any column that meets the condition. Waits until a view, or a query that is run for its rows alone, has all of
   * them. @throws AppError as `arrange` does
   */
  async containing(condition: CellCondition, request: QueueRequest): Promise<Uint32Array> {
    await this.#opened;
    this.#shown.assertComplete();
    const filter = [{ column: null, ...condition }];
    return this.overRows(`Searching ${this.title}`, request, (turn, rows) =>
      arrangeRows(turn, rows, { sort: [], filter }),
    );
  }

  /** Computes something from all rows in the order shown. */
  overRows<T>(
    title: string,
    request: QueueRequest,
    body: (turn: Turn, rows: KeptRows) => Generator<Pause, T>,
  ): Promise<T> {
    return this.#work.over(title, request, body);
  }

  dispose(): void {
    this.#disposed = true;
    this.#noteRead();
    this.#shown.dispose();
  }

  #assertRunsAgain(): QueryRun {
    if (this.#run) return this.#run;
    throw AppError.invalid('Only the result of a single SELECT can be kept up to date.');
  }

  #runOnce(limitMs: number | null, isAskedFor: boolean): Promise<void> {
    return this.#freshness.start('waiting', () => this.#runAgain(limitMs, isAskedFor));
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
      this.#freshness.expire();
      if (this.#disposed) return;
      if (isAskedFor && !this.#live.follows) throw error;
      this.#live.ranPartly(error, isStop(error) && run.ranPastLimit, true);
      return;
    } finally {
      this.#restUntilMs = performance.now() + this.runMs * REST_FACTOR;
    }
    if (this.#disposed) return fresh.dispose();
    this.#shown.replace(fresh, arranged);
    this.#live.ranWhole(run.ranPastLimit);
    this.#host.rowsChanged();
    this.#host.extentChanged();
  }
}

/**
 * Whether a result follows the database, and why not.
 *
 *   live ── a run passes its limit ──▶ too-slow
 *   live ◀── a run fails, a later one succeeds ──▶ failed
 *   any  ── pause, or a stopped run ──▶ paused
 *   any  ── start ──▶ live
 *   fixed: the statement cannot be run again
 */
class LiveStanding {
  /** The state after the user stops a run. */
  readonly #whenStopped: 'paused' | 'failed';
  readonly #changed: () => void;
  #state: LiveState;
  #why: string | null = null;

  /** @param changed called after each run and each change of the state */
  constructor(state: LiveState, whenStopped: 'paused' | 'failed', changed: () => void) {
    this.#state = state;
    this.#whenStopped = whenStopped;
    this.#changed = changed;
  }

  get state(): LiveState {
    return this.#state;
  }

  /** Reason shown to the user, when `failed`. */
  get why(): string | null {
    return this.#why;
  }

  /** Runs again after changes. */
  get follows(): boolean {
    return this.#state === 'live' || this.#state === 'failed';
  }

  become(state: LiveState, why: string | null = null): void {
    this.#state = state;
    this.#why = why;
    this.#changed();
  }

  /** SQLite cannot be interrupted everywhere, so a run may complete after its limit. */
  ranWhole(ranPastLimit: boolean): void {
    if (this.follows) this.become(ranPastLimit ? 'too-slow' : 'live');
    else this.#changed();
  }

  /** A run ended early, with this error. @param hasRows of an earlier run, which stay on screen */
  ranPartly(error: unknown, isTooSlow: boolean, hasRows: boolean): void {
    if (isTooSlow) this.become('too-slow');
    else if (isStop(error) && hasRows && this.#whenStopped === 'paused') this.become('paused');
    else this.become('failed', sentenceOf(error));
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof AppError ? error.message : 'The query could not be run again. The previous rows are kept.';
}

/** The part the queue needs to stop the work for its caller. */
type QueueRequest = Pick<WorkRequest<unknown>, 'call' | 'onCancel'>;

/** The reader of the result. */
interface WorkOwner {
  readonly title: string;
  readonly disposed: boolean;
  freshen(): Promise<void>;
}

/**
 * Work over all rows of a result, which takes its turn in the queue of the database: it begins again if a live result has run again in the
 * meantime.
 */
class ShownWork {
  readonly #owner: WorkOwner;
  readonly #host: ReaderHost;
  readonly #shown: ShownRows;
  readonly #freshness: Freshness;

  constructor(owner: WorkOwner, host: ReaderHost, shown: ShownRows, freshness: Freshness) {
    this.#owner = owner;
    this.#host = host;
    this.#shown = shown;
    this.#freshness = freshness;
  }

  /** Sorts and filters the rows. */
  async arrange(
    arrangement: ResultArrangement,
    request: QueueRequest,
  ): Promise<{ readonly rows: number; readonly total: number }> {
    const isPlain = arrangement.sort.length + arrangement.filter.length === 0;
    for (;;) {
      // If no run is in progress, the request has to be queued at once, where a Stop finds it.
      if (this.#freshness.run) await this.#freshness.run;
      this.#shown.assertComplete();
      const { spool } = this.#shown;
      const arranged = isPlain ? null : await this.#arrangedBy(arrangement, spool, request);
      // A live result has run again in the meantime, and these are not its rows; or it does now, and arranges them as they were before.
      if ((spool !== this.#shown.spool || this.#freshness.run) && !this.#owner.disposed) continue;
      this.#shown.arrange(isPlain ? null : arrangement, arranged);
      break;
    }
    this.#host.rowsChanged();
    this.#host.extentChanged();
    return { rows: this.#shown.rows.rowCount, total: this.#shown.spool.rowCount };
  }

  async over<T>(
    title: string,
    request: QueueRequest,
    body: (turn: Turn, rows: KeptRows) => Generator<Pause, T>,
  ): Promise<T> {
    for (;;) {
      if (this.#freshness.isOutdated) await this.#owner.freshen();
      else if (this.#freshness.run) await this.#freshness.run;
      const { rows } = this.#shown;
      try {
        return await this.#enqueue(title, request, (turn) => body(turn, rows));
      } catch (error) {
        if (!rows.disposed || this.#owner.disposed) throw error;
      }
    }
  }

  async #arrangedBy(arrangement: ResultArrangement, spool: Spool, request: QueueRequest): Promise<ArrangedRows | null> {
    const title = `Sorting and filtering ${this.#owner.title}`;
    try {
      const positions = await this.#enqueue(title, request, (turn) => arrangeRows(turn, spool, arrangement));
      return new ArrangedRows(spool, positions);
    } catch (error) {
      if (spool.disposed && !this.#owner.disposed) return null;
      throw error;
    }
  }

  #enqueue<T>(title: string, request: QueueRequest, body: (turn: Turn) => Generator<Pause, T>): Promise<T> {
    const { database, window } = this.#host;
    return database.enqueue({ window, kind: 'read', title, ...request, body });
  }
}

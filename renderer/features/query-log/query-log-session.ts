// State of the query history while it is open: the runs read so far, in step with all windows, and which are chosen.
import { create } from 'zustand';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, LoggedRun, NewLoggedRun, QueryLogFilter } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { withRun } from './run-list.ts';
import type { QueryLogTab } from '../../workbench/tabs/query-log.ts';

const PAGE_RUNS = 100;
/** How often the size of the history is counted again while others run SQL. */
const SUMMARY_EVERY_MS = 1000;

export interface QueryLogView {
  readonly filter: QueryLogFilter | null;
  /** The newest first. */
  readonly runs: readonly LoggedRun[];
  /** Where to continue reading; null at the end. */
  readonly next: number | null;
  readonly isReading: boolean;
  readonly error: AppError | null;
  readonly summary: {
    readonly runs: number;
    readonly bytes: number;
    readonly databases: readonly NewLoggedRun['of'][];
  } | null;
  /** IDs, in the order in which they were chosen. */
  readonly chosen: readonly number[];
}

const EMPTY: QueryLogView = {
  filter: null,
  runs: [],
  next: null,
  isReading: true,
  error: null,
  summary: null,
  chosen: [],
};

export const queryLogSessionOf = tabSessions((_tab: QueryLogTab) => new QueryLogSession());

export class QueryLogSession {
  readonly useView = create<QueryLogView>(() => EMPTY);
  readonly #offs: readonly (() => void)[];
  /** Replies to an earlier filter are ignored. */
  #round = 0;
  #summaryTimer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    this.#offs = [
      client.on('queryLog.changed', ({ id }) => {
        this.#summaryTimer ??= setTimeout(() => this.#readSummary(), SUMMARY_EVERY_MS);
        if (id === null) this.#readAgain();
        else void this.#readOne(id).catch(notifyFailure);
      }),
      client.onReconnected(() => this.#readAgain()),
    ];
    this.#readSummary();
  }

  /** Reads from the beginning if the filter has changed. */
  show(filter: QueryLogFilter): void {
    if (JSON.stringify(filter) === JSON.stringify(this.#view.filter)) return;
    this.useView.setState({ filter, chosen: [] });
    this.#readAgain();
  }

  choose(chosen: readonly number[]): void {
    this.useView.setState({ chosen });
  }

  readMore(): void {
    const { next, isReading } = this.#view;
    if (!isReading && next !== null) void this.#read(next);
  }

  dispose(): void {
    this.#round++;
    for (const off of this.#offs) off();
    if (this.#summaryTimer !== null) clearTimeout(this.#summaryTimer);
  }

  get #view(): QueryLogView {
    return this.useView.getState();
  }

  #readAgain(): void {
    this.#round++;
    void this.#read(null);
  }

  /** One page. The worker searches for some milliseconds at a time, so that a page may take several calls, whose hits appear at once. */
  async #read(from: number | null): Promise<void> {
    const { filter } = this.#view;
    if (!filter) return;
    const round = this.#round;
    this.useView.setState({ isReading: true, error: null });
    let [before, missing, isFirst] = [from, PAGE_RUNS, from === null];
    try {
      do {
        const { runs, next } = await client.call('queryLog.list', { filter, before, limit: missing });
        if (round !== this.#round) return;
        const kept = isFirst ? [] : this.#view.runs;
        this.useView.setState({ runs: [...kept, ...runs], next });
        [before, missing, isFirst] = [next, missing - runs.length, false];
      } while (before !== null && missing > 0);
      this.useView.setState({ isReading: false });
    } catch (thrown) {
      if (round === this.#round) this.useView.setState({ isReading: false, error: toAppError(thrown) });
    }
  }

  /** A run began or ended: it is in the list if it passes the filter. */
  async #readOne(id: number): Promise<void> {
    const { filter } = this.#view;
    if (!filter) return;
    const round = this.#round;
    const { runs } = await client.call('queryLog.list', { filter, before: id + 1, limit: 1 });
    if (round !== this.#round) return;
    const [found] = runs;
    this.useView.setState(({ runs: before, next }) => ({
      runs: withRun(before, id, found?.id === id ? found : null, next),
    }));
  }

  #readSummary(): void {
    this.#summaryTimer = null;
    client.call('queryLog.summary', {}).then((summary) => this.useView.setState({ summary }), notifyFailure);
  }
}

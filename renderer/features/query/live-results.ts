// Which results of an SQL tab are live, and what the worker reports about them; others are marked when their tables change.
import type { LiveOperations, LiveStatus } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import type { LiveChoice } from '../../workbench/tabs/query.ts';
import { ofLastRun, type QueryResult, type ResultLive } from './query-view.ts';

/** A single SELECT that takes no longer than this becomes live automatically. */
const SMALL_RUN_MS = 200;

/** A result that takes no longer than this runs again after an edit of one of its cells. */
const QUICK_RUN_MS = 1000;

/** The time limits for a run of a live result that people can choose. */
export const LIMITS_MS: readonly (number | null)[] = [50, 200, 1000, null];

export type LiveAction = LiveOperations['live.set']['params']['action'];

interface LiveOwner {
  results(): readonly QueryResult[];
  patch(id: number, patch: Partial<Pick<QueryResult, 'live' | 'rows'>>): void;
}

/** Whether the rows depend on tables alone, so that the query can be run again when they change. */
export const canBeLive = ({ reads, ended }: QueryResult): boolean => ended && reads !== null && reads.length > 0;

/** The smallest limit that is enough for a run of this length. */
export const limitFor = (runMs: number, limitMs: number | null): number | null =>
  limitMs === null || limitMs > runMs ? limitMs : (LIMITS_MS.find((each) => each !== null && each > runMs) ?? null);

export class LiveResults {
  readonly #owner: LiveOwner;
  readonly #stopListening: () => void;

  constructor(owner: LiveOwner) {
    this.#owner = owner;
    this.#stopListening = client.on('live.stateChanged', (status) => this.#learn(status));
  }

  dispose(): void {
    this.#stopListening();
  }

  /** A run has ended. Its only result becomes live if that was requested, or costs little. */
  ranThrough(timeMs: number, { pinned, limitMs }: LiveChoice): void {
    const results = ofLastRun(this.#owner.results());
    for (const { id, source } of results) source.subscribe(() => this.#owner.patch(id, { rows: source.extent.rows }));
    const [only, ...others] = results;
    if (!only || others.length > 0 || !canBeLive(only) || !(pinned || timeMs < SMALL_RUN_MS)) return;
    // The user did not ask for it here: a result that cannot be live stays as it is.
    this.set(only, 'start', limitMs).catch(() => undefined);
  }

  /** @throws AppError */
  async set({ source: { reader } }: QueryResult, action: LiveAction, limitMs?: number | null): Promise<void> {
    this.#learn(await client.call('live.set', { reader, action, ...(limitMs !== undefined && { limitMs }) }));
  }

  /**
   * A cell of a result was stored. A result that does not follow its tables runs again if that is quick; otherwise it says that it is old.
   *
   * @throws AppError
   */
  async noteStored(id: number): Promise<void> {
    const result = this.#owner.results().find((each) => each.id === id);
    if (!result || result.live.state === 'live' || !canBeLive(result)) return;
    if (Math.max(result.live.runMs, result.timeMs ?? 0) <= QUICK_RUN_MS) await this.set(result, 'refresh');
  }

  /** Tables of the database changed (null: any). */
  noteChange(tables: readonly string[] | null): void {
    for (const { id, reads, live } of this.#owner.results()) {
      if (live.state === 'live' || live.stale || !reads) continue;
      if (!tables || tables.some((table) => reads.includes(table)))
        this.#owner.patch(id, { live: { ...live, stale: true } });
    }
  }

  #learn({ reader, state, stale, runMs, rows, why }: LiveStatus): void {
    const result = this.#owner.results().find(({ source }) => source.reader === reader);
    if (!result) return;
    const live: ResultLive = { state, stale, runMs, why };
    this.#owner.patch(result.id, { live, rows });
    result.source.grow({ rows, exact: true });
  }
}

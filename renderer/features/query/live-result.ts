// Keeps a result in step with the tables it reads: runs its SELECT again when they changed, while somebody looks.
import type { DatabaseId, ReaderInfo } from '#shared/protocol/index.ts';
import { client } from '../../client/database-client.ts';
import { LIVE_LIMIT_MS } from './query-run.ts';
import type { Freshness, QueryResult } from './query-view.ts';
import { closeReader, ResultSource } from './result-source.ts';

/** Share of the time that refreshing may take: after 20 ms of work it rests 60 ms. */
const REST_FACTOR = 3;

/** A refresh nobody asked for gives way: a query that has become this slow is stopped and marked old instead. */
const GIVE_UP_MS = 1000;

export interface LiveOwner {
  readonly database: DatabaseId;
  /** Results that are shown now; empty while the tab is hidden or runs something. */
  shownResults(): readonly QueryResult[];
  setFreshness(id: number, freshness: Freshness): void;
  setSource(id: number, source: ResultSource, rows: number, timeMs: number): void;
}

export class LiveResults {
  readonly #owner: LiveOwner;
  readonly #changed = new Set<number>();
  #refreshing = false;
  #disposed = false;

  constructor(owner: LiveOwner) {
    this.#owner = owner;
  }

  dispose(): void {
    this.#disposed = true;
  }

  /** Tables of the database changed (null: any). */
  noteChange(results: readonly QueryResult[], tables: readonly string[] | null): void {
    for (const { id, reads, freshness } of results) {
      if (!reads || (tables && !tables.some((table) => reads.includes(table)))) continue;
      if (freshness === 'live') this.#changed.add(id);
      else this.#owner.setFreshness(id, 'stale');
    }
    void this.refresh();
  }

  /** Runs what changed and is shown. Call also when the tab comes into view. */
  async refresh(): Promise<void> {
    if (this.#refreshing) return;
    this.#refreshing = true;
    try {
      for (let next = this.#next(); next && !this.#disposed; next = this.#next()) {
        this.#changed.delete(next.id);
        const startedAt = performance.now();
        await this.#refreshOne(next);
        await new Promise((resolve) => setTimeout(resolve, (performance.now() - startedAt) * REST_FACTOR));
      }
    } finally {
      this.#refreshing = false;
    }
  }

  /** Runs the SQL of one result again and leaves the others as they are. @throws AppError */
  async runAgain(result: QueryResult): Promise<void> {
    await this.#runInPlace(result);
    this.#owner.setFreshness(result.id, 'fixed');
  }

  #next(): QueryResult | undefined {
    return this.#owner.shownResults().find(({ id, freshness }) => freshness === 'live' && this.#changed.has(id));
  }

  async #refreshOne(result: QueryResult): Promise<void> {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
    try {
      const timeMs = await this.#runInPlace(result, giveUp.signal);
      if (timeMs > LIVE_LIMIT_MS) this.#owner.setFreshness(result.id, 'fixed');
    } catch {
      // The table was dropped, the connection lost, …: what is shown stays, marked as old.
      this.#owner.setFreshness(result.id, 'stale');
    } finally {
      clearTimeout(timer);
    }
  }

  async #runInPlace({ id, sql, source }: QueryResult, signal?: AbortSignal): Promise<number> {
    const readers: ReaderInfo[] = [];
    let rows = 0;
    try {
      const { timeMs } = await client.call(
        'query.run',
        { database: this.#owner.database, sql },
        {
          ...(signal && { signal }),
          onChunk: (chunk) => {
            if (chunk.kind === 'result') readers.push(chunk.reader);
            else if (chunk.kind === 'done') rows = chunk.rows ?? 0;
          },
        },
      );
      const info = readers.pop();
      if (info) this.#adopt(id, source, info, rows, timeMs);
      return timeMs;
    } finally {
      for (const { reader } of readers) closeReader(reader);
    }
  }

  #adopt(id: number, source: ResultSource, info: ReaderInfo, rows: number, timeMs: number): void {
    const isStillShown = this.#owner.shownResults().some((result) => result.id === id && result.source === source);
    if (this.#disposed || !isStillShown) {
      closeReader(info.reader);
      // Hidden meanwhile: refreshed when it is looked at again.
      this.#changed.add(id);
      return;
    }
    const extent = { rows, exact: true };
    if (source.fits(info)) {
      source.replace(info, extent);
      this.#owner.setSource(id, source, rows, timeMs);
    } else {
      const replacement = new ResultSource(this.#owner.database, info);
      replacement.grow(extent);
      source.close();
      this.#owner.setSource(id, replacement, rows, timeMs);
    }
  }
}

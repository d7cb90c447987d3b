// Work over all rows of a result, which takes its turn in the queue of the database: it begins again if a live result has run again in the
// meantime.
import type { ResultArrangement } from '#shared/protocol/arrange.ts';
import type { Pause, Turn, WorkRequest } from '../sessions/session.ts';
import { arrangeRows } from './arrange/arrange-rows.ts';
import { ArrangedRows } from './arrange/arranged-rows.ts';
import type { KeptRows } from './arrange/arranged-rows.ts';
import type { Freshness } from './freshness.ts';
import type { ReaderHost } from './reader.ts';
import type { ShownRows } from './shown-rows.ts';
import type { Spool } from './spool.ts';

/** The part the queue needs to stop the work for its caller. */
export type QueueRequest = Pick<WorkRequest<unknown>, 'call' | 'onCancel'>;

/** The reader of the result. */
interface WorkOwner {
  readonly title: string;
  readonly disposed: boolean;
  freshen(): Promise<void>;
}

export class ShownWork {
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

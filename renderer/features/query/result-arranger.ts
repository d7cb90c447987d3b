// Sorts and filters the results of an SQL tab. The worker does it with the rows it has stored; statements do not run again.
import { toAppError, type ResultArrangement } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import type { QueryResult } from './query-view.ts';

interface ArrangerOwner {
  results(): readonly QueryResult[];
  patch(id: number, patch: Partial<Pick<QueryResult, 'arrangement' | 'rows'>>): void;
}

/** A pending request, and the arrangement before the first of its kind. */
interface Arranging {
  readonly abort: AbortController;
  readonly before: ResultArrangement;
}

export class ResultArranger {
  readonly #owner: ArrangerOwner;
  readonly #arranging = new Map<number, Arranging>();

  constructor(owner: ArrangerOwner) {
    this.#owner = owner;
  }

  /** Shows the new order in the header at once. A pending request is stopped: only the last one counts. */
  async arrange({ id, source, arrangement }: QueryResult, wanted: ResultArrangement): Promise<void> {
    const former = this.#arranging.get(id);
    const own: Arranging = { abort: new AbortController(), before: former?.before ?? arrangement };
    this.#arranging.set(id, own);
    this.#owner.patch(id, { arrangement: wanted });
    former?.abort.abort();
    const { reader } = source;
    const { signal } = own.abort;
    try {
      const { rows } = await client.call('rows.arrange', { reader, arrangement: wanted }, { signal });
      if (this.#arranging.get(id) !== own) return;
      source.grow({ rows, exact: true });
      this.#owner.patch(id, { rows });
    } catch (thrown) {
      if (this.#arranging.get(id) !== own) return;
      this.#owner.patch(id, { arrangement: own.before });
      if (toAppError(thrown).code !== 'stopped') notifyFailure(thrown);
    } finally {
      if (this.#arranging.get(id) === own) this.#arranging.delete(id);
    }
  }

  dispose(): void {
    for (const { abort } of this.#arranging.values()) abort.abort();
    this.#arranging.clear();
  }
}

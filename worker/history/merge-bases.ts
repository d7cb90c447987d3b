// Which places of the history stay known although nothing leads back to them, and what becomes of them when steps go.
import type { StepId } from '#shared/protocol/history.ts';
import type { HistoryStore, HistoryPosition } from './store.ts';

/** A state to which a caller may later ask for the way. */
export interface KeptCommit {
  readonly mark: string;
  /** Another file differed there, and only {@link MergeBases.put} knows how. */
  readonly hasRows: boolean;
}

/** Steps on the way to it are gone. It stays, so that it is not found again by what is left. */
const LOST = -1;

export class MergeBases {
  readonly #store: HistoryStore;
  readonly #keptMarks: () => readonly KeptCommit[];

  constructor(store: HistoryStore, keptMarks: () => readonly KeptCommit[]) {
    this.#store = store;
    this.#keptMarks = keptMarks;
  }

  /** Where the database stood at `mark`; null: it is not known any more. */
  positionOf(mark: string): StepId | null {
    this.keep();
    const mergeBase = this.#store.mergeBases.all.find((each) => each.mark === mark && each.at !== LOST);
    return mergeBase ? mergeBase.at : null;
  }

  /** @param rows how another file differs from the database as it is there */
  put(mark: string, { at }: HistoryPosition, rows: Iterable<Uint8Array>): void {
    this.#store.mergeBases.put({ mark, at }, rows);
  }

  /**
   * Places are looked up while they are known: settling and forgetting leaves steps only.
   * @param now where the database is found, before the store knows it
   */
  keep(now?: { readonly mark: string; readonly position: HistoryPosition }): void {
    const wanted = this.#keptMarks();
    if (wanted.length === 0) return;
    const known = this.#store.mergeBases.all;
    for (const { mark } of known) if (!wanted.some((each) => each.mark === mark)) this.#store.mergeBases.remove(mark);
    for (const { mark, hasRows } of wanted) {
      if (hasRows || known.some((each) => each.mark === mark)) continue;
      const position = mark === now?.mark ? now.position : this.#store.positionOf(mark);
      if (position) this.#store.mergeBases.put({ mark, at: position.at });
    }
  }

  /** Before the steps from `from` to `to` go: those on the way from `here` to a merge base take it with them. */
  lose(from: StepId, to: StepId, here: StepId): void {
    this.keep();
    for (const { mark, at } of this.#store.mergeBases.all) {
      if (at === LOST) continue;
      const [low, high] = [Math.max(from, Math.min(at, here) + 1), Math.min(to, Math.max(at, here))];
      if (low <= high && this.#store.hasAny(low, high)) this.#store.mergeBases.put({ mark, at: LOST });
    }
  }
}

// Which places of the history stay known although nothing leads back to them, and what becomes of them when steps go.
import type { StepId } from '#shared/protocol/history.ts';
import type { HistoryStore, Place } from './store.ts';

/** A state that somebody may want to know the way to. */
export interface KeptMark {
  readonly mark: string;
  /** Another file differed there, and only {@link Anchors.put} knows how. */
  readonly hasRows: boolean;
}

/** Steps on the way to it are gone. It stays, so that it is not found again by what is left. */
const LOST = -1;

export class Anchors {
  readonly #store: HistoryStore;
  readonly #keptMarks: () => readonly KeptMark[];

  constructor(store: HistoryStore, keptMarks: () => readonly KeptMark[]) {
    this.#store = store;
    this.#keptMarks = keptMarks;
  }

  /** Where the database stood at `mark`; null: it is not known any more. */
  placeOf(mark: string): StepId | null {
    this.keep();
    const anchor = this.#store.anchors.all.find((each) => each.mark === mark && each.at !== LOST);
    return anchor ? anchor.at : null;
  }

  /** @param rows how another file differs from the database as it is there */
  put(mark: string, { at }: Place, rows: Iterable<Uint8Array>): void {
    this.#store.anchors.put({ mark, at }, rows);
  }

  /**
   * Places are looked up while they are known: settling and forgetting leaves steps only.
   * @param now where the database is found, before the store knows it
   */
  keep(now?: { readonly mark: string; readonly place: Place }): void {
    const wanted = this.#keptMarks();
    if (wanted.length === 0) return;
    const known = this.#store.anchors.all;
    for (const { mark } of known) if (!wanted.some((each) => each.mark === mark)) this.#store.anchors.remove(mark);
    for (const { mark, hasRows } of wanted) {
      if (hasRows || known.some((each) => each.mark === mark)) continue;
      const place = mark === now?.mark ? now.place : this.#store.placeOf(mark);
      if (place) this.#store.anchors.put({ mark, at: place.at });
    }
  }

  /** Before the steps from `from` to `to` go: those on the way from `here` to an anchor take it with them. */
  lose(from: StepId, to: StepId, here: StepId): void {
    this.keep();
    for (const { mark, at } of this.#store.anchors.all) {
      if (at === LOST) continue;
      const [low, high] = [Math.max(from, Math.min(at, here) + 1), Math.min(to, Math.max(at, here))];
      if (low <= high && this.#store.hasAny(low, high)) this.#store.anchors.put({ mark, at: LOST });
    }
  }
}

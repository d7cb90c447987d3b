// Decides which positions of the history stay known although no step leads back to them, and what happens to them when steps are removed.
import type { StepId } from '#shared/protocol/history.ts';
import type { HistoryStore, HistoryPosition } from './store.ts';

/** A state to which a caller may later ask for the way. */
export interface KeptCommit {
  readonly mark: string;
  /** Another file differed there; {@link MergeBases.put} has stored how. */
  readonly hasRows: boolean;
}

/**
 * Position of a merge base when steps on the way to it are gone. The entry is kept so that the remaining steps do not lead to it by
 * mistake.
 */
const LOST = -1;

export class MergeBases {
  readonly #store: HistoryStore;
  readonly #keptMarks: () => readonly KeptCommit[];

  constructor(store: HistoryStore, keptMarks: () => readonly KeptCommit[]) {
    this.#store = store;
    this.#keptMarks = keptMarks;
  }

  /** The position of the database at `mark`; null when it is no longer known. */
  positionOf(mark: string): StepId | null {
    this.keep();
    const mergeBase = this.#store.mergeBases.all.find((each) => each.mark === mark && each.at !== LOST);
    return mergeBase ? mergeBase.at : null;
  }

  /** @param rows how another file differs from the database at that position */
  put(mark: string, { at }: HistoryPosition, rows: Iterable<Uint8Array>): void {
    this.#store.mergeBases.put({ mark, at }, rows);
  }

  /**
   * Positions are looked up now, while they are known: settling and forgetting keeps only steps.
   * @param now the current position of the database, before the store knows it
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

  /**
   * Call before the steps from `from` to `to` are removed. If they lie between `here` and a merge base, that base is lost too.
   */
  lose(from: StepId, to: StepId, here: StepId): void {
    this.keep();
    for (const { mark, at } of this.#store.mergeBases.all) {
      if (at === LOST) continue;
      const [low, high] = [Math.max(from, Math.min(at, here) + 1), Math.min(to, Math.max(at, here))];
      if (low <= high && this.#store.hasAny(low, high)) this.#store.mergeBases.put({ mark, at: LOST });
    }
  }
}

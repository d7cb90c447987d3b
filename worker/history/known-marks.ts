// Looks up states of a timeline by commit mark: the steps to one, and whether a step is part of the current state.
import type { HistoryStep, StepId } from '#shared/protocol/history.ts';
import { MergeBases, type KeptCommit } from './merge-bases.ts';
import type { HistoryPosition, HistoryStore } from './store.ts';

/** A reference to a step from outside the history, which may start over. */
export interface KnownStep {
  readonly mark: string;
  readonly id: StepId;
  readonly born: number;
}

export interface Way {
  readonly isBack: boolean;
  readonly steps: readonly { readonly id: StepId; readonly kind: HistoryStep['kind'] }[];
}

export class KnownMarks {
  readonly #store: HistoryStore;
  readonly #position: () => HistoryPosition;
  readonly #bases: MergeBases;
  readonly #answers = new Map<string, unknown>();
  #answersAt = -1;

  /** @param position the current position of the database */
  constructor(store: HistoryStore, position: () => HistoryPosition, keptMarks: () => readonly KeptCommit[]) {
    this.#store = store;
    this.#position = position;
    this.#bases = new MergeBases(store, keptMarks);
  }

  /**
   * The steps from the current position of the database to that at `mark`, in order: either all to undo or all to redo. Null when they are
   * no longer known.
   */
  wayTo(mark: string): Way | null {
    const target = this.#bases.positionOf(mark);
    if (target === null) return null;
    const { at } = this.#position();
    const isBack = target <= at;
    const steps = isBack ? this.#store.range(target + 1, at) : this.#store.range(at + 1, target).reverse();
    return steps.some(({ kind }) => kind === 'gap') ? null : { isBack, steps };
  }

  /** Whether no step lies between the current position of the database and that at `mark`. Called often, so it reads no steps. */
  standsAt(mark: string): boolean {
    return this.#answer(`stands at ${mark}`, () => {
      const target = this.#bases.positionOf(mark);
      if (target === null) return false;
      const { at } = this.#position();
      return !this.#store.hasAny(Math.min(target, at) + 1, Math.max(target, at));
    });
  }

  /** @param rows how another file differs from the database as it is now */
  putBase(mark: string, rows: Iterable<Uint8Array>): void {
    this.#bases.put(mark, this.#position(), rows);
  }

  /** Whether the changes of the step with this mark are part of the database now; null when that is no longer known. */
  isDone({ mark, id, born }: KnownStep): boolean | null {
    return this.#answer(`is done ${born} ${id} ${mark}`, () => {
      if (born !== this.#store.born) return null;
      const step = this.#store.stepWithMark(mark, this.#position().at);
      if (step) return step.state === 'done';
      const { oldest } = this.#store;
      return oldest !== null && oldest < id ? false : null;
    });
  }

  /** Returns a reference to the step with this mark for later calls. */
  known(mark: string): KnownStep | null {
    const step = this.#store.stepWithMark(mark, this.#position().at);
    return step && { mark, id: step.id, born: this.#store.born };
  }

  /** Notes that the current position of the database has the commit mark `mark`. */
  settle(mark: string): void {
    this.#bases.keep({ mark, position: this.#position() });
  }

  /** Call before these steps are removed. */
  lose(from: StepId, to: StepId): void {
    this.#bases.lose(from, to, this.#position().at);
  }

  /** Cached until the history is written to, so that frequent requests to all databases do not open their files. */
  #answer<T>(question: string, find: () => T): T {
    const { changes } = this.#store;
    if (changes !== this.#answersAt) this.#answers.clear();
    this.#answersAt = changes;
    if (!this.#answers.has(question)) this.#answers.set(question, find());
    return this.#answers.get(question) as T;
  }
}

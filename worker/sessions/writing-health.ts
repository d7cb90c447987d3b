// Tracks whether a database can be written to at the moment, and the sentence that says why not.
import { AppError, inParts } from '#shared/protocol/errors.ts';

/** SQLITE_NOMEM. */
const NO_MEMORY = 7;
/** SQLITE_CORRUPT_VTAB: one full-text or R-Tree index is damaged, and writing is how it gets rebuilt. */
const CORRUPT_VTAB = 267;

export class WritingHealth {
  #why: string | null = null;
  #damaged = false;
  #held: string | null = null;

  get why(): string | null {
    return this.#held ?? this.#why;
  }

  get isHeld(): boolean {
    return this.#held !== null;
  }

  /**
   * A full disk does not refuse writes, because only another try shows whether there is room again. A damaged file does, because a write
   * makes it worse.
   */
  refusal(): AppError | null {
    if (this.#held) return AppError.unavailable(inParts(this.#held, 'Nothing was changed.'));
    return this.#damaged && this.#why ? AppError.corrupt(this.#why) : null;
  }

  /** Refuses writes because the file itself does not allow them. Returns true when that is new. */
  hold(why: string | null): boolean {
    const before = this.#held;
    this.#held = why;
    // oxlint-disable-next-line sidelite/text-decisions -- whether windows have to be told another sentence
    return before !== why;
  }

  /** Notes how a write ended. Returns true when that changed the state. */
  note(error: unknown): boolean {
    const before = this.#why;
    if (error === undefined) {
      if (!this.#damaged) this.#why = null;
    } else if (error instanceof AppError) this.#noteFailure(error);
    return this.#why !== before;
  }

  #noteFailure(error: AppError): void {
    if (error.sqlite?.result === NO_MEMORY) {
      this.#why =
        'The last write needed more than the 2 GiB of memory the engine can have; it changed nothing. Reading works, and writing is tried again each time. Closing large results or restarting Sidelite frees memory.';
    } else if (error.code === 'full') {
      this.#why = 'The disk or the storage quota is full. Reading works; free some space, then write again.';
    } else if (error.code === 'io') {
      this.#why = 'The last write failed on the disk. Earlier commits are kept; writing is tried again each time.';
    } else if (error.code === 'corrupt' && error.sqlite?.extended !== CORRUPT_VTAB) {
      this.#damaged = true;
      this.#why =
        'This database file is damaged, so it is kept read-only. Export it and open the copy: Sidelite then offers to recover what can be read.';
    }
  }
}

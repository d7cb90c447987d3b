// When to read the clock in a loop over items that may take less time than reading it: rows, statements, and calls of a handler. If the
// items take long, the clock is read after each.

/** Most items between two clock reads. */
const MAX_UNREAD = 16;
const FIRST = 2;
/** Time between two clock reads from which on items count as long. */
const LONG_MS = 1;

export class ClockReads {
  #passed = 0;
  #every = FIRST;
  #readAtMs = 0;

  /** The clock is read after each item. */
  get isSlow(): boolean {
    return this.#every === 1;
  }

  /** Items have passed since the last clock read. */
  get hasUnread(): boolean {
    return this.#passed > 0;
  }

  /** Call before a loop over items of another kind. */
  begin(): void {
    this.#passed = 0;
    this.#every = FIRST;
  }

  /** Call for each item. Returns whether to read the clock now, and to call {@link noteRead}. */
  isDue(): boolean {
    return ++this.#passed >= this.#every;
  }

  noteRead(nowMs: number): void {
    this.#passed = 0;
    this.#every = nowMs - this.#readAtMs >= LONG_MS ? 1 : Math.min(this.#every * 2, MAX_UNREAD);
    this.#readAtMs = nowMs;
  }
}

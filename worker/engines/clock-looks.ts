// When to read the clock between things that may be shorter than reading it: rows, statements, and calls of a handler. Things that
// take long are looked at one by one.

/** Fast ones between two looks. */
const MAX_UNSEEN = 16;
const FIRST = 2;
/** So much between two looks is long. */
const LONG_MS = 1;

export class ClockLooks {
  #passed = 0;
  #every = FIRST;
  #lookedAtMs = 0;

  /** Each one is worth a look. */
  get isSlow(): boolean {
    return this.#every === 1;
  }

  /** Some have passed since the last look. */
  get hasUnseen(): boolean {
    return this.#passed > 0;
  }

  /** Call when others come than before. */
  begin(): void {
    this.#passed = 0;
    this.#every = FIRST;
  }

  /** Call for each. Returns whether to read the clock now, and to call {@link looked}. */
  isDue(): boolean {
    return ++this.#passed >= this.#every;
  }

  looked(nowMs: number): void {
    this.#passed = 0;
    this.#every = nowMs - this.#lookedAtMs >= LONG_MS ? 1 : Math.min(this.#every * 2, MAX_UNSEEN);
    this.#lookedAtMs = nowMs;
  }
}

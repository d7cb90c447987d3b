// When to read the clock between things that may be shorter than reading it: rows, statements, and calls of a handler. Things that
// take long each get a reading.

/** Fast ones between two readings. */
const MAX_UNSEEN = 16;
const FIRST = 2;
/** So much between two readings is long. */
const LONG_MS = 1;

export class ClockSampling {
  #passed = 0;
  #every = FIRST;
  #sampledAtMs = 0;

  /** Each one is worth a reading. */
  get isSlow(): boolean {
    return this.#every === 1;
  }

  /** Some have passed since the last reading. */
  get hasUnseen(): boolean {
    return this.#passed > 0;
  }

  /** Call when others come than before. */
  begin(): void {
    this.#passed = 0;
    this.#every = FIRST;
  }

  /** Call for each. Returns whether to read the clock now, and to call {@link sampled}. */
  isDue(): boolean {
    return ++this.#passed >= this.#every;
  }

  sampled(nowMs: number): void {
    this.#passed = 0;
    this.#every = nowMs - this.#sampledAtMs >= LONG_MS ? 1 : Math.min(this.#every * 2, MAX_UNSEEN);
    this.#sampledAtMs = nowMs;
  }
}

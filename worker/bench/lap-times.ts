// The times of single executions, or of groups of them where one is too short for the clock.
import type { Laps } from './driver.ts';

const INITIAL = 1_024;

/** Milliseconds, in order. Adding a time allocates nothing. */
export class TimeList {
  #times = new Float64Array(INITIAL);
  #count = 0;

  push(ms: number): void {
    if (this.#count === this.#times.length) this.#grow();
    this.#times[this.#count++] = ms;
  }

  values(): Float64Array {
    return this.#times.slice(0, this.#count);
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2);
    larger.set(this.#times);
    this.#times = larger;
  }
}

export class LapTimes implements Laps {
  readonly #group: number;
  readonly #list = new TimeList();
  #inGroup = 0;
  #started = 0;

  constructor(group: number) {
    this.#group = group;
  }

  begin(): void {
    if (this.#inGroup === 0) this.#started = performance.now();
  }

  end(): void {
    if (++this.#inGroup < this.#group) return;
    const elapsed = (performance.now() - this.#started) / this.#group;
    this.#inGroup = 0;
    this.#list.push(elapsed);
  }

  /** Milliseconds of one execution each. */
  times(): Float64Array {
    return this.#list.values();
  }
}

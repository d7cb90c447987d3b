// Runs an action once nothing has happened for a while. Calling it after every commit is cheap: it sets a timer only when none runs.
import type { Clock } from './clock.ts';

export class QuietTimer {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #action: () => void;
  #dueMs = 0;
  #callOff: (() => void) | null = null;

  constructor(clock: Clock, delayMs: number, action: () => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#action = action;
  }

  /** Something happened: it is quiet `delayMs` after the last of these. */
  poke(): void {
    this.#dueMs = this.#clock.now() + this.#delayMs;
    if (this.#callOff === null) this.#wait(this.#delayMs);
  }

  cancel(): void {
    this.#callOff?.();
    this.#callOff = null;
  }

  #wait(delayMs: number): void {
    this.#callOff = this.#clock.after(delayMs, () => {
      this.#callOff = null;
      const leftMs = this.#dueMs - this.#clock.now();
      if (leftMs > 0) this.#wait(leftMs);
      else this.#action();
    });
  }
}

// Reports when the grid has come to rest.

/** This long after the last movement, the ARIA mirror and the scroll bar are updated, and the rows are watched. */
const SETTLE_MS = 80;

export class SettleTimer {
  readonly #onSettled: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onSettled: () => void) {
    this.#onSettled = onSettled;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  /** Fires once the grid has been quiet if it is moving. Otherwise fires after this time at the latest, however often it is called. */
  soon(isMoving: boolean): void {
    if (isMoving) clearTimeout(this.#timer);
    else if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#onSettled();
    }, SETTLE_MS);
  }
}

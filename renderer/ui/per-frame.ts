// Passes on the items of a stream at most once a frame, in order: data that is drawn once need not be prepared many times.

export class PerFrame<T> {
  readonly #take: (items: readonly T[]) => void;
  #waiting: T[] = [];
  #frame: number | null = null;
  readonly #onVisibility = (): void => {
    if (document.hidden) this.flush();
  };

  constructor(take: (items: readonly T[]) => void) {
    this.#take = take;
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  /**
   * Items after a pause are delivered at once, items that follow are delivered when the next frame begins. A hidden window has no frames,
   * so nothing waits there.
   */
  add(items: readonly T[]): void {
    this.#waiting = this.#waiting.concat(items);
    if (this.#frame === null || document.hidden) this.flush();
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const items = this.#waiting;
    this.#waiting = [];
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.flush();
    });
    this.#take(items);
  }

  /** Ends the stream: delivers the waiting items, and accepts no more. */
  end(): void {
    this.flush();
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }
}

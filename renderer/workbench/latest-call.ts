// Work of which only the newest call counts: starting it again stops the call before.

export class LatestCall {
  #abort: AbortController | null = null;

  /** Returns null when a newer call began, or the work was stopped here. Fails as `work` fails otherwise. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<{ readonly value: T } | null> {
    this.stop();
    const abort = new AbortController();
    this.#abort = abort;
    try {
      const value = await work(abort.signal);
      return this.#abort === abort ? { value } : null;
    } catch (thrown) {
      if (this.#abort !== abort) return null;
      throw thrown;
    }
  }

  stop(): void {
    this.#abort?.abort();
    this.#abort = null;
  }
}

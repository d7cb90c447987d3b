// Sends the hits of a search in chunks. Unlike progress, no hit may be lost: one that has no room is sent with the next chunk.
import type { SearchChunk, SearchHit } from '#shared/protocol/explore.ts';
import type { Progress } from '#shared/protocol/library.ts';

export class HitReporter {
  readonly #emit: (chunk: SearchChunk) => Promise<void>;
  #unsent: SearchHit[] = [];
  #progress: Progress = { phase: 'Searching', done: 0, total: null, unit: 'steps' };
  #sending: Promise<void> | null = null;

  constructor(emit: (chunk: SearchChunk) => Promise<void>) {
    this.#emit = emit;
  }

  add(hit: SearchHit): void {
    this.#unsent.push(hit);
  }

  tell(progress: Progress): void {
    this.#progress = progress;
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
  }

  /** Resolves when every hit is sent, or the port is closed. */
  async sent(): Promise<void> {
    await this.#sending;
    if (this.#unsent.length > 0) await this.#send();
  }

  async #send(): Promise<void> {
    const hits = this.#unsent;
    this.#unsent = [];
    await this.#emit({ progress: this.#progress, hits }).catch(() => undefined); // the window is gone
  }
}

// Sends what happens in a run as fast as the window takes it: one chunk for all that has piled up, without what is outdated by then.
import type { QueryChunk, QueryEvent } from '#shared/protocol/query.ts';

export class ChunkOutbox {
  readonly #emit: (chunk: QueryChunk) => Promise<void>;
  #pending: QueryEvent[] = [];
  #pumping: Promise<void> | null = null;

  constructor(emit: (chunk: QueryChunk) => Promise<void>) {
    this.#emit = emit;
  }

  push(event: QueryEvent): void {
    const last = this.#pending.at(-1);
    const counts = event.kind === 'rows' || event.kind === 'progress';
    if (counts && last?.kind === event.kind) this.#pending.pop();
    this.#pending.push(event);
    this.#pumping ??= this.#pump().finally(() => (this.#pumping = null));
  }

  /** Resolves when everything has been sent, or when the window no longer wants it. */
  async drained(): Promise<void> {
    await this.#pumping;
  }

  async #pump(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        // Not before the slice that is running has ended: what it still brings goes with this.
        await Promise.resolve();
        const chunk = this.#pending;
        this.#pending = [];
        await this.#emit(chunk);
      }
    } catch {
      // The window has canceled: the run itself ends with `stopped`.
      this.#pending = [];
    }
  }
}

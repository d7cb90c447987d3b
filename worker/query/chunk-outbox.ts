// Sends the events of a run as fast as the window takes them: all pending events in one chunk, without outdated ones.
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
        // Wait for the end of the running slice, so that its events go into the same chunk.
        await Promise.resolve();
        const chunk = this.#pending;
        this.#pending = [];
        await this.#emit(chunk);
      }
    } catch {
      // The window has canceled, and the run itself ends with `stopped`.
      this.#pending = [];
    }
  }
}

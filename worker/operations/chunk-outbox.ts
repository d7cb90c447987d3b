// Sends the chunks of a running query as fast as the window takes them; what is outdated before it left is dropped.
import type { QueryChunk } from '#shared/protocol/query.ts';

export class ChunkOutbox {
  readonly #emit: (chunk: QueryChunk) => Promise<void>;
  readonly #pending: QueryChunk[] = [];
  #pumping: Promise<void> | null = null;

  constructor(emit: (chunk: QueryChunk) => Promise<void>) {
    this.#emit = emit;
  }

  push(chunk: QueryChunk): void {
    const last = this.#pending.at(-1);
    const counts = chunk.kind === 'rows' || chunk.kind === 'progress';
    if (counts && last?.kind === chunk.kind) this.#pending.pop();
    this.#pending.push(chunk);
    this.#pumping ??= this.#pump().finally(() => (this.#pumping = null));
  }

  /** Resolves when everything has left, or when nobody wants it any more. */
  async drained(): Promise<void> {
    await this.#pumping;
  }

  async #pump(): Promise<void> {
    try {
      for (let chunk = this.#pending.shift(); chunk; chunk = this.#pending.shift()) await this.#emit(chunk);
    } catch {
      // The window has canceled: the run itself ends with `stopped`.
      this.#pending.length = 0;
    }
  }
}

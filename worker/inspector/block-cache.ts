// Reads ahead where SQLite walks through a file in order, and only what is requested where it jumps about.

const KEPT_BLOCKS = 32;

export class BlockCache {
  readonly #blockBytes: number;
  readonly #sizeBytes: number;
  readonly #fetch: (offset: number, length: number) => Uint8Array | null;
  /** Least recently used first. */
  readonly #blocks = new Map<number, Uint8Array>();
  #lastMissed = -1;

  /** @param fetch exactly `length` bytes, at most `blockBytes`, valid until the next fetch; null when they are unavailable */
  constructor(sizeBytes: number, blockBytes: number, fetch: (offset: number, length: number) => Uint8Array | null) {
    this.#sizeBytes = sizeBytes;
    this.#blockBytes = blockBytes;
    this.#fetch = fetch;
  }

  /** Fills `into`, which lies within the file. False when the bytes are unavailable, and nothing more is requested. */
  read(offset: number, into: Uint8Array): boolean {
    for (let done = 0; done < into.length;) {
      const at = offset + done;
      const number = Math.floor(at / this.#blockBytes);
      const within = at - number * this.#blockBytes;
      const count = Math.min(into.length - done, this.#blockBytes - within);
      const part = this.#part(number, within, count);
      // Fewer bytes would leave the previous contents in place, which SQLite would report as damage.
      if (part?.length !== count) return false;
      into.set(part, done);
      done += count;
    }
    return true;
  }

  #part(number: number, within: number, count: number): Uint8Array | null {
    const known = this.#blocks.get(number);
    if (!known && !this.#isInOrder(number)) return this.#fetch(number * this.#blockBytes + within, count);
    const block = known ?? this.#fetchBlock(number);
    if (!block) return null;
    this.#blocks.delete(number);
    this.#blocks.set(number, block);
    if (this.#blocks.size > KEPT_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    return block.subarray(within, within + count);
  }

  /** Whether the block before a missed one, or a part of it, was read. */
  #isInOrder(number: number): boolean {
    const inOrder = this.#lastMissed === number || this.#blocks.has(number - 1);
    this.#lastMissed = number;
    return inOrder;
  }

  #fetchBlock(number: number): Uint8Array | null {
    const from = number * this.#blockBytes;
    return this.#fetch(from, Math.min(this.#blockBytes, this.#sizeBytes - from))?.slice() ?? null;
  }
}

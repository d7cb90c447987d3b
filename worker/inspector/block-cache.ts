// Reads ahead where SQLite walks through a file in order, and only what is asked for where it jumps about.

const KEPT_BLOCKS = 32;

export class BlockCache {
  readonly #blockBytes: number;
  readonly #sizeBytes: number;
  readonly #fetch: (offset: number, length: number) => Uint8Array | null;
  /** Least recently used first. */
  readonly #blocks = new Map<number, Uint8Array>();
  #lastMissed = -1;

  /** @param fetch at most `blockBytes` at once; null when they cannot be had */
  constructor(sizeBytes: number, blockBytes: number, fetch: (offset: number, length: number) => Uint8Array | null) {
    this.#sizeBytes = sizeBytes;
    this.#blockBytes = blockBytes;
    this.#fetch = fetch;
  }

  /** Fills `into`, which lies within the file. */
  read(offset: number, into: Uint8Array): boolean {
    for (let done = 0; done < into.length;) {
      const at = offset + done;
      const number = Math.floor(at / this.#blockBytes);
      const within = at - number * this.#blockBytes;
      const count = Math.min(into.length - done, this.#blockBytes - within);
      const part = this.#block(number)?.subarray(within, within + count) ?? this.#fetch(at, count);
      if (!part) return false;
      into.set(part, done);
      done += count;
    }
    return true;
  }

  /** Null when only the part that is asked for should be fetched. */
  #block(number: number): Uint8Array | null {
    const known = this.#blocks.get(number);
    if (known) {
      this.#blocks.delete(number);
      this.#blocks.set(number, known);
      return known;
    }
    const inOrder = this.#lastMissed === number || this.#blocks.has(number - 1);
    this.#lastMissed = number;
    if (!inOrder) return null;
    const from = number * this.#blockBytes;
    const fetched = this.#fetch(from, Math.min(this.#blockBytes, this.#sizeBytes - from));
    if (!fetched) return null;
    const block = fetched.slice();
    this.#blocks.set(number, block);
    if (this.#blocks.size > KEPT_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value!);
    return block;
  }
}

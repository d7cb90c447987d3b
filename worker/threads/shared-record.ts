// A record of 32-bit words in shared memory that one thread writes and another reads consistently; neither ever waits for the other.

/** The first word: odd while the rest is being written. */
const VERSION = 0;

/**
 * Every access is one of `Atomics`, which all threads see in one order: plain reads and writes may be moved past the version, on ARM
 * by the processor, too.
 */
export class SharedRecord {
  readonly #words: Int32Array;
  /** A float as two words. */
  readonly #float = new Float64Array(1);
  readonly #halves = new Int32Array(this.#float.buffer);

  /** @param words the first is the version; the caller defines the others */
  constructor(words: Int32Array) {
    this.#words = words;
  }

  /** Used by the writer. Within `body`, call {@link set} and {@link setFloat}. */
  write(body: () => void): void {
    Atomics.add(this.#words, VERSION, 1);
    body();
    Atomics.add(this.#words, VERSION, 1);
  }

  set(word: number, value: number): void {
    Atomics.store(this.#words, word, value);
  }

  setFloat(word: number, value: number): void {
    this.#float[0] = value;
    this.set(word, this.#halves[0]!);
    this.set(word + 1, this.#halves[1]!);
  }

  /** Used by the reader: the result of `body`; null when the record was written in the meantime. */
  read<T>(body: () => T): T | null {
    const version = this.get(VERSION);
    if ((version & 1) === 1) return null;
    const result = body();
    return this.get(VERSION) === version ? result : null;
  }

  get(word: number): number {
    return Atomics.load(this.#words, word);
  }

  getFloat(word: number): number {
    this.#halves[0] = this.get(word);
    this.#halves[1] = this.get(word + 1);
    return this.#float[0]!;
  }
}

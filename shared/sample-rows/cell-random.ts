// Random numbers for one cell of one row: they depend on nothing but the seed, the column, the row, and the attempt, so rows are the same
// in whatever order, in however many pieces, and on whichever engine they are made.

/** Small Fast Counter (sfc32, public domain), restarted for each cell. */
export class CellRandom {
  #a = 0;
  #b = 0;
  #c = 0;
  #counter = 0;

  /** @param column see {@link hashName} */
  start(seed: number, column: number, row: number, attempt: number): this {
    this.#a = seed | 0;
    this.#b = (column + Math.imul(attempt, 0x9e3779b1)) | 0;
    this.#c = row | 0;
    this.#counter = 1;
    for (let round = 0; round < 10; round++) this.next();
    return this;
  }

  /** Whole number from 0 to 2^32 − 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Whole number from 0 to `size` − 1. @param size up to 2^53 */
  below(size: number): number {
    if (size <= 0x1_0000_0000) return Math.floor((this.next() / 0x1_0000_0000) * size);
    const high = this.next() >>> 6;
    const low = this.next() >>> 5;
    return Math.floor(((high * 0x800_0000 + low) / 2 ** 53) * size);
  }
}

/** FNV-1a over UTF-16 units. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

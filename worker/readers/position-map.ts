// A sparse map of a table in key order: the key of every 4,096th row. Pure logic; whoever owns it fetches the keys.

/** Rows between two anchors: skipping that many inside the tree takes under a millisecond. */
export const STRIDE = 4096;

/** Start at `key`, then skip `skip` rows. */
export interface Seek<K> {
  readonly key: K;
  readonly skip: number;
}

export class PositionMap<K> {
  /** `#anchors[i]` is the key of the row at position i × STRIDE. */
  readonly #anchors: K[] = [];
  #rows: number | null = null;

  /** Exact number of rows, once the end was reached. */
  get rows(): number | null {
    return this.#rows;
  }

  /** Positions below this one can be sought exactly. */
  get reach(): number {
    return this.#rows ?? this.#anchors.length * STRIDE;
  }

  get lastAnchor(): { readonly position: number; readonly key: K } | null {
    const key = this.#anchors.at(-1);
    return key === undefined ? null : { position: (this.#anchors.length - 1) * STRIDE, key };
  }

  /** The key STRIDE rows after the last anchor (at first: the first key of all). */
  extend(key: K): void {
    this.#anchors.push(key);
  }

  /** The end was reached `rest` rows from the last anchor on, that row included (0 for an empty table). */
  finish(rest: number): void {
    this.#rows = Math.max(0, this.#anchors.length - 1) * STRIDE + rest;
  }

  seek(position: number): Seek<K> | null {
    if (position >= this.reach) return null;
    const anchor = Math.floor(position / STRIDE);
    return { key: this.#anchors[anchor]!, skip: position - anchor * STRIDE };
  }

  /** The last anchor for which `notAfter` holds, by bisection; null when there is none. */
  anchorNotAfter(notAfter: (anchor: K) => boolean): { readonly position: number; readonly key: K } | null {
    let low = 0;
    let high = this.#anchors.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (notAfter(this.#anchors[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? null : { position: (low - 1) * STRIDE, key: this.#anchors[low - 1]! };
  }
}

// A sparse map of a table in key order: some keys, and the number of rows between each and the next. Pure logic; its owner fetches the keys
// and reports inserted and deleted rows, so that the map stays exact without a rebuild.
import { lastWhere } from '#shared/binary-search.ts';

/** Rows between two anchors of a new map: skipping this many inside the tree takes under a millisecond. */
export const STRIDE = 4096;

/** Start at `key`, then skip `skip` rows. */
interface Seek<K> {
  readonly key: K;
  readonly skip: number;
}

/** The rows from `key` up to, but not including, `end`, the next anchor; null when it is the last. */
interface Segment<K> {
  readonly index: number;
  readonly key: K;
  readonly end: K | null;
}

export class PositionMap<K> {
  /** Bounds rather than rows: an anchor stays when its row is deleted. */
  readonly #anchors: K[] = [];
  /** Number of rows from each anchor up to the next. For the last one it is unknown, 0, while the map is being built. */
  readonly #counts: number[] = [];
  /** Position of each anchor; null after a change, computed on request. */
  #starts: Float64Array | null = null;
  readonly #uncounted = new Set<number>();
  #isComplete = false;

  /** Exact number of rows, once the map has reached the end. */
  get rows(): number | null {
    return this.#isComplete ? this.#counted : null;
  }

  /** Positions below this one are found exactly. */
  get reach(): number {
    return this.#isComplete || this.#anchors.length === 0 ? this.#counted : this.#counted + STRIDE;
  }

  /** Number of parts with unknown inserts or deletes: positions from there on are not exact until these parts are counted. */
  get uncountedParts(): number {
    return this.#uncounted.size;
  }

  get isExact(): boolean {
    return this.#uncounted.size === 0;
  }

  get lastAnchor(): { readonly position: number; readonly key: K } | null {
    const last = this.#anchors.length - 1;
    return last < 0 ? null : { position: this.#positions[last]!, key: this.#anchors[last]! };
  }

  /** True when so many anchors are close together that a rebuild is better. */
  get isCrowded(): boolean {
    return this.#anchors.length > 64 && this.#anchors.length > (4 * this.reach) / STRIDE;
  }

  /** Adds the key STRIDE rows after the last anchor (the first time: the first key of the table). */
  extend(key: K): void {
    if (this.#counts.length > 0) this.#counts[this.#counts.length - 1] = STRIDE;
    this.#anchors.push(key);
    this.#counts.push(0);
    this.#starts = null;
  }

  /** Completes the map: `rest` rows follow from the last anchor on, its own row included (0 for an empty table). */
  finish(rest: number): void {
    if (this.#counts.length > 0) this.#counts[this.#counts.length - 1] = rest;
    this.#isComplete = true;
    this.#starts = null;
  }

  seek(position: number): Seek<K> | null {
    if (position >= this.reach) return null;
    const starts = this.#positions;
    const anchor = lastWhere(starts.length, (index) => starts[index]! <= position);
    return { key: this.#anchors[anchor]!, skip: position - starts[anchor]! };
  }

  /** The last anchor for which `notAfter` holds, by bisection; null when there is none. */
  anchorNotAfter(notAfter: (anchor: K) => boolean): { readonly position: number; readonly key: K } | null {
    const anchor = lastWhere(this.#anchors.length, (index) => notAfter(this.#anchors[index]!));
    return anchor < 0 ? null : { position: this.#positions[anchor]!, key: this.#anchors[anchor]! };
  }

  /**
   * Notes that a row at `key` was inserted (1), deleted (−1), or that it is unknown which of the two (0).
   * @param notAfter whether an anchor is at or before the key
   */
  change(key: K, by: 1 | -1 | 0, notAfter: (anchor: K) => boolean): void {
    let anchor = lastWhere(this.#anchors.length, (index) => notAfter(this.#anchors[index]!));
    if (anchor < 0) {
      anchor = 0;
      if (this.#anchors.length > 0) this.#anchors[0] = key;
      // The map is not built that far; building it will count the row.
      else if (!this.#isComplete) return;
      else {
        this.#anchors.push(key);
        this.#counts.push(0);
      }
    }
    if (!this.#isComplete && anchor === this.#anchors.length - 1) return;
    this.#starts = null;
    if (by === 0) this.#uncounted.add(anchor);
    else this.#counts[anchor]! += by;
  }

  /** A part whose rows have to be counted again, or null when there is none. */
  nextUncounted(): Segment<K> | null {
    for (const index of this.#uncounted) return this.#segment(index);
    return null;
  }

  setCount(segment: Segment<K>, rows: number): void {
    this.#counts[segment.index] = rows;
    this.#uncounted.delete(segment.index);
    this.#starts = null;
  }

  /** A part that has grown so large that skipping inside it takes long, or null. */
  nextLarge(): Segment<K> | null {
    const index = this.#counts.findIndex((count) => count > 2 * STRIDE);
    return index < 0 ? null : this.#segment(index);
  }

  /** Splits the part at `key`, the key STRIDE rows after its first. Only while no part is uncounted. */
  split({ index }: Segment<K>, key: K): void {
    this.#anchors.splice(index + 1, 0, key);
    this.#counts.splice(index, 1, STRIDE, this.#counts[index]! - STRIDE);
    this.#starts = null;
  }

  #segment(index: number): Segment<K> {
    return { index, key: this.#anchors[index]!, end: this.#anchors[index + 1] ?? null };
  }

  get #counted(): number {
    const last = this.#anchors.length - 1;
    return last < 0 ? 0 : this.#positions[last]! + this.#counts[last]!;
  }

  get #positions(): Float64Array {
    if (this.#starts) return this.#starts;
    const starts = new Float64Array(this.#counts.length);
    for (let index = 1; index < starts.length; index++) starts[index] = starts[index - 1]! + this.#counts[index - 1]!;
    return (this.#starts = starts);
  }
}

// Keys of recently read rows by position. Scrolling continues from them, so that pages with estimated positions still join up.

interface TrailPoint<K> {
  readonly position: number;
  readonly key: K;
  readonly exact: boolean;
}

const KEPT = 32;

export class PageTrail<K> {
  #marks: TrailPoint<K>[] = [];

  add(mark: TrailPoint<K>): void {
    this.#marks = this.#marks.filter((other) => other.position !== mark.position);
    this.#marks.push(mark);
    if (this.#marks.length > KEPT) this.#marks.shift();
  }

  /** The mark nearest to `position` that is at most `within` rows away. */
  nearest(position: number, within: number): TrailPoint<K> | null {
    let best: TrailPoint<K> | null = null;
    for (const mark of this.#marks) {
      const distance = Math.abs(mark.position - position);
      if (distance <= within && (!best || distance < Math.abs(best.position - position))) best = mark;
    }
    return best;
  }

  /** The marks between which a key is, by an order of keys; null where there is none. */
  around(isBehind: (mark: K) => boolean): {
    readonly below: TrailPoint<K> | null;
    readonly above: TrailPoint<K> | null;
  } {
    let [below, above]: (TrailPoint<K> | null)[] = [null, null];
    for (const mark of this.#marks)
      if (isBehind(mark.key)) above = !above || mark.position < above.position ? mark : above;
      else below = !below || mark.position > below.position ? mark : below;
    return { below: below ?? null, above: above ?? null };
  }

  clear(): void {
    this.#marks = [];
  }
}

// Estimates where a row is before the position map has reached it, by interpolation between known row ids.

interface KnownRange {
  /** A known position and its row id. */
  readonly position: number;
  readonly rowid: number;
  readonly maxRowid: number;
  /** Estimated number of rows of the whole table. */
  readonly rows: number;
}

const MAX_ROWID = 2 ** 63 - 1024; // the largest double below 2^63

/** A row id near the row at `position`, which lies beyond the known one. */
export function guessRowid(position: number, known: KnownRange): number | bigint {
  const share = Math.min(1, (position - known.position) / Math.max(1, known.rows - 1 - known.position));
  const guess = Math.min(MAX_ROWID, Math.round(known.rowid + share * (known.maxRowid - known.rowid)));
  return Number.isSafeInteger(guess) ? guess : BigInt(guess);
}

/** Rows of the whole table, when `mapped` rows end at row id `rowid` of `minRowid`…`maxRowid`. Assumes that the rest is as dense. */
export function guessRows(mapped: number, rowid: number, minRowid: number, maxRowid: number): number {
  const density = Math.min(1, mapped / Math.max(1, rowid - minRowid));
  return Math.round(mapped + (maxRowid - rowid + 1) * density);
}

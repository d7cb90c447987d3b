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

// Estimates, from a sample of the rows, what ANALYZE would find about an index.

/** How often the values of some columns occur in a sample. */
export interface KeyCounts {
  /** Rows of the sample that are in the index. */
  readonly rows: number;
  readonly distinct: number;
  /** Values that occur exactly once. */
  readonly single: number;
}

/**
 * Distinct values in all rows, estimated with Charikar's GEE estimator ("Towards Estimation Error Guarantees for Distinct Values", PODS
 * 2000): values that the sample has once stand for `sqrt(1 / share)` others each. Exact if the sample is the whole table.
 */
export function estimateDistinct({ rows, distinct, single }: KeyCounts, totalRows: number): number {
  if (rows >= totalRows) return distinct;
  const scaled = Math.sqrt(totalRows / rows) * single + (distinct - single);
  return Math.min(totalRows, Math.max(distinct, Math.round(scaled)));
}

/**
 * The text of `sqlite_stat1` for an index: rounded as ANALYZE rounds (`statGet` in analyze.c).
 * @param prefixes of the first column, of the first two, …
 */
export function stat1Text(prefixes: readonly KeyCounts[], totalRows: number): string {
  const rows = Math.max(1, totalRows);
  const perKey = prefixes.map((counts) => {
    const distinct = Math.max(1, estimateDistinct(counts, rows));
    const average = Math.floor((rows + distinct - 1) / distinct);
    return average === 2 && rows * 10 <= distinct * 11 ? 1 : average;
  });
  return [rows, ...perKey].join(' ');
}

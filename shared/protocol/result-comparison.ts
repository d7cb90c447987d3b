// Comparing the rows of two results, where they are kept.
import type { Op } from './envelope.ts';
import type { RowDifferencePage } from './history.ts';
import type { ReaderId } from './rows.ts';

/** A column of the first result and the one of the second that it is compared with, counted in packed order. */
export interface ComparedColumn {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

/** Differences from the first result to the second: `inserted` rows are only in the second. */
export interface ResultDifferences {
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly same: number;
  /** Rows of both that have the key of a row before them in the same result: rows of one key belong together in their order. */
  readonly repeated: number;
  /** Differences that can be read; fewer than there are past {@link MAX_LISTED_DIFFERENCES}. */
  readonly listed: number;
}

export const MAX_LISTED_DIFFERENCES = 100_000;

export interface ResultComparisonOperations {
  /**
   * Compares the rows of two results as they are sorted and filtered, in slices. Values are compared as SQLite compares them, so 1 equals
   * 1.0; only the first 64 KB of a value and its size count.
   *
   * @param key places in `columns` by whose values rows belong together; empty: the first with the first, and so on
   */
  'results.compare': Op<
    {
      readonly reader: ReaderId;
      readonly to: ReaderId;
      readonly columns: readonly ComparedColumn[];
      readonly key: readonly number[];
    },
    ResultDifferences
  >;
  /**
   * Reads differences found by the last comparison with this first result. Fails with `not-found` if the rows of either have changed since.
   */
  'results.differences': Op<
    { readonly reader: ReaderId; readonly start: number; readonly count: number },
    RowDifferencePage
  >;
}

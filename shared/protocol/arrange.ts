// Operations on the rows that are kept of a result: sorting, filtering, and finding rows, without running its statement again.
import type { Op } from './envelope.ts';
import type { FilterTerm, ReaderId } from './rows.ts';

/** Columns are counted from 0 in packed order, because names of a result may occur twice. */
export interface ResultSortTerm {
  readonly column: number;
  readonly descending: boolean;
}

/** A term of a table's filter, about a column by its number. Null: the row is kept if any of its columns matches. */
export type ResultFilterTerm = Omit<FilterTerm, 'column'> & { readonly column: number | null };

/** How the rows of a result are shown. All terms of `filter` must match. */
export interface ResultArrangement {
  readonly sort: readonly ResultSortTerm[];
  readonly filter: readonly ResultFilterTerm[];
}

export interface ArrangeOperations {
  /**
   * Sorts and filters the kept rows of a result; its statement does not run. Positions of `rows.read`, `rows.watch`, `cell.readAt`, and of
   * exports count the arranged rows from then on, also after a live result has run again. Values are compared as SQLite compares them
   * without a collation, and only the first 64 KB of a value are kept. Returns when the order is complete; fails with `unavailable` while
   * the statement is still running, and with `stopped`; the previous arrangement is kept then.
   */
  'rows.arrange': Op<
    { readonly reader: ReaderId; readonly arrangement: ResultArrangement },
    { readonly rows: number; readonly total: number }
  >;
  /**
   * The positions of the rows of a result or a view with any column that meets the condition, as the rows are arranged now. Fails as
   * `rows.arrange` does.
   */
  'rows.containing': Op<
    { readonly reader: ReaderId; readonly condition: Omit<FilterTerm, 'column'> },
    { readonly positions: Uint32Array }
  >;
}

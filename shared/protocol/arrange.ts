// The operation that sorts and filters the rows of a result without running its statement again.
import type { FilterOperator } from '../filter-operators.ts';
import type { Op } from './envelope.ts';
import type { ReaderId } from './rows.ts';
import type { Value } from './values.ts';

/** Columns are counted from 0 in packed order, because names of a result may occur twice. */
export interface ResultSortTerm {
  readonly column: number;
  readonly descending: boolean;
}

/** The operators that the rows of a result can be filtered by. */
export const RESULT_FILTER_OPERATORS = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'contains',
  'starts-with',
  'is-null',
  'is-not-null',
] as const satisfies readonly FilterOperator[];

export type ResultFilterOperator = (typeof RESULT_FILTER_OPERATORS)[number];

export interface ResultFilterTerm {
  /** Null: the row is kept if any of its columns matches. */
  readonly column: number | null;
  readonly operator: ResultFilterOperator;
  readonly value: Value;
}

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
}

// Writes that are made only if the rows that they were planned for are unchanged, for engines where each statement is a round trip.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';

export interface BoundSql {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** SQL has no other way to fail on a condition outside a trigger. */
export const unless = (condition: string, params: readonly Value[] = []): BoundSql => ({
  sql: `SELECT CASE WHEN ${condition} THEN 1 ELSE json(char(120)) END`,
  params,
});

/** What became of one of several statements. */
export type StatementOutcome =
  /** `row` is the first row that the statement returned, if any. */
  | { readonly kind: 'ran'; readonly row: readonly Value[] | null }
  | { readonly kind: 'failed'; readonly error: AppError }
  | { readonly kind: 'not-reached' };

/** A row of a table with row ids. */
export interface GuardedRow {
  readonly kind: 'insert' | 'update' | 'delete';
  /** Row id before the write; null for an insert. Afterwards it is the first value that the write returns, except for a delete. */
  readonly rowid: Value;
  /** Columns that an update assigns. */
  readonly columns: readonly string[];
}

export interface GuardedWrite {
  /** Row that the write changes; left out if the row is not known by row id. */
  readonly row?: GuardedRow;
  /** Read in the same transaction, right before the write. */
  readonly before?: BoundSql;
  /** Changes exactly one row, whose values it returns, or none. */
  readonly write: BoundSql;
  /** Approximate size of the values that `before` and `write` return, if they are more than a key. */
  readonly returnsBytes?: number;
  /** Reads the row as it is now, to find out why no row was changed. Null when there is no row to read. */
  readonly now: BoundSql | null;
  /** Returns a row exactly if the write has been made, for a reply that was lost. Null if there is no way to find out. */
  readonly after: BoundSql | null;
}

export type GuardedOutcome =
  /**
   * Rows that each returned, and those read before it; null when the reply was lost and the writes were found when the rows were read
   * again.
   */
  | {
      readonly kind: 'done';
      readonly rows: readonly (readonly Value[] | null)[];
      readonly before: readonly (readonly Value[] | null)[];
    }
  /** The write at `at` changed no row, so nothing was changed. */
  | { readonly kind: 'missed'; readonly at: number; readonly now: readonly Value[] | null };

// Operations that run the user's own SQL.
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { ReaderInfo } from './rows.ts';
import type { Value } from './values.ts';

/** How many details of a run are sent. Statements beyond these limits are run and counted, and {@link QueryReply} has the counts. */
export const RUN_LIMITS = {
  /** Statements without rows, from the first one on, whose end is reported. */
  statements: 100,
  /** Results kept for reading. A user could not look at more. */
  results: 100,
} as const;

/**
 * Parameter values by name as written (`:a`, `@a`, `$a`, `?3`; the nth plain `?` of a statement is `?n`). A name has the same value in all
 * statements of a text.
 */
export type ParameterValues = Readonly<Record<string, Value>>;

/** One event of a run. */
export type QueryEvent =
  /** A statement that returns rows has started: page them from `reader` immediately. */
  | {
      readonly kind: 'result';
      readonly statement: number;
      readonly from: number;
      readonly to: number;
      readonly sql: string;
      readonly reader: ReaderInfo;
      /** Tables and views it reads, so that it can be run again when they change; null if it also writes. */
      readonly reads: readonly string[] | null;
    }
  /** More rows of the newest result are spooled. */
  | { readonly kind: 'rows'; readonly statement: number; readonly rows: number }
  /** A statement has ended. Not sent for statements beyond {@link RUN_LIMITS}. */
  | {
      readonly kind: 'done';
      readonly statement: number;
      readonly from: number;
      readonly to: number;
      readonly rows: number | null;
      /** Rows it inserted, updated or deleted; null for statements that change no rows. */
      readonly rowsChanged: number | null;
      readonly timeMs: number;
    }
  /** Sent at most every 100 ms, once statements are only counted. */
  | { readonly kind: 'progress'; readonly progress: Progress };

/** The events since the previous chunk, in order: one chunk carries all events of one time slice of the worker. */
export type QueryChunk = readonly QueryEvent[];

export interface QueryReply {
  readonly statements: number;
  /** Statements that returned rows; at most {@link RUN_LIMITS} of them were kept. */
  readonly results: number;
  readonly rowsChanged: number;
  readonly timeMs: number;
  /** The script left a transaction open in this window. */
  readonly transactionOpen: boolean;
}

/** One line of EXPLAIN QUERY PLAN. */
export interface PlanLine {
  readonly id: number;
  /** The id of the line it is part of; 0 for the outermost ones. */
  readonly parent: number;
  readonly detail: string;
  /**
   * The planner's estimate of what a scan or search costs, in its own unit: about one step of a cursor. Null for other lines. From a
   * column that SQLite does not document (LogEst, `2^(x/10)`), so it is a hint.
   */
  readonly cost: number | null;
}

export interface QueryOperations {
  /**
   * Runs every statement of `sql` in order. Result readers belong to the window and stay until `rows.close`. After an SQL error, the
   * statements before it stay in effect (SQLite commits each on its own outside a transaction); the error's `offset` is into `sql`,
   * `detail.statement` counts from 0, and `detail.results` is the number of statements that had returned rows. Fails with `not-undoable`,
   * before anything is changed, if the history could not undo the run and `withoutUndo` is not set; with `invalid` at the first statement
   * that has a parameter without a value. With `showsRows`, the statement after the first result waits until rows of it were read, at most
   * 2 s: a statement that stays in one step for long would keep everyone from reading them.
   */
  'query.run': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly parameters?: ParameterValues;
      readonly withoutUndo?: boolean;
      readonly showsRows?: boolean;
    },
    QueryReply,
    QueryChunk
  >;
  /** Returns how SQLite would run the one statement of `sql`, without running it; empty if it neither reads nor changes rows. */
  'query.plan': Op<{ readonly database: DatabaseId; readonly sql: string }, readonly PlanLine[]>;
  /**
   * Returns the errors SQLite reports when preparing (not running) the statements of the text, the first of each. `name`: the object it is
   * about, if SQLite names one. Left out are errors that a CREATE, DROP, or ALTER earlier in the text may explain, and all behind an ATTACH
   * or DETACH.
   */
  'query.check': Op<
    { readonly database: DatabaseId; readonly sql: string },
    readonly { readonly message: string; readonly name: string | null; readonly from: number; readonly to: number }[]
  >;
}

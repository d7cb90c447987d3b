// Operations that run the person's own SQL.
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { ReaderInfo } from './rows.ts';
import type { Value } from './values.ts';

/** What is sent of a run, whatever its length. Beyond it statements are run and counted, and {@link QueryReply} has the counts. */
export const RUN_LIMITS = {
  /** Statements without rows, from the first one on, whose end is told. */
  statements: 100,
  /** Results that are kept to be read. Nobody could look at them all. */
  results: 100,
} as const;

/**
 * Values of parameters by their name as it is written (`:a`, `@a`, `$a`, `?3`; the nth plain `?` of a statement is `?n`). The same name has
 * the same value in all statements of a text.
 */
export type ParameterValues = Readonly<Record<string, Value>>;

/** One thing that happened in a run. */
export type QueryEvent =
  /** A statement that returns rows has started: page them from `reader` at once. */
  | {
      readonly kind: 'result';
      readonly statement: number;
      readonly from: number;
      readonly to: number;
      readonly sql: string;
      readonly reader: ReaderInfo;
      /** Tables and views it reads, so that it can be run again when they change; null when it also writes. */
      readonly reads: readonly string[] | null;
    }
  /** More rows of the newest result are spooled. */
  | { readonly kind: 'rows'; readonly statement: number; readonly rows: number }
  /** A statement has ended. Of statements beyond {@link RUN_LIMITS} this is not sent. */
  | {
      readonly kind: 'done';
      readonly statement: number;
      readonly from: number;
      readonly to: number;
      readonly rows: number | null;
      /** Rows inserted, updated or deleted by it; null for statements that change none. */
      readonly rowsChanged: number | null;
      readonly timeMs: number;
    }
  /** Every 100 ms at most, once statements are only counted. */
  | { readonly kind: 'progress'; readonly progress: Progress };

/** What has happened since the chunk before, in order: everything of a slice of the worker's time travels as one. */
export type QueryChunk = readonly QueryEvent[];

export interface QueryReply {
  readonly statements: number;
  /** Statements that returned rows; {@link RUN_LIMITS} of them were kept. */
  readonly results: number;
  readonly rowsChanged: number;
  readonly timeMs: number;
  /** True when the script left a transaction open in this window. */
  readonly transactionOpen: boolean;
}

export interface QueryOperations {
  /**
   * Runs every statement of `sql` in order. Result readers belong to the window and stay until `rows.close`.
   * On an SQL error the statements before it stand (SQLite commits each on its own outside a transaction); the error's
   * `offset` is into `sql`, `detail.statement` counts from 0, and `detail.results` says how many statements had returned rows.
   * Fails with `not-undoable`, before anything is changed, when the history could not take it back and `withoutUndo` is not set; with
   * `invalid` at the first statement that has a parameter without a value.
   */
  'query.run': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly parameters?: ParameterValues;
      readonly withoutUndo?: boolean;
    },
    QueryReply,
    QueryChunk
  >;
  /** Places of the statements in a text, as SQLite itself splits it; no statement is run. UTF-16 offsets. */
  'query.split': Op<
    { readonly database: DatabaseId; readonly sql: string },
    readonly { readonly from: number; readonly to: number }[]
  >;
  /** The first error SQLite finds when preparing (not running) the text, or null. `name`: what it is about, where SQLite names it. */
  'query.check': Op<
    { readonly database: DatabaseId; readonly sql: string },
    { readonly message: string; readonly name: string | null; readonly from: number; readonly to: number } | null
  >;
}

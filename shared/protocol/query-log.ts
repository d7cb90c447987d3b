// Operations on the query history: every run of an SQL tab, kept in the library for all windows. `queryLog` in code, because the history is
// what was done to a database.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';

/** The oldest runs are deleted when there are more than this. */
export const QUERY_LOG_LIMITS = {
  runs: 10_000,
  /** Limit for all texts together, in UTF-8. */
  bytes: 32 * 2 ** 20,
  /** Limit for one text; longer ones are cut to this length. */
  textChars: 100_000,
  /** Limit for the value of a parameter, which may be a long text or a secret pasted by mistake. */
  parameterChars: 500,
  errorChars: 2_000,
} as const;

/** The value of a parameter as the user typed it, and its type in the strip. */
export interface LoggedParameter {
  readonly type: string;
  readonly text: string;
  /** Set if only the beginning was kept. */
  readonly isCut?: true;
}

export interface NewLoggedRun {
  /** Its name is kept, too: the database may be deleted later. */
  readonly of: { readonly id: DatabaseId; readonly name: string };
  /** Text up to the limit in {@link QUERY_LOG_LIMITS}. */
  readonly sql: string;
  /** Length of the whole text. */
  readonly chars: number;
  readonly parameters: Readonly<Record<string, LoggedParameter>>;
}

/** How a run ended. */
export interface RunEnd {
  readonly outcome: 'done' | 'failed' | 'stopped';
  /** Time that SQLite took; of a run that failed or was stopped, the time until then. */
  readonly timeMs: number;
  readonly statements: number;
  /** Rows of all results; null if no statement returned rows. */
  readonly rows: number | null;
  readonly rowsChanged: number;
  readonly error: string | null;
}

/** A run in a list: with the beginning of its text. */
export interface LoggedRun extends Omit<RunEnd, 'outcome' | 'timeMs'> {
  /** Later runs have higher ones. */
  readonly id: number;
  readonly of: NewLoggedRun['of'];
  readonly startedAtMs: number;
  /** `interrupted`: the window, the engine, or Sidelite ended before the run did. */
  readonly outcome: RunEnd['outcome'] | 'running' | 'interrupted';
  /** Null until it has ended. */
  readonly timeMs: number | null;
  readonly begin: string;
  /** Length of the text that ran. */
  readonly chars: number;
}

export interface WholeLoggedRun extends LoggedRun {
  /** Text up to the limit in {@link QUERY_LOG_LIMITS}: compare with `chars`. */
  readonly sql: string;
  readonly parameters: NewLoggedRun['parameters'];
}

export interface QueryLogFilter {
  /** Every word occurs in the text or in the error, in any order; ASCII letters match in either case. */
  readonly words: string;
  /** Null: all. */
  readonly database: DatabaseId | null;
  /** `failed`: failed or interrupted. */
  readonly outcome: 'all' | 'done' | 'failed';
  /** Null: any time. */
  readonly sinceMs: number | null;
}

export interface QueryLogOperations {
  /** Called before the run, so that its text is kept whatever the run does. Durable when answered. */
  'queryLog.begin': Op<{ readonly run: NewLoggedRun }, { readonly id: number }>;
  /** Does nothing for a run of another window, or one that has ended. */
  'queryLog.end': Op<{ readonly id: number; readonly end: RunEnd }, null>;
  /**
   * The newest first, from `before` on. Looks for a few milliseconds at most: `next` is where to continue, also when no run was found so
   * far; null at the end. At most 1,000 runs, whatever `limit` is.
   */
  'queryLog.list': Op<
    { readonly filter: QueryLogFilter; readonly before: number | null; readonly limit: number },
    { readonly runs: readonly LoggedRun[]; readonly next: number | null }
  >;
  /** Fails with `not-found`. */
  'queryLog.read': Op<{ readonly id: number }, WholeLoggedRun>;
  /** Parameters of the last run of exactly this text that had any; empty if there is none. */
  'queryLog.parameters': Op<{ readonly sql: string }, NewLoggedRun['parameters']>;
  'queryLog.delete': Op<{ readonly ids: readonly number[] }, null>;
  'queryLog.clear': Op<Readonly<Record<string, never>>, null>;
  /** How many runs are kept from now on; the oldest ones beyond that are deleted at once. Resolves with how many there are. */
  'queryLog.setLimit': Op<{ readonly runs: number }, { readonly runs: number }>;
  /** `databases`: the last used first. */
  'queryLog.summary': Op<
    Readonly<Record<string, never>>,
    { readonly runs: number; readonly bytes: number; readonly databases: readonly NewLoggedRun['of'][] }
  >;
}

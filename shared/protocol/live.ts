// Rows that follow the database: the range a window watches, the patches it gets after a commit, and what that costs.
import type { PackedRows } from '../packed-rows/format.ts';
import type { Op } from './envelope.ts';
import type { DatabaseId } from './database-id.ts';
import type { Extent, ReaderId, ReaderInfo, RowsPage } from './rows.ts';
import type { Value } from './values.ts';

/** Rows of a reader that are on screen. */
export interface WatchedRange {
  readonly start: number;
  readonly count: number;
}

/**
 * The new state of a watched range. Patches apply in order to the page that `rows.watch` answered with. Sent when a row or `exactPosition`
 * differs; if only the extent differs, `rows.extentChanged` is sent. Rows are compared as they are packed: a change past the cut of a long
 * value that keeps its length does not count.
 */
export interface RowsPatch {
  readonly reader: ReaderId;
  /** Number of the `rows.watch` answer it belongs to: a patch of an earlier watch does not apply to what is shown now. */
  readonly watch: number;
  readonly start: number;
  /** One entry per current row: its index in the previous range, counted from `start`, or −1 for the next of `rows`. No index occurs twice. */
  readonly origins: Int32Array;
  /** Contains only rows that are new or differ. */
  readonly rows: PackedRows;
  readonly exactPosition: boolean;
  readonly extent: Extent;
}

/**
 * `live`: runs again after changes. `paused`: by the user, also by stopping a run. `too-slow`: its last run passed the limit; it must be
 * restarted. `failed`: its SQL no longer runs, or returns other columns; tried again after the next change that may affect it. `fixed`: was
 * never live. The result always shows the whole of its last complete run.
 */
export type LiveState = 'live' | 'paused' | 'too-slow' | 'failed' | 'fixed';

export interface LiveStatus {
  readonly reader: ReaderId;
  readonly state: LiveState;
  /** The result is older than the committed state: something changed while it was not running. */
  readonly stale: boolean;
  /** Duration of the last run, without waiting. */
  readonly runMs: number;
  readonly rows: number;
  /** Reason shown to the user, when `failed`. */
  readonly why: string | null;
}

/**
 * How a reader follows commits. `live`: the visible rows are up to date. `waits`: something changed, and the rows have not been read again
 * yet. `hidden`: no rows are visible, so nothing runs for the reader.
 */
export type FollowState = LiveState | 'waits' | 'hidden';

/** Cost of following commits since the reader was opened. */
export interface LiveCounters {
  readonly reader: ReaderId;
  readonly windowId: string;
  readonly title: string;
  readonly state: FollowState;
  /** Runs and page reads caused by commits; several commits in a frame cause one. */
  readonly runs: number;
  /** Commits that did not affect it or its watched rows: nothing was run. */
  readonly skips: number;
  /** Runs that returned the same watched rows: nothing was sent. */
  readonly unchanged: number;
  readonly patches: number;
  readonly bytes: number;
  /** Time from the commit until the patch leaves the worker: median and 95th percentile of the last 100. */
  readonly latencyP50Ms: number;
  readonly latencyP95Ms: number;
}

export interface LiveOperations {
  /**
   * Reads the range and keeps it up to date: after each commit that affects it, the worker reads it again, at most once a frame, and sends
   * `rows.patched` if it differs. So the window never has to request the range itself again; `rows.changed` is still sent, and for a
   * watched reader it means that pages outside the range are outdated. For a result or view that is run again, it is sent when the new rows
   * are there. The answer may still be from the previous run: the rows of a slow query follow as a patch. Null: no rows of the reader are
   * visible; nothing runs for it until it is watched again. A reader has one watch: the latest. Count is at most 2,000.
   */
  'rows.watch': Op<
    { readonly reader: ReaderId; readonly range: WatchedRange | null },
    { readonly watch: number; readonly page: RowsPage } | null
  >;
  /** Opens the result of one SELECT as a reader that is live from the start. */
  'live.open': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly params: readonly Value[];
      /** Time limit of a run; past it the query is no longer run (`too-slow`). Null: no limit. */
      readonly limitMs: number | null;
    },
    ReaderInfo
  >;
  /**
   * Makes the result reader of a SELECT (from `query.run` or `live.open`) live, pauses it, or runs it once more now (`refresh`: in any
   * state, without limit; answers when the new rows are there). If `limitMs` is missing, it does not change.
   */
  'live.set': Op<
    {
      readonly reader: ReaderId;
      readonly action: 'start' | 'pause' | 'refresh';
      readonly limitMs?: number | null;
    },
    LiveStatus
  >;
  /** Counters of all readers of all windows, for the developer panel. */
  'live.counters': Op<{ readonly database: DatabaseId }, readonly LiveCounters[]>;
}

/** Merged into `Events`. */
export interface LiveEvents {
  'rows.patched': RowsPatch;
  'live.stateChanged': LiveStatus;
}

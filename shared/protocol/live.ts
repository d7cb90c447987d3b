// Rows that stay in step with the database: what a window watches, what it is sent after a commit, and what that cost.
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
 * What a watched range has become. Applied in order to the page `rows.watch` answered with. Sent when a row or `exactPosition`
 * differs; that the extent alone is another is told by `rows.extentChanged`. Rows are compared as they are packed: a change
 * behind the cut of a long value that keeps its length is no difference here.
 */
export interface RowsPatch {
  readonly reader: ReaderId;
  /** Numbers the answers of `rows.watch`: a patch of an earlier watch is not for what is shown now. */
  readonly watch: number;
  readonly start: number;
  /** A row each, as many as there are now: where it was in the range before, counted from `start`, or −1 for the next of `rows`. No row is named twice. */
  readonly origins: Int32Array;
  /** Only rows that are new or differ. */
  readonly rows: PackedRows;
  readonly exactPosition: boolean;
  readonly extent: Extent;
}

/**
 * `live`: runs again after changes. `paused`: by the person, also by stopping a run. `too-slow`: its last run passed the limit, and
 * it waits to be started again. `failed`: its SQL no longer runs, or brings other columns; tried again after the next change
 * that may concern it. `fixed`: was never live. What it shows always is the whole of its last complete run.
 */
export type LiveState = 'live' | 'paused' | 'too-slow' | 'failed' | 'fixed';

export interface LiveStatus {
  readonly reader: ReaderId;
  readonly state: LiveState;
  /** The result shows less than what is committed now: something changed while it did not run. */
  readonly stale: boolean;
  /** Of the last run, waiting not counted. */
  readonly runMs: number;
  readonly rows: number;
  /** For people, when `failed`. */
  readonly why: string | null;
}

/**
 * What a reader does about commits now. `live`: what is on screen is in step. `waits`: something changed, and it has not been read again
 * yet. `hidden`: nothing of it is on screen, so nothing runs for it.
 */
export type FollowState = LiveState | 'waits' | 'hidden';

/** What staying in step has cost since the reader was opened. */
export interface LiveCounters {
  readonly reader: ReaderId;
  readonly windowId: string;
  readonly title: string;
  readonly state: FollowState;
  /** Runs and page reads caused by commits; several commits in a frame cause one. */
  readonly runs: number;
  /** Commits that did not concern it, or not what is watched of it: nothing was run. */
  readonly skips: number;
  /** Runs whose watched rows came out the same: nothing was sent. */
  readonly unchanged: number;
  readonly patches: number;
  readonly bytes: number;
  /** From the commit to the patch leaving the worker: median and 95th percentile of the last 100. */
  readonly latencyP50Ms: number;
  readonly latencyP95Ms: number;
}

export interface LiveOperations {
  /**
   * Reads the range and keeps it in step: after each commit that concerns it the worker reads it again, at most once a
   * frame, and sends `rows.patched` when it differs. So the range itself never has to be asked for again; `rows.changed`
   * comes as ever, and says of a watched reader that pages outside the range are old. For a result or view that is run
   * again it comes when the new rows are there. The answer may still be of the run before: what a slow query brings follows
   * as a patch. Null: nothing of the reader is on screen; nothing runs for it until it is watched again.
   * A reader has one watch: the last one asked for. Count is at most 2,000.
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
      /** A run may take that long; past it the query stops being run (`too-slow`). Null: no limit. */
      readonly limitMs: number | null;
    },
    ReaderInfo
  >;
  /**
   * Makes the result reader of a SELECT (from `query.run` or `live.open`) live, pauses it, or runs it once more now (`refresh`: whatever
   * its state, without limit; answers when the new rows are there). `limitMs` left out: as before.
   */
  'live.set': Op<
    {
      readonly reader: ReaderId;
      readonly action: 'start' | 'pause' | 'refresh';
      readonly limitMs?: number | null;
    },
    LiveStatus
  >;
  /** For the developer panel: every reader of every window. */
  'live.counters': Op<{ readonly database: DatabaseId }, readonly LiveCounters[]>;
}

/** Merged into `Events`. */
export interface LiveEvents {
  'rows.patched': RowsPatch;
  'live.stateChanged': LiveStatus;
}

// Rows that stay in step with the database: what a window watches, what it is sent after a commit, and what that cost.
import type { PackedRows } from '../packed-rows/format.ts';
import type { Op } from './envelope.ts';
import type { DatabaseId } from './library.ts';
import type { Extent, ReaderId, ReaderInfo, RowsPage } from './rows.ts';
import type { Value } from './values.ts';

/** Rows of a reader that are on screen. */
export interface WatchedRange {
  readonly start: number;
  readonly count: number;
}

/** What a watched range has become. Applied in order to the page `rows.watch` answered with. */
export interface RowsPatch {
  readonly reader: ReaderId;
  /** Numbers the answers of `rows.watch`: a patch of an earlier watch is not for what is shown now. */
  readonly watch: number;
  readonly start: number;
  /** A row each: where it was in the range before, counted from `start`, or −1 for the next of `rows`. */
  readonly origins: Int32Array;
  /** Only rows that are new or differ. */
  readonly rows: PackedRows;
  readonly exactPosition: boolean;
  readonly extent: Extent;
}

/** `live`: runs again after changes. `paused`: by the person. `too-slow`: its last run passed the limit. `failed`: its SQL no longer runs. `fixed`: was never live. */
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

/** What staying in step has cost since the reader was opened. */
export interface LiveCounters {
  readonly reader: ReaderId;
  readonly windowId: string;
  readonly title: string;
  /** Runs or page reads caused by a commit. */
  readonly runs: number;
  /** Commits that did not concern it: nothing was run. */
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
   * frame, and sends `rows.patched` when it differs. What this window reads of the rest of the reader is told by
   * `rows.changed` as ever. Null: nothing of the reader is on screen; nothing runs for it until it is watched again.
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
  /** Makes the result reader of a SELECT (from `query.run` or `live.open`) live, pauses it, or runs it once more now (`refresh`). */
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

// What a Compare tab shows: plain data, replaced as a whole with each change.
import type { DigestComparison, OnlyHere } from '#shared/comparison/differences.ts';
import type { ComparedStatement, CompareRunReply, DatabaseId, EngineFacts, ErrorData } from '#shared/protocol/index.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { LinkedGrids } from './linked-grids.ts';
import type { Both } from '../../workbench/databases/comparison-sides.ts';
import type { Timing } from './timing.ts';

export type Outcome =
  | { readonly kind: 'ran'; readonly statement: ComparedStatement; readonly source: ResultSource | null }
  | { readonly kind: 'failed'; readonly error: ErrorData }
  /** It was not reached because of an earlier error. */
  | { readonly kind: 'not-run' };

export interface RowsComparison extends DigestComparison {
  /** Differences in the names or declarations of columns, in words; empty for none. */
  readonly columns: readonly string[];
  /** Positions that differ, in order; `all` says whether these are all of them. */
  readonly positions: readonly number[];
  readonly all: boolean;
  /** Rows that the other side lacks; null if there are too many to list. */
  readonly only: OnlyHere | null;
}

export interface StatementPair extends Both<Outcome> {
  readonly sql: string;
  /** UTF-16 offset into the editor's text. */
  readonly offset: number;
  /** Null unless both have rows. */
  readonly rows: RowsComparison | null;
  readonly grids: LinkedGrids | null;
}

export type SideRun =
  | { readonly kind: 'ran'; readonly reply: CompareRunReply }
  | { readonly kind: 'missing'; readonly why: string };

export interface Comparison {
  readonly id: number;
  readonly sql: string;
  readonly runs: Both<SideRun>;
  readonly pairs: readonly StatementPair[];
  readonly facts: Both<EngineFacts | null>;
  /** Databases on which it can be timed; null when a side is missing or failed. */
  readonly timed: Both<DatabaseId> | null;
  /** Identifies the version of the data that was compared. */
  readonly mark: string;
  readonly wrote: boolean;
  readonly committedOnly: boolean;
  /** The data changed while it was compared. */
  readonly unsettled: boolean;
}

export interface RunningCompare extends ShownWork {
  readonly title: string;
}

export interface CompareView {
  readonly running: RunningCompare | null;
  readonly comparison: Comparison | null;
  /** Why nothing could be compared. */
  readonly problem: string | null;
  /** Place of the statement that is shown. */
  readonly shown: number;
  readonly timing: Timing | null;
  /** Something was committed since. */
  readonly stale: boolean;
}

export const EMPTY_VIEW: CompareView = {
  running: null,
  comparison: null,
  problem: null,
  shown: 0,
  timing: null,
  stale: false,
};

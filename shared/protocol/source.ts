// A library copy and the file it came from: which of the two has changed, what differs, and saving or reading it again.
import type { Op } from './envelope.ts';
import type { RowDifference, TableCounts } from './history.ts';
import type { DatabaseId, Progress } from './library.ts';

/** `unknown`: nothing is known of the moment when both were the same. `replaced`: another file lies in its place. */
export type SourceOnDisk = 'unchanged' | 'changed' | 'replaced' | 'missing' | 'unreadable' | 'unknown';

export interface SourceState {
  readonly disk: SourceOnDisk;
  /** Something was committed here since both were the same; null: not known. */
  readonly changedHere: boolean | null;
  /** The person wants to hear no more of what the file is like now. */
  readonly keptMine: boolean;
  /** When both were the same last: import, save, reload, or a comparison that found nothing. */
  readonly sameAtMs: number | null;
  /** Why it cannot be read. */
  readonly why: string | null;
}

export interface SourceComparison {
  /** From this copy to the source: `inserted` rows are only in the source. Tables without a difference are left out. */
  readonly tables: readonly TableCounts[];
  readonly tablesCompared: number;
  /** The first of them, table by table; at most 1,000. */
  readonly rows: readonly RowDifference[];
  /** Of the rows listed, by table. */
  readonly listed: readonly TableCounts[];
  /** Sentences on the schema, and on what could not be compared. */
  readonly notes: readonly string[];
}

/** Where a database lives and how safe it is there. */
export interface DatabaseFile {
  readonly sizeBytes: number;
  readonly walSizeBytes: number;
  /** Nothing is only in the WAL. */
  readonly checkpointed: boolean;
  /** Since it was opened; null: not yet. */
  readonly lastCheckpointAtMs: number | null;
  /** Titles of the windows it is open in. */
  readonly windows: readonly string[];
}

export interface SourceOperations {
  /** Null: this database did not come from a file that can be found again. */
  'source.state': Op<{ readonly database: DatabaseId }, SourceState | null>;
  /** The person knows of the change of the file; said again with the next one. */
  'source.keepMine': Op<{ readonly database: DatabaseId }, SourceState>;
  'source.compare': Op<{ readonly database: DatabaseId }, SourceComparison, Progress>;
  /** Makes the content that of the file, as one step of the history. Fails with `not-undoable` when that cannot be kept. */
  'source.reload': Op<{ readonly database: DatabaseId; readonly withoutUndo: boolean }, SourceState, Progress>;
  /** Puts this copy in the place of the file. Fails with `conflict` when the file has changed, unless that is `overwrite`n; `locked`, `full`, `io`. */
  'source.save': Op<
    { readonly database: DatabaseId; readonly overwrite: boolean },
    { readonly sizeBytes: number; readonly backup: string | null },
    Progress
  >;
  'database.file': Op<{ readonly database: DatabaseId }, DatabaseFile>;
}

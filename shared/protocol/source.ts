// A library copy and the file it came from: which of the two has changed, what differs, and saving or reading it again.
import type { Op } from './envelope.ts';
import type { DifferenceValue, RowDifference, StepId, TableCounts } from './history.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { Value } from './values.ts';

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

/** What taking the source's row would do here. */
export type MergeRowKind = RowDifference['kind'];

/** A merge of the source into this copy, found out and not done yet. */
export interface MergePlan {
  /** `three-way`: it is known what both were like when they were the same. `two-way`: it is not, so every row that differs is asked about. */
  readonly way: 'three-way' | 'two-way';
  /** Why it is only `two-way`. */
  readonly why: string | null;
  /** Rows that only the source changed: what they will do here. */
  readonly taken: readonly TableCounts[];
  /** Rows that only this copy changed: they stay. Counted as the source would see them. */
  readonly kept: readonly TableCounts[];
  /** Rows that both changed, or that somebody has to decide about, by table; counted as in `taken`. */
  readonly questions: readonly TableCounts[];
  /** Sentences on what is left out, and on how rows are told apart. */
  readonly notes: readonly string[];
}

export interface MergeQuestion {
  /** Names the row in {@link MergeChoices}. */
  readonly id: number;
  readonly table: string;
  readonly kind: MergeRowKind;
  readonly key: readonly Value[];
  readonly columns: readonly string[];
  /** When both were the same; null: not there then; undefined: not known. */
  readonly base: readonly DifferenceValue[] | null | undefined;
  /** Null: not there. */
  readonly mine: readonly DifferenceValue[] | null;
  readonly theirs: readonly DifferenceValue[] | null;
  /** Why taking the source's row was refused; null: it was not tried. */
  readonly message: string | null;
}

/** `later`: the row stays as it is, and the next merge asks again. */
export type MergeChoice = 'mine' | 'theirs' | 'later';

/** The nearest counts: of the row, its table, of all. */
export interface MergeChoices {
  readonly rows: Readonly<Record<number, MergeChoice>>;
  readonly tables: Readonly<Record<string, MergeChoice>>;
  readonly all?: MergeChoice;
}

export type MergeReply =
  | {
      readonly applied: true;
      /** 0 when nothing needed to change here. */
      readonly step: StepId;
      readonly rowsChanged: number;
      /** Rows that the next merge asks about again. */
      readonly later: number;
    }
  /** Nothing was changed: the plan has more questions now, or some that cannot be answered like that. */
  | { readonly applied: false; readonly plan: MergePlan };

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
  /** Finds out what a merge would do. It is kept, for this window, until it is applied, ended, or begun again. */
  'source.merge': Op<{ readonly database: DatabaseId }, MergePlan, Progress>;
  'source.mergeQuestions': Op<
    { readonly database: DatabaseId; readonly start: number; readonly count: number },
    { readonly questions: readonly MergeQuestion[] }
  >;
  /**
   * Makes the source's changes here too, as one step of the history. Fails with `conflict` when the copy was changed since the plan was
   * made, `not-undoable` as `source.reload`.
   */
  'source.mergeApply': Op<
    { readonly database: DatabaseId; readonly choices: MergeChoices; readonly withoutUndo: boolean },
    MergeReply,
    Progress
  >;
  'source.mergeEnd': Op<{ readonly database: DatabaseId }, null>;
  'database.file': Op<{ readonly database: DatabaseId }, DatabaseFile>;
}

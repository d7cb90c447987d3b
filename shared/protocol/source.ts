// A library copy and the file it came from: which of the two has changed, how they differ, and saving, reloading or merging.
import type { Op } from './envelope.ts';
import type { DifferenceValue, RowDifference, StepId, TableCounts } from './history.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { Value } from './values.ts';

/** `unknown`: it is not recorded when both were last identical. `replaced`: another file is at its path. */
export type SourceOnDisk = 'unchanged' | 'changed' | 'replaced' | 'missing' | 'unreadable' | 'unknown';

export interface SourceState {
  readonly disk: SourceOnDisk;
  /** Whether something was committed here since both were identical; null if unknown. */
  readonly changedHere: boolean | null;
  /** The user wants no further messages about the current state of the file. */
  readonly keptMine: boolean;
  /** Time when both were last identical: at an import, save, reload, or a comparison without differences. */
  readonly sameAtMs: number | null;
  /** Why the file cannot be read. */
  readonly why: string | null;
}

export interface SourceComparison {
  /** Differences from this copy to the source: `inserted` rows are only in the source. Tables without differences are left out. */
  readonly tables: readonly TableCounts[];
  readonly tablesCompared: number;
  /** The first differences, table by table; at most 1,000. */
  readonly rows: readonly RowDifference[];
  /** Counts of the listed rows, by table. */
  readonly listed: readonly TableCounts[];
  /** Sentences about the schema, and about what could not be compared. */
  readonly notes: readonly string[];
}

/** Effect that applying the source's row would have here. */
export type MergeRowKind = RowDifference['kind'];

/** A planned merge of the source into this copy. */
export interface MergePlan {
  /** `three-way`: the last state in which both were identical is known. `two-way`: it is not, so the user decides about each row that differs. */
  readonly way: 'three-way' | 'two-way';
  /** Why the merge is only `two-way`. */
  readonly why: string | null;
  /** Rows that only the source changed, counted by what the merge will do here. */
  readonly taken: readonly TableCounts[];
  /** Rows that only this copy changed: they stay. Counted as seen from the source. */
  readonly kept: readonly TableCounts[];
  /** Rows that both changed, or that the user has to decide about, by table; counted as in `taken`. */
  readonly questions: readonly TableCounts[];
  /** Sentences about what is left out, and about how rows are identified. */
  readonly notes: readonly string[];
}

export interface MergeQuestion {
  /** Id of the row in {@link MergeChoices}. */
  readonly id: number;
  readonly table: string;
  readonly kind: MergeRowKind;
  readonly key: readonly Value[];
  readonly columns: readonly string[];
  /** The row when both were identical; null if it did not exist then; undefined if unknown. */
  readonly base: readonly DifferenceValue[] | null | undefined;
  /** Null if it does not exist here. */
  readonly mine: readonly DifferenceValue[] | null;
  readonly theirs: readonly DifferenceValue[] | null;
  /** Why applying the source's row was refused; null if it was not tried. */
  readonly message: string | null;
}

/** `later`: the row is left unchanged, and the next merge asks again. */
export type MergeChoice = 'mine' | 'theirs' | 'later';

/** The most specific choice applies: for the row, for its table, for all. */
export interface MergeChoices {
  readonly rows: Readonly<Record<number, MergeChoice>>;
  readonly tables: Readonly<Record<string, MergeChoice>>;
  readonly all?: MergeChoice;
}

export type MergeReply =
  | {
      readonly applied: true;
      /** 0 if nothing needed to change here. */
      readonly step: StepId;
      readonly rowsChanged: number;
      /** Rows that the next merge asks about again. */
      readonly later: number;
    }
  /** Nothing was changed: the plan now has more questions, or choices that are not possible. */
  | { readonly applied: false; readonly plan: MergePlan };

/** Location of a database, and how safe its data is there. */
export interface DatabaseFile {
  readonly sizeBytes: number;
  readonly walSizeBytes: number;
  /** Everything in the WAL has been checkpointed into the file. */
  readonly checkpointed: boolean;
  /** Last checkpoint since the database was opened; null if there was none. */
  readonly lastCheckpointAtMs: number | null;
  /** Titles of the windows it is open in. */
  readonly windows: readonly string[];
}

export interface SourceOperations {
  /** Null if this database did not come from a file that can be found again. */
  'source.state': Op<{ readonly database: DatabaseId }, SourceState | null>;
  /** Acknowledges the change of the file; the next change is reported again. */
  'source.keepMine': Op<{ readonly database: DatabaseId }, SourceState>;
  'source.compare': Op<{ readonly database: DatabaseId }, SourceComparison, Progress>;
  /** Replaces the content with that of the file, as one step of the history. Fails with `not-undoable` if the previous content cannot be kept. */
  'source.reload': Op<{ readonly database: DatabaseId; readonly withoutUndo: boolean }, SourceState, Progress>;
  /** Replaces the file with this copy. Fails with `conflict` if the file has changed, unless that is `overwrite`n; `locked`, `full`, `io`. */
  'source.save': Op<
    { readonly database: DatabaseId; readonly overwrite: boolean },
    { readonly sizeBytes: number; readonly backup: string | null },
    Progress
  >;
  /** Plans a merge. The plan is kept for this window until it is applied, ended, or made again. */
  'source.merge': Op<{ readonly database: DatabaseId }, MergePlan, Progress>;
  'source.mergeQuestions': Op<
    { readonly database: DatabaseId; readonly start: number; readonly count: number },
    { readonly questions: readonly MergeQuestion[] }
  >;
  /**
   * Applies the source's changes here, as one step of the history. Fails with `conflict` if the copy was changed since the plan was made,
   * `not-undoable` as `source.reload` does.
   */
  'source.mergeApply': Op<
    { readonly database: DatabaseId; readonly choices: MergeChoices; readonly withoutUndo: boolean },
    MergeReply,
    Progress
  >;
  'source.mergeEnd': Op<{ readonly database: DatabaseId }, null>;
  'database.file': Op<{ readonly database: DatabaseId }, DatabaseFile>;
}

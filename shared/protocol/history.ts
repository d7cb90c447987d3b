// What was done to a database, step by step, and how it is undone. A step is one committed transaction.
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { ParameterValues } from './query.ts';
import type { Value } from './values.ts';

/** Ascends in time; unique in the history of one database. */
export type StepId = number;

/** Rows of one table that a step or a dry run changed, triggers and cascades included. */
export interface TableCounts {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * `rows`: row by row. `snapshot`: the schema or too much changed; the database as it was before is kept. `gap`: something
 * happened that was not recorded (`why` says what); steps before it can only be taken back one by one, where nothing conflicts.
 */
export type StepKind = 'rows' | 'snapshot' | 'gap';

export interface HistoryStep {
  readonly id: StepId;
  readonly kind: StepKind;
  readonly atMs: number;
  /** For people: “Edit of Album”, “UPDATE …”, “Undo of …”. */
  readonly title: string;
  /** The statement or script, at most its first 2,000 characters; null for edits of the grid. */
  readonly sql: string | null;
  readonly windowTitle: string;
  /** Steps of one run of a script share it. */
  readonly run: number;
  readonly tables: readonly TableCounts[];
  /** Undone steps can be redone until something else is changed. */
  readonly state: 'done' | 'undone';
  readonly sizeBytes: number;
  readonly why: string | null;
}

export interface HistoryState {
  /** What Undo and Redo would take back or do again now; null: nothing. */
  readonly undo: { readonly step: StepId; readonly title: string } | null;
  readonly redo: { readonly step: StepId; readonly title: string } | null;
  /** The newest step that undo cannot pass, and for people why not: this one and older ones are not reached. Null: everything is. */
  readonly undoEnd: { readonly step: StepId; readonly why: string } | null;
  readonly steps: number;
  readonly sizeBytes: number;
  readonly limits: HistoryLimits;
  /** For people: why nothing can be kept or taken back at the moment (full disk, …); null when all is well. */
  readonly why: string | null;
}

export interface HistoryLimits {
  /** History of one database on disk; past it the oldest steps are forgotten. Default 500 MB. */
  readonly totalBytes: number;
  /** Change data of one step. Beyond it a snapshot is kept instead, for databases up to this size too. Default 64 MB. */
  readonly stepBytes: number;
}

/** One row before and after. Long values are previews, as `PreviewValue` says. */
export interface RowDifference {
  readonly table: string;
  readonly kind: 'inserted' | 'updated' | 'deleted';
  /** Row id, or the primary key of a WITHOUT ROWID table, as it is afterwards (before, for a deleted row). */
  readonly key: readonly Value[];
  /**
   * Of a table with row ids and another primary key: that primary key, which people know the row by, as it was afterwards (before, for a deleted
   * row). `unknown`: a part of it is NULL or was not kept. Null where people know rows by `key`, and in steps kept by older versions.
   */
  readonly name: readonly (Value | PreviewValue)[] | 'unknown' | null;
  readonly columns: readonly string[];
  /** A value per column; null for an inserted row. Of an updated row only columns that changed are set in both. */
  readonly before: readonly DifferenceValue[] | null;
  readonly after: readonly DifferenceValue[] | null;
}

/** `undefined` where the value was not changed or not kept. */
export type DifferenceValue = Value | PreviewValue | undefined;

/** The beginning of a long TEXT or BLOB. */
export interface PreviewValue {
  readonly preview: string | Uint8Array;
  readonly sizeBytes: number;
}

export interface RowDifferencePage {
  /** Table by table, in the order of the counts. */
  readonly rows: readonly RowDifference[];
  readonly total: number;
}

/** A row that is not as the change expects it. `index` counts the rows of the change from 0. */
export interface RowConflict {
  readonly index: number;
  readonly change: RowDifference;
  /** `gone`: the row is not there. `differs`: other values now. `exists`: the key or a unique value is taken. `refused`: a constraint. */
  readonly reason: 'gone' | 'differs' | 'exists' | 'refused';
  /** The row as it is now, by `change.columns`; null when it is not there. */
  readonly current: readonly DifferenceValue[] | null;
  readonly message: string;
}

/**
 * For a row in conflict. `theirs`: the change wins, the row becomes what it says. `mine`: the row stays as it is now. One that is `gone`
 * is left out either way: the change knows some of its columns only.
 */
export type ConflictChoice = 'mine' | 'theirs';

/** Choices by `RowConflict.index`; `all` for those not named. */
export interface ConflictChoices {
  readonly rows: Readonly<Record<number, ConflictChoice>>;
  readonly all?: ConflictChoice;
}

export type ApplyReply =
  /** `step` is 0 when nothing had to be changed. */
  | { readonly applied: true; readonly step: StepId; readonly rowsChanged: number; readonly skipped: number }
  /** Nothing was changed. At most 1,000 are listed. */
  | { readonly applied: false; readonly conflicts: readonly RowConflict[]; readonly total: number };

/** What a dry run did, inside a transaction that is still open. */
export interface DryRunReply {
  readonly tables: readonly TableCounts[];
  readonly rows: number;
  readonly statements: number;
  readonly timeMs: number;
  /** The schema would change too: counts are all that is known of dropped tables. */
  readonly schema: boolean;
}

export interface HistoryOperations {
  /** Newest first, steps older than `before`. */
  'history.list': Op<
    { readonly database: DatabaseId; readonly before: StepId | null; readonly limit: number },
    { readonly steps: readonly HistoryStep[]; readonly more: boolean }
  >;
  'history.state': Op<{ readonly database: DatabaseId }, HistoryState>;
  'history.rows': Op<
    { readonly database: DatabaseId; readonly step: StepId; readonly start: number; readonly count: number },
    RowDifferencePage
  >;
  /** Takes the last step back, or does it again. Fails with `not-found` (nothing to undo), `transaction-elsewhere`, `conflict`. */
  'history.undo': Op<{ readonly database: DatabaseId }, HistoryStep, Progress>;
  'history.redo': Op<{ readonly database: DatabaseId }, HistoryStep, Progress>;
  /** Undoes everything from the newest step back to this one, each step a transaction. */
  'history.undoTo': Op<{ readonly database: DatabaseId; readonly step: StepId }, { readonly undone: number }, Progress>;
  /** Takes back this one step only, as a new step. Without choices conflicts are answered and nothing is changed. */
  'history.revert': Op<
    { readonly database: DatabaseId; readonly step: StepId; readonly choices?: ConflictChoices },
    ApplyReply,
    Progress
  >;
  /** Whether `history.revert` can be tried at all: null, or for people why not. Conflicts are found by trying. */
  'history.checkRevert': Op<{ readonly database: DatabaseId; readonly step: StepId }, { readonly why: string } | null>;
  /** Forgets all steps. The database stays as it is. */
  'history.clear': Op<{ readonly database: DatabaseId }, null>;
  /** For this database and all others that are kept where it is: in the library, or in place. */
  'history.setLimits': Op<{ readonly database: DatabaseId } & HistoryLimits, null>;
  /** Writes a step as a patch: SQLite's changeset format (sqlite.org/sessionintro.html), or SQL to read. */
  'patch.export': Op<
    {
      readonly database: DatabaseId;
      readonly step: StepId;
      readonly format: 'changeset' | 'sql';
      readonly sink: FileToken;
    },
    { readonly sizeBytes: number; readonly notes: readonly string[] }
  >;
  /** Applies a changeset file as one step. Without choices conflicts are answered and nothing is changed. */
  'patch.apply': Op<
    { readonly database: DatabaseId; readonly source: FileToken; readonly choices?: ConflictChoices },
    ApplyReply,
    Progress
  >;
  /** Runs the text in a transaction that stays open in this window until `dryRun.finish`. */
  'dryRun.start': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly parameters?: ParameterValues;
      readonly withoutUndo?: boolean;
    },
    DryRunReply
  >;
  'dryRun.rows': Op<
    { readonly database: DatabaseId; readonly start: number; readonly count: number },
    RowDifferencePage
  >;
  /** Commits what the dry run did, or takes it back. */
  'dryRun.finish': Op<{ readonly database: DatabaseId; readonly keep: boolean }, null>;
}

/** Merged into `Events`. */
export interface HistoryEvents {
  'history.changed': { readonly database: DatabaseId; readonly state: HistoryState };
}

// Operations on the history of a database, step by step, and how it is undone. A step is one committed transaction.
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { ParameterValues } from './query.ts';
import type { Value } from './values.ts';

/** Increases over time; unique in the history of one database. */
export type StepId = number;

/** Rows of one table that a step or a dry run changed, including triggers and cascades. */
export interface TableCounts {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * `rows`: recorded row by row. `snapshot`: the schema or too much changed, so the previous state of the database is kept. `gap`: something
 * happened that was not recorded (`why` says what); steps before it can only be reverted one by one, where nothing conflicts.
 */
export type StepKind = 'rows' | 'snapshot' | 'gap';

export interface HistoryStep {
  readonly id: StepId;
  readonly kind: StepKind;
  readonly atMs: number;
  /** Shown to the user: “Edit Title in Album”, “UPDATE …”, “Undo: …”. */
  readonly title: string;
  /** The statement or script, at most its first 2,000 characters; null for edits in the grid. */
  readonly sql: string | null;
  readonly windowTitle: string;
  /** Shared by the steps of one script run. */
  readonly run: number;
  readonly tables: readonly TableCounts[];
  /** Undone steps can be redone until another change is made. */
  readonly state: 'done' | 'undone';
  readonly sizeBytes: number;
  /** What is not recorded, or what undoing it leaves out, for the user. */
  readonly why: string | null;
}

export interface HistoryState {
  /** Steps that Undo and Redo would act on now; null for none. */
  readonly undo: { readonly step: StepId; readonly title: string } | null;
  readonly redo: { readonly step: StepId; readonly title: string } | null;
  /**
   * The newest step that undo cannot pass, and why, for the user: undo reaches neither this step nor older ones. Null if undo reaches every
   * step.
   */
  readonly undoEnd: { readonly step: StepId; readonly why: string } | null;
  readonly steps: number;
  readonly sizeBytes: number;
  readonly limits: HistoryLimits;
  /** Why nothing, or not everything, can be recorded or undone at the moment (full disk, …), for the user; null if history works. */
  readonly why: string | null;
}

export interface HistoryLimits {
  /** Maximum size of one database's history on disk; past it the oldest steps are dropped. Default 500 MB. */
  readonly totalBytes: number;
  /** Maximum change data of one step. A larger change keeps a snapshot instead, if the database is not larger than this either. Default 64 MB. */
  readonly stepBytes: number;
}

/** One row before and after. Long values are previews, see `PreviewValue`. */
export interface RowDifference {
  readonly table: string;
  readonly kind: 'inserted' | 'updated' | 'deleted';
  /** Row id, or the primary key of a WITHOUT ROWID table, after the change (before it, for a deleted row). */
  readonly key: readonly Value[];
  /**
   * Primary key of a table that has row ids and a separate primary key, by which users know the row, after the change (before it, for a
   * deleted row). `unknown`: part of it is NULL or was not recorded. Null where users know rows by `key`, and in steps recorded by older
   * versions.
   */
  readonly name: readonly (Value | PreviewValue)[] | 'unknown' | null;
  readonly columns: readonly string[];
  /** One value per column; null for an inserted row. For an updated row, only the changed columns are set in both. */
  readonly before: readonly DifferenceValue[] | null;
  readonly after: readonly DifferenceValue[] | null;
}

/** `undefined` if the value was not changed or not recorded. */
export type DifferenceValue = Value | PreviewValue | undefined;

/** The beginning of a long TEXT or BLOB. */
export interface PreviewValue {
  readonly preview: string | Uint8Array;
  readonly sizeBytes: number;
}

export interface RowDifferencePage {
  /** Grouped by table, in the order of the counts. */
  readonly rows: readonly RowDifference[];
  readonly total: number;
}

/** A row that is not in the state the change expects. `index` counts the rows of the change from 0. */
export interface RowConflict {
  readonly index: number;
  readonly change: RowDifference;
  /**
   * `gone`: the row no longer exists. `differs`: it has other values now. `exists`: the key or a unique value is taken. `refused`: it would
   * violate a constraint.
   */
  readonly reason: 'gone' | 'differs' | 'exists' | 'refused';
  /** The row as it is now, in the order of `change.columns`; null if it does not exist. */
  readonly current: readonly DifferenceValue[] | null;
  readonly message: string;
}

/**
 * Resolves one conflict. `theirs`: the change wins and is applied to the row. `mine`: the row stays as it is now. A row that is `gone` is
 * skipped either way, because the change knows only some of its columns.
 */
export type ConflictChoice = 'mine' | 'theirs';

/** Choices by `RowConflict.index`; `all` applies to the others. */
export interface ConflictChoices {
  readonly rows: Readonly<Record<number, ConflictChoice>>;
  readonly all?: ConflictChoice;
}

export type ApplyReply =
  /** `step` is 0 if nothing had to be changed. */
  | { readonly applied: true; readonly step: StepId; readonly rowsChanged: number; readonly skipped: number }
  /** Nothing was changed. At most 1,000 conflicts are listed. */
  | { readonly applied: false; readonly conflicts: readonly RowConflict[]; readonly total: number };

/** A row that was not changed after all. */
export interface TriedUpdate {
  readonly key: readonly Value[];
  readonly set: Readonly<Record<string, Value>>;
  /** Stored values by column; long values are left out. */
  readonly base: Readonly<Record<string, Value>>;
}

/** Beyond this many changed rows of one step, or dry run, only what undo needs is kept: values after the change are not. */
export const ROWS_WITH_NEW_VALUES = 10_000;

/** Effects of a dry run, in a transaction that is still open. */
export interface DryRunReply {
  readonly tables: readonly TableCounts[];
  /** More than `tables` add up to where rows are only counted: after a change of the schema, or beyond what the history keeps of a step. */
  readonly rows: number;
  readonly statements: number;
  readonly timeMs: number;
  /** The schema would change too: for dropped tables only counts are known. */
  readonly schema: boolean;
}

export interface HistoryOperations {
  /** Steps older than `before`, newest first. */
  'history.list': Op<
    { readonly database: DatabaseId; readonly before: StepId | null; readonly limit: number },
    { readonly steps: readonly HistoryStep[]; readonly more: boolean }
  >;
  'history.state': Op<{ readonly database: DatabaseId }, HistoryState>;
  'history.rows': Op<
    { readonly database: DatabaseId; readonly step: StepId; readonly start: number; readonly count: number },
    RowDifferencePage
  >;
  /** Undoes the last step, or redoes it. Fails with `not-found` (nothing to undo), `transaction-elsewhere`, `conflict`. */
  'history.undo': Op<{ readonly database: DatabaseId }, HistoryStep, Progress>;
  'history.redo': Op<{ readonly database: DatabaseId }, HistoryStep, Progress>;
  /** Undoes every step from the newest back to this one, each in its own transaction. */
  'history.undoTo': Op<{ readonly database: DatabaseId; readonly step: StepId }, { readonly undone: number }, Progress>;
  /** Undoes only this step, as a new step. Without choices, conflicts are returned and nothing is changed. */
  'history.revert': Op<
    { readonly database: DatabaseId; readonly step: StepId; readonly choices?: ConflictChoices },
    ApplyReply,
    Progress
  >;
  /** Returns null if `history.revert` can be tried at all, otherwise why not, for the user. Conflicts are only found by trying. */
  'history.checkRevert': Op<{ readonly database: DatabaseId; readonly step: StepId }, { readonly why: string } | null>;
  /** Deletes all steps. The database does not change. */
  'history.clear': Op<{ readonly database: DatabaseId }, null>;
  /** Applies to this database and to all others stored in the same place: in the library, or in place. */
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
  /** Applies a changeset file as one step. Without choices, conflicts are returned and nothing is changed. */
  'patch.apply': Op<
    { readonly database: DatabaseId; readonly source: FileToken; readonly choices?: ConflictChoices },
    ApplyReply,
    Progress
  >;
  /**
   * Runs the text in a transaction of this window that stays open until `dryRun.finish`; until then every other write of the window fails
   * with `refused`. With `keep`, it is committed at once.
   */
  'dryRun.start': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly parameters?: ParameterValues;
      /** Title of the step; the beginning of the text if it is missing. */
      readonly title?: string;
      readonly withoutUndo?: boolean;
      readonly keep?: boolean;
      /** An assistant has written it: only what a rollback takes back completely is run. */
      readonly proposed?: boolean;
    },
    DryRunReply
  >;
  /**
   * Values that the text would set in these columns of the table. It runs in a transaction that is rolled back before the reply. Fails with
   * `refused` if keys of the rows, or more than `maxRows` rows, would change.
   */
  'dryRun.updates': Op<
    {
      readonly database: DatabaseId;
      readonly sql: string;
      readonly parameters?: ParameterValues;
      readonly table: string;
      readonly columns: readonly string[];
      readonly maxRows: number;
    },
    readonly TriedUpdate[]
  >;
  'dryRun.rows': Op<
    { readonly database: DatabaseId; readonly start: number; readonly count: number },
    RowDifferencePage
  >;
  /** Commits the dry run, or rolls it back. */
  'dryRun.finish': Op<{ readonly database: DatabaseId; readonly keep: boolean }, null>;
}

/** Merged into `Events`. */
export interface HistoryEvents {
  'history.changed': { readonly database: DatabaseId; readonly state: HistoryState };
}

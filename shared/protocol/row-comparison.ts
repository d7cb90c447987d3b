// Comparing the rows of two databases, and making the first like the second.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { MadeChange } from './edit.ts';
import type { FileToken } from './files.ts';
import type { ApplyReply, ConflictChoices, RowDifference, StepId } from './history.ts';
import type { Progress } from './library.ts';
import type { SourceComparison } from './source.ts';

/** Two tables whose rows are compared. */
export interface ComparedTables {
  readonly from: string;
  readonly to: string;
  /**
   * Columns of the first table by which rows belong together; null: the primary key if both have the same, otherwise a unique key, otherwise
   * the row id.
   */
  readonly key: readonly string[] | null;
}

/** Differences from the first database to the second: `inserted` rows are only in the second. */
export interface RowComparison extends SourceComparison {
  /** Identifies the comparison in the other operations, until `comparison.end`. */
  readonly id: string;
  /** How many rows a patch changes; null if there are too many differences for one. */
  readonly changes: ChangeCounts | null;
  /** For each of `rows` its number in a {@link RowChoice}; null if a patch cannot contain it. */
  readonly numbers: readonly (number | null)[];
}

export type ChangeCounts = Readonly<Record<RowDifference['kind'], number>>;

/** Differences to apply or save: all of some kinds. For each row in `except`, the opposite of what its kind says. */
export interface RowChoice {
  readonly kinds: readonly RowDifference['kind'][];
  /** Numbers of rows ({@link RowComparison.numbers}). */
  readonly except: readonly number[];
}

export interface RowComparisonOperations {
  /**
   * Compares with a copy of the second database, which is removed again, so both can be worked on.
   *
   * @param to a database of the same engine, such as a comparison copy
   * @param toBefore the second database as it was right before this step of its history. @throws AppError `not-found`, `unavailable` when
   *   that is no longer known
   * @param tables null: all tables that have the same name in both
   */
  'comparison.rows': Op<
    {
      readonly database: DatabaseId;
      readonly to: DatabaseId;
      readonly toBefore?: StepId;
      readonly tables: readonly ComparedTables[] | null;
    },
    RowComparison,
    Progress
  >;
  /**
   * Makes the chosen rows of the first database like those of the second, as one step of its history. Without choices, conflicts (rows that were
   * changed since) are returned and nothing is changed.
   */
  'comparison.apply': Op<
    {
      readonly database: DatabaseId;
      readonly id: string;
      readonly rows: RowChoice;
      readonly choices?: ConflictChoices;
    },
    ApplyReply,
    Progress
  >;
  /**
   * The chosen differences as changes of rows, for a database on a server of which the first one is a copy: what is deleted first, then updates,
   * then new rows, those that others refer to before these.
   * @throws AppError `unavailable` for rows that were matched by something else than their key
   */
  'comparison.changes': Op<
    { readonly database: DatabaseId; readonly id: string; readonly rows: RowChoice },
    readonly MadeChange[]
  >;
  /** Writes the chosen differences as a patch: SQLite's changeset format, or SQL. */
  'comparison.save': Op<
    {
      readonly database: DatabaseId;
      readonly id: string;
      readonly rows: RowChoice;
      readonly format: 'changeset' | 'sql';
      readonly sink: FileToken;
    },
    { readonly sizeBytes: number; readonly notes: readonly string[] }
  >;
  /** Forgets it. */
  'comparison.end': Op<{ readonly database: DatabaseId; readonly id: string }, null>;
}

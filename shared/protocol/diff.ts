// Operations that say how one database differs from another, as text, as JSON, or as a script that turns the one into the other.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';

/** `text`: for people; `stat`: counts only; `sql`: a script that turns the first into the second. */
export type DiffForm = 'text' | 'stat' | 'json' | 'sql';

export interface DiffOptions {
  readonly form: DiffForm;
  /** Rows of each table that are written; null: all. They are counted in any case. */
  readonly limit: number | null;
  readonly schemaOnly: boolean;
  /** Tables and views to compare, by name; null: all. */
  readonly tables: readonly string[] | null;
  /** Columns to leave out, as `column` or `table.column`. */
  readonly ignoredColumns: readonly string[];
  /** Text with the colors of a terminal. */
  readonly colors: boolean;
  /** What the user calls the two. */
  readonly names: readonly [from: string, to: string];
}

export interface DiffReply {
  readonly isEqual: boolean;
  /** Sentences on tables whose rows could not be compared. */
  readonly notCompared: readonly string[];
}

export interface DiffOperations {
  /**
   * Writes the differences into the sink: what was added, removed, or changed on the way from the first to the second. Both are only read,
   * and nothing is written where they are equal, unless the form is `json`. @throws AppError `not-found` for a table that neither has;
   * `unavailable` where a script would not make the one exactly like the other; `stopped`, `io`, `full`
   */
  'diff.write': Op<
    { readonly from: DatabaseId; readonly to: DatabaseId; readonly options: DiffOptions; readonly sink: FileToken },
    DiffReply,
    Progress
  >;
}

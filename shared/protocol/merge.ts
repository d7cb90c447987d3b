// The operation that merges what two databases changed since both were the same.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { FileToken } from './files.ts';
import type { Progress } from './library.ts';

/** The table of conflicts. What an earlier merge left in one is no content, and is not merged. */
export const CONFLICTS = 'sidelite_conflicts';

export type MergeSide = 'ours' | 'theirs';

/** Whose change is taken where both sides changed the same; the choice for a table comes before that for all. */
export interface SideChoices {
  readonly all: MergeSide | null;
  /** By name. */
  readonly tables: Readonly<Record<string, MergeSide>>;
}

export interface MergeOptions {
  readonly choices: SideChoices;
  readonly form: 'text' | 'json';
  /** Conflicts of each table that the report describes; all are counted. */
  readonly limit: number;
  /** What the user calls the three. */
  readonly names: readonly [base: string, ours: string, theirs: string];
}

interface MergedFile {
  readonly conflicts: number;
  /** What was done, and the conflicts, as text or as JSON. */
  readonly report: string;
  /** Sentences on what was left out, and on earlier conflicts. */
  readonly notes: readonly string[];
}

export interface MergeOperations {
  /**
   * Writes a copy of `ours` with the changes between `base` and `theirs` into the sink, which is left open: it is committed once none of the
   * three is open any longer, because it may replace one of them. Conflicts are left as in `ours`, and are listed in a table of the copy.
   * @throws AppError `conflict` where both sides changed definitions, or one of the three was changed meanwhile; `constraint`, `corrupt`,
   *   `unavailable` where the copy would not be exactly what both sides make together; `stopped`, `io`, `full`
   */
  'merge.write': Op<
    {
      readonly base: DatabaseId;
      readonly ours: DatabaseId;
      readonly theirs: DatabaseId;
      readonly options: MergeOptions;
      readonly sink: FileToken;
    },
    MergedFile,
    Progress
  >;
}

// Changes that an engine publishes after a commit.
import type { Value } from '#shared/protocol/values.ts';
import type { LoggedTable, RowLog } from './row-log/row-log.ts';

/** Changes by one committed transaction; TRUTH-TABLE.md says what is published when. */
export interface TransactionChanges {
  /**
   * Changed tables of `main` by name, in the order of their first change; a shadow table counts as its virtual table. Null: anything may
   * have changed.
   */
  readonly tables: ReadonlyMap<string, TableChanges> | null;
  readonly schema: boolean;
  /** What was changed in a file that is attached to the connection, in which case nothing was changed in `main`. */
  readonly attached?: 'rows' | 'schema';
  /** Null when recording is off or no row changed. `dropped`: the log exceeded the budget. */
  readonly log: RowLog | 'dropped' | null;
  /** Counts of the changed rows by table, only where {@link ChangeGuard.covers} said that no log is needed. */
  readonly counted?: readonly LoggedTable[];
}

export interface TableChanges {
  readonly inserted: boolean;
  /** Set only when the value of some row changed. */
  readonly updated: boolean;
  readonly deleted: boolean;
  /** An update changed a row id or primary key, so the order of rows may differ. */
  readonly moved: boolean;
  /** Columns whose values updates changed, always including generated ones. Null: any column. */
  readonly columns: ReadonlySet<string> | null;
  /** Keys of the touched rows before and after, possibly with duplicates. Null: any row. */
  readonly keys: ChangedKeys | null;
}

export type ChangedKeys =
  | { readonly kind: 'rowid'; readonly rowids: BigInt64Array }
  | { readonly kind: 'primary-key'; readonly keys: readonly (readonly Value[])[] };

// What a transaction did to rows, in order, exact enough to undo it: each change in reverse leads through the same valid states.
// Made by engines, kept by the history. Not SQLite's session extension: that knows rows by declared primary key only, so it loses
// the row ids of tables keyed by something else, rows with a NULL in the key, and the order of steps through a UNIQUE column.
import { ROWS_WITH_NEW_VALUES } from '#shared/protocol/history.ts';
import type { Value } from '#shared/protocol/values.ts';

/** The table as it was when it was first changed. */
export interface LoggedTable {
  readonly name: string;
  /** Columns that are stored and can be written: no generated ones. Values below use these positions. */
  readonly columns: readonly string[];
  /**
   * `rowid` names the row-id column to use in SQL, `columnIndex` is where it stands among the columns (INTEGER PRIMARY KEY), else null;
   * `primary-key` the columns of a WITHOUT ROWID table.
   */
  readonly key:
    | { readonly kind: 'rowid'; readonly name: string; readonly columnIndex: number | null }
    | { readonly kind: 'primary-key'; readonly columns: readonly string[] };
  /**
   * Places of the primary key's columns, in the order of the key, where the key is not the row id (a `rowid` table with a key of TEXT or of
   * several columns): what people know a row by, never what it is found by. Absent in other tables and in logs of formats 1 and 2.
   */
  readonly declaredKey?: readonly number[];
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/** A table without its counts. */
export type LoggedShape = Omit<LoggedTable, 'inserted' | 'updated' | 'deleted'>;

export type LoggedChange =
  | {
      readonly operation: 'insert';
      readonly table: LoggedTable;
      readonly key: readonly Value[];
      /** Values by position; null past {@link MAX_ROWS_WITH_AFTER} changes in one transaction: undo only needs the key. */
      readonly after: readonly Value[] | null;
    }
  | {
      readonly operation: 'update';
      readonly table: LoggedTable;
      readonly keyBefore: readonly Value[];
      readonly keyAfter: readonly Value[];
      /**
       * Values of the `declaredKey` after the change; null where the table has none, and where `after` is null. A TEXT or BLOB that did not change
       * is NULL in it when it is long (`MAX_NAME_VALUE_BYTES`).
       */
      readonly name: readonly Value[] | null;
      /** Places of the columns that changed, ascending; the row id itself is in the keys only. */
      readonly columnIndexes: readonly number[];
      readonly before: readonly Value[];
      readonly after: readonly Value[] | null;
    }
  | {
      readonly operation: 'delete';
      readonly table: LoggedTable;
      readonly key: readonly Value[];
      readonly before: readonly Value[];
    }
  /**
   * The rows of `sqlite_sequence` with this name, each a row id and a number, before and after the transaction. Also there when they are the
   * same, for every AUTOINCREMENT table with rows that came or went: putting rows back may count it up. So these come last in both
   * directions. For people they are no change of their own.
   */
  | {
      readonly operation: 'sequence';
      readonly name: Value;
      readonly before: readonly (readonly Value[])[];
      readonly after: readonly (readonly Value[])[];
    };

/** Beyond this many changes in one transaction only what undo needs is kept: no values after the change, and no names of updated rows. */
export const MAX_ROWS_WITH_AFTER = ROWS_WITH_NEW_VALUES;

/** Immutable; `bytes` is the whole log, to be stored unchanged and opened again with `openRowLog(bytes)`. */
export interface RowLog {
  readonly bytes: Uint8Array;
  readonly tables: readonly LoggedTable[];
  /** Inserts, updates and deletes. */
  readonly rowCount: number;
  /** Changes in the order they happened. */
  forwards(): IterableIterator<LoggedChange>;
  /** Newest first, without decoding what comes before. */
  backwards(): IterableIterator<LoggedChange>;
  /** Changes of one of its `tables` in the order they happened, from the `start`th on, without decoding what comes before. */
  rowsOf(table: LoggedTable, start: number): IterableIterator<LoggedChange>;
}

/** Questions that a connection asks before changes that cannot be undone row by row. */
export interface ChangeGuard {
  /**
   * Called before the first step of a statement that changes the schema, or of VACUUM (row ids may become others), and of pragmas that
   * write to the file. May read committed content ({@link Connection.copyCommitted}). Throw to refuse the statement: nothing was changed
   * then. Once a transaction: what is kept now stands for all of it, so its row log ends and is `dropped`. Also before writes to a table
   * whose rows have no name for their row id (`rowid`, `_rowid_` and `oid` are all columns).
   */
  beforeSchemaChange(): void;
  /**
   * The log of the open transaction has reached its budget. `drop`: continue, `TransactionChanges.log` will be `dropped`. `stop`: the
   * statement fails with `not-undoable`, and its transaction is rolled back. Called inside SQLite: must not run statements.
   */
  overBudget(): 'drop' | 'stop';
  /**
   * Called before the first rows of a transaction: tells whether something that is kept already also undoes what it will do. Its rows are
   * counted then (`TransactionChanges.counted`), and there is no log. Must not run statements.
   */
  covers(): boolean;
}

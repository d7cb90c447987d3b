// Facts about one prepared statement besides its text.
import type { Control, TableRead } from '../../engine.ts';

/** Effects of one prepared statement besides reading and writing rows. */
export interface StatementFacts {
  /** Reads of tables and views of `main` and of virtual tables. */
  readonly reads: readonly TableRead[];
  /** Tables of `main` whose rows the statement, its triggers, or its cascades write, except the tables of the schema and shadow tables. */
  readonly writtenTables: readonly string[];
  /** Columns that UPDATEs of the statement, its triggers, and its cascades set, by table; the row id is `ROWID` unless its column was named. */
  readonly updatedColumns: ReadonlyMap<string, ReadonlySet<string>>;
  /** Tables of `main` whose definition, index, or trigger the statement changes; empty for most statements. */
  readonly definedTables: readonly string[];
  /** The statement renames a table: the authorizer does not hear the new name. */
  readonly renames: boolean;
  readonly savepoint: { readonly operation: 'BEGIN' | 'RELEASE' | 'ROLLBACK'; readonly name: string } | null;
  /** The statement changes something that rows do not show: the schema of `main`, the header of the file. */
  readonly isBeyondRows: boolean;
  /** Rows may get other row ids, and no hook tells. */
  readonly isVacuum: boolean;
  /** Other statements may begin to write to other tables: by a TEMP trigger, by a setting. */
  readonly changesOthers: boolean;
  readonly control: Control | null;
}

/** Facts about a statement that was prepared. */
export interface PreparedKind {
  /** `sqlite3_stmt_isexplain` */
  readonly isExplain: boolean;
  readonly isVacuum: boolean;
  /** The first word of the statement is CREATE: more caution when the rest is not recognized. */
  readonly isCreate: boolean;
}

export const CHANGES_NOTHING: Omit<StatementFacts, 'reads'> = {
  writtenTables: [],
  updatedColumns: new Map(),
  definedTables: [],
  renames: false,
  savepoint: null,
  isBeyondRows: false,
  isVacuum: false,
  changesOthers: false,
  control: null,
};

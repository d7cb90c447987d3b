// Schema changes: planning one, and making it in one transaction that proves the outcome before it is kept.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';

export type DroppableKind = 'table' | 'view' | 'index' | 'trigger';

/** Kinds of objects that are changed by dropping and creating them again. */
export type RecreatedKind = 'view' | 'index' | 'trigger';

export type SchemaChange =
  /**
   * Changes a table to match `sql`, a CREATE TABLE statement with its current name. `columns`: for each column in `sql`, the name that
   * column had before, null for a new one. Columns not listed are dropped.
   */
  | {
      readonly kind: 'change-table';
      readonly table: string;
      readonly sql: string;
      readonly columns: readonly (string | null)[];
    }
  | { readonly kind: 'rename-table'; readonly table: string; readonly to: string }
  | { readonly kind: 'empty-table'; readonly table: string }
  /** Columns, keys and checks are copied, and with `rows` the rows too; indexes and triggers stay with the original. */
  | { readonly kind: 'duplicate-table'; readonly table: string; readonly to: string; readonly rows: boolean }
  /** An FTS5 table of another table's text is filled from it. */
  | { readonly kind: 'create'; readonly sql: string }
  /**
   * Creates an FTS5 or R-Tree table again from `sql`, with its current name, and fills it. `columns`: as in `change-table`.
   */
  | {
      readonly kind: 'change-virtual';
      readonly table: string;
      readonly sql: string;
      readonly columns: readonly (string | null)[];
    }
  /** Drops an index, view or trigger and creates it again from `sql`, a statement of the same kind that may have another name. */
  | { readonly kind: 'change-object'; readonly object: RecreatedKind; readonly name: string; readonly sql: string }
  | { readonly kind: 'drop'; readonly object: DroppableKind; readonly name: string }
  /** A number in the header of the file that SQLite leaves to applications; a 32-bit integer. */
  | { readonly kind: 'set-number'; readonly name: 'user_version' | 'application_id'; readonly value: number };

/** Effect of one change. Sizes and times are extrapolated from a sample of the rows. */
export type SchemaStep =
  /** A statement of SQLite itself. `rows`: how many rows it reads or writes; null if none, so it takes no time. */
  | { readonly kind: 'statement'; readonly sql: string; readonly rows: number | null }
  | {
      readonly kind: 'rebuild';
      readonly table: string;
      readonly sql: string;
      readonly rows: number | null;
      readonly bytes: number | null;
      readonly timeMs: number | null;
    };

/** Rows that prevent a change as long as they exist. */
export interface SchemaObstacle {
  /** `no-value`: a new NOT NULL column has no value for existing rows. `type`: a column type of a STRICT table. */
  readonly kind: 'not-null' | 'no-value' | 'check' | 'unique' | 'foreign-key' | 'type';
  readonly table: string;
  /** Column names after the change. */
  readonly columns: readonly string[];
  /** The constraint as written; null if the column is enough to name it. */
  readonly constraint: string | null;
  readonly count: number;
  /** A query that selects these rows. */
  readonly sql: string;
  /** The same rows in the table as it is now, where they can be edited; null if nothing identifies its rows. */
  readonly rows: RowsInTheWay | null;
}

export interface RowsInTheWay {
  readonly table: string;
  /** A condition on the rows of the table. */
  readonly where: string;
  /** Columns by which rows that belong together stand together. */
  readonly sort: readonly string[];
}

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  readonly obstacles: readonly SchemaObstacle[];
  /** Objects that refer to the tables that are changed, dropped or renamed. */
  readonly dependents: readonly SchemaName[];
  /** Views, triggers and virtual tables that would not compile: new ones, and ones that do now. */
  readonly broken: readonly BrokenObject[];
}

/** An object of the database; `table` is the table that an index or trigger belongs to. */
export interface SchemaName {
  readonly kind: DroppableKind | 'virtual';
  readonly name: string;
  readonly table: string;
}

export interface BrokenObject extends SchemaName {
  /** SQLite's message. */
  readonly message: string;
}

/** A part of a table that uses one of its own columns, or refers to another table. */
export interface SchemaUsePart {
  readonly kind: 'generated' | 'check' | 'unique' | 'primary-key' | 'foreign-key';
  /** Text as written, after the name of the column it belongs to. */
  readonly sql: string;
}

/** An object that uses a table or column. */
export interface SchemaUse extends SchemaName {
  /** The part of it that does; null: the object as a whole. Always set for tables whose statement is understood. */
  readonly part: SchemaUsePart | null;
}

/** `count` rows of `table` refer to rows of `parent` that do not exist. */
export interface BrokenKeys {
  readonly table: string;
  readonly parent: string;
  readonly count: number;
}

/** Effect of a rebuild on one column. */
export interface ColumnProof {
  readonly name: string;
  /** Former name; null for a new column. */
  readonly from: string | null;
  /** `same`: every value was compared with the original. `converted`: the type changed. `computed`: a generated column, or text of another table. */
  readonly values: 'same' | 'converted' | 'computed' | 'new';
  /** Number of values that changed in a converted column. */
  readonly changed: number;
}

/** The result of comparing a table, row by row, with the table it was built from. */
export interface TableProof {
  readonly table: string;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  readonly columns: readonly ColumnProof[];
  /** `kept`: each row kept its row id. `none`: rows no longer have row ids. `new`: row ids could not be kept, or come from another column now. */
  readonly rowids: 'kept' | 'new' | 'none';
}

/** A new full-text table, filled with the rows of the table that has its text. */
export interface IndexedRows {
  readonly table: string;
  readonly content: string;
  readonly contentRows: number;
  readonly indexedRows: number;
}

/** Effects of a schema change, in a transaction that is still open. */
export interface SchemaChangeReport {
  readonly sql: readonly string[];
  readonly timeMs: number;
  /** Tables that were there before, under this or another name. */
  readonly tables: readonly TableProof[];
  readonly indexed: readonly IndexedRows[];
  /** Recreated unchanged. */
  readonly restored: readonly SchemaName[];
  /** Objects that worked before and no longer do. */
  readonly broken: readonly BrokenObject[];
  /** Objects that did not work before, and still do not. */
  readonly brokenBefore: readonly SchemaName[];
  /** Foreign keys that are broken now and were not before. */
  readonly brokenKeys: readonly BrokenKeys[];
  /** Tables whose foreign keys were checked; the change did not touch anything the other tables' keys depend on. */
  readonly keysChecked: readonly string[];
  /** Tables that were checked with `PRAGMA quick_check`, and its messages. */
  readonly integrityChecked: readonly string[];
  readonly integrity: readonly string[];
  /** The transaction was committed as a step of the history; otherwise `dryRun.finish` ends it. */
  readonly kept: boolean;
}

export interface SchemaChangeOperations {
  /** Returns what `schema.change` would do. Changes nothing. */
  'schema.plan': Op<{ readonly database: DatabaseId; readonly changes: readonly SchemaChange[] }, SchemaPlan, Progress>;
  /**
   * Returns what uses a table or view, or one of its columns: found by letting SQLite compile everything without it, and rename the column
   * in a copy of its table.
   */
  'schema.uses': Op<
    { readonly database: DatabaseId; readonly table: string; readonly column: string | null },
    readonly SchemaUse[],
    Progress
  >;
  /**
   * Makes the changes in one transaction that stays open in this window until `dryRun.finish`.
   * @param keep commits it at once if nothing is broken
   */
  'schema.change': Op<
    {
      readonly database: DatabaseId;
      readonly changes: readonly SchemaChange[];
      readonly keep?: boolean;
      readonly withoutUndo?: boolean;
    },
    SchemaChangeReport,
    Progress
  >;
}

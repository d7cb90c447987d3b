// Changes of the schema: what one would do, and doing it in one transaction that proves what it did before it is kept.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { Progress } from './library.ts';

export type DroppableKind = 'table' | 'view' | 'index' | 'trigger';

export type SchemaChange =
  /**
   * Makes a table what `sql` says, a CREATE TABLE under the name it has.
   * `columns`: for each column of `sql` the name of the column it was, null for a new one. One that is not named is dropped.
   */
  | {
      readonly kind: 'change-table';
      readonly table: string;
      readonly sql: string;
      readonly columns: readonly (string | null)[];
    }
  | { readonly kind: 'rename-table'; readonly table: string; readonly to: string }
  | { readonly kind: 'empty-table'; readonly table: string }
  /** Columns, keys and checks come along, and with `rows` the rows; indexes and triggers stay with the original. */
  | { readonly kind: 'duplicate-table'; readonly table: string; readonly to: string; readonly rows: boolean }
  | { readonly kind: 'create'; readonly sql: string }
  | { readonly kind: 'drop'; readonly object: DroppableKind; readonly name: string };

/** What one change does. Sizes and times are those of a sample of the rows, as many times as there are more. */
export type SchemaStep =
  /** SQLite's own statement. `rows`: how many it reads or writes; null: none, so it takes no time. */
  | { readonly kind: 'statement'; readonly sql: string; readonly rows: number | null }
  | {
      readonly kind: 'rebuild';
      readonly table: string;
      readonly sql: string;
      readonly rows: number | null;
      readonly bytes: number | null;
      readonly timeMs: number | null;
      /** How many rows the estimate was made with. */
      readonly sampledRows: number;
    };

/** What keeps a change from being made, as long as there are such rows. */
export interface SchemaObstacle {
  /** `no-value`: a new column that must have a value has none for the rows there are. `type`: the type of a STRICT table. */
  readonly kind: 'not-null' | 'no-value' | 'check' | 'unique' | 'foreign-key' | 'type';
  readonly table: string;
  /** By their names after the change. */
  readonly columns: readonly string[];
  /** As it is written; null for a column alone. */
  readonly constraint: string | null;
  readonly count: number;
  /** A query that shows these rows. */
  readonly sql: string;
}

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  readonly obstacles: readonly SchemaObstacle[];
  /** What mentions the tables that are changed, dropped or renamed. */
  readonly dependents: readonly SchemaName[];
}

/** An object of the database; `table` is what an index or trigger belongs to. */
export interface SchemaName {
  readonly kind: DroppableKind | 'virtual';
  readonly name: string;
  readonly table: string;
}

/** `count` rows of `table` lead nowhere through a foreign key to `parent`. */
export interface BrokenKeys {
  readonly table: string;
  readonly parent: string;
  readonly count: number;
}

/** How one column came through a rebuild. */
export interface ColumnProof {
  readonly name: string;
  /** Null: it was not there before. */
  readonly from: string | null;
  /** `same`: every value was compared with what it was. `converted`: its type is another. `computed`: a generated column. */
  readonly values: 'same' | 'converted' | 'computed' | 'new';
  /** Values that are not what they were, of a column that was converted. */
  readonly changed: number;
}

/** What was compared, row by row, between a table and what it was made of. */
export interface TableProof {
  readonly table: string;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  readonly columns: readonly ColumnProof[];
  /** `kept`: each row has the row id it had. `none`: rows have none any more. `new`: it could not be kept, or follows another column now. */
  readonly rowids: 'kept' | 'new' | 'none';
}

/** What a change of the schema did, inside a transaction that is still open. */
export interface SchemaChangeReport {
  readonly sql: readonly string[];
  readonly timeMs: number;
  readonly tables: readonly TableProof[];
  /** Made again as they were. */
  readonly restored: readonly SchemaName[];
  /** They could be read or run before, and cannot any more. */
  readonly broken: readonly (SchemaName & { readonly message: string })[];
  /** They could not before, either. */
  readonly brokenBefore: readonly SchemaName[];
  /** Keys that lead nowhere now and did not before. */
  readonly brokenKeys: readonly BrokenKeys[];
  /** Tables whose foreign keys were checked; of all others nothing they depend on was changed. */
  readonly keysChecked: readonly string[];
  /** Tables that SQLite has checked (`PRAGMA quick_check`), and what it found. */
  readonly integrityChecked: readonly string[];
  readonly integrity: readonly string[];
  /** The transaction is over and became a step of the history; otherwise `dryRun.finish` ends it. */
  readonly kept: boolean;
}

export interface SchemaChangeOperations {
  /** What `schema.change` would do. Nothing is changed. */
  'schema.plan': Op<{ readonly database: DatabaseId; readonly changes: readonly SchemaChange[] }, SchemaPlan, Progress>;
  /** What mentions a table or view, or one of its columns: found by letting SQLite compile everything without it. */
  'schema.uses': Op<
    { readonly database: DatabaseId; readonly table: string; readonly column: string | null },
    readonly SchemaName[],
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

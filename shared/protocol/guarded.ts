// Operations for a client that is trusted with less than a person: one statement that reads, with limits, over the tables and columns that
// rules leave visible, and a statement that is tried in a copy.
import type { DatabaseId } from './database-id.ts';
import type { Op } from './envelope.ts';
import type { RowDifference, TableCounts } from './history.ts';
import type { ObjectKind } from './schema.ts';
import type { Value } from './values.ts';

/** Patterns in which `*` stands for any characters and `?` for one, letters of ASCII in either case. */
export interface GuardRules {
  /** Only tables and views that match one of them are visible; empty: all. */
  readonly tables: readonly string[];
  /** Columns that match one of them are hidden: `column` of every table, or `table.column`. */
  readonly hiddenColumns: readonly string[];
}

export interface GuardedColumn {
  readonly name: string;
  /** Type as declared, possibly empty. */
  readonly declaredType: string;
  readonly notNull: boolean;
  /** 1-based position in the primary key, 0 if not part of it. */
  readonly primaryKeyIndex: number;
  /** The column of another visible table that a foreign key refers to; the name is null where the key does not say. */
  readonly references: { readonly table: string; readonly column: string | null } | null;
}

export interface GuardedTable {
  readonly name: string;
  readonly kind: ObjectKind;
  /** Null if {@link GuardedOperations} was asked for fewer details, or the object cannot be read. */
  readonly columns: readonly GuardedColumn[] | null;
  readonly rows: { readonly count: number; readonly estimated: boolean } | null;
  /** The definition; with rules it is null, because it may name what they hide. */
  readonly sql: string | null;
}

/** The beginning of a value that is too long, and its size: characters of a text, bytes of a BLOB. */
export interface CutValue {
  readonly beginning: string | Uint8Array;
  readonly size: number;
}

export type GuardedValue = Value | CutValue;

export interface GuardedRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly GuardedValue[])[];
  /** Why there are more rows than these; null: these were the last. */
  readonly cut: 'rows' | 'bytes' | null;
  /** Names the committed state that was read. */
  readonly mark: string;
}

/** What a statement would change, and did change in a copy. */
export interface TriedStatement {
  readonly tables: readonly TableCounts[];
  /** Rows that changed, at most as many as were asked for; null if they were not recorded, because the schema or too much would change. */
  readonly rows: readonly RowDifference[] | null;
  readonly total: number;
  /** The schema would change. */
  readonly schema: boolean;
}

export interface GuardedOperations {
  /**
   * Tables and views, as far as the rules leave them visible, without those that hold the data of others.
   * @throws AppError `not-found` for a table that is not visible, which is said of a hidden one in the same words
   */
  'guarded.schema': Op<
    {
      readonly database: DatabaseId;
      readonly rules: GuardRules | null;
      /** Only this one; null: all. */
      readonly table: string | null;
      /** How many get columns, keys, and row counts. */
      readonly detailed: number;
    },
    readonly GuardedTable[]
  >;
  /**
   * Runs the one statement of `sql`, which must begin with SELECT, WITH, or VALUES, and reads rows from the `skip`th on. What the rules hide
   * does not exist for it. @throws AppError `invalid` for any other text, `stopped` after `limitMs`
   */
  'guarded.query': Op<
    {
      readonly database: DatabaseId;
      readonly rules: GuardRules | null;
      readonly sql: string;
      readonly skip: number;
      readonly maxRows: number;
      /** About the size of the rows as text. One row is returned in any case, its values cut to fit. */
      readonly maxBytes: number;
      readonly limitMs: number;
    },
    GuardedRows
  >;
  /** Runs the text in a private copy of the database, which is deleted afterward. @throws AppError `too-big`, `full`, and as a proposed `dryRun.start` */
  'guarded.try': Op<{ readonly database: DatabaseId; readonly sql: string; readonly maxRows: number }, TriedStatement>;
}

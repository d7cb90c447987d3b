// The differences between two table models as typed changes, in the order in which they can be applied.
import type {
  CheckConstraint,
  ColumnModel,
  ForeignKeyConstraint,
  NotNullConstraint,
  PrimaryKeyConstraint,
  TableModel,
  UniqueConstraint,
} from './table-model.ts';

/**
 * The index that each column of the new table had in the old one; null for a new column. An old column that does not appear is dropped.
 * Only the author of the change knows this: the text alone does not tell a rename from a different column.
 */
export type ColumnIdentity = readonly (number | null)[];

/** Column names are those of the new table, except if a column is dropped or a constraint of the old table is quoted. */
export type TableChange =
  | { readonly kind: 'rename-table'; readonly from: string; readonly to: string }
  | { readonly kind: 'drop-column'; readonly column: ColumnModel }
  | { readonly kind: 'rename-column'; readonly from: string; readonly to: string }
  /** `index` in the new table; `last` if it comes after all columns that existed before. */
  | { readonly kind: 'add-column'; readonly column: ColumnModel; readonly index: number; readonly last: boolean }
  /** The remaining columns are in another order; all of them by their new names. */
  | { readonly kind: 'reorder-columns'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly kind: 'set-type'; readonly column: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'set-not-null';
      readonly column: string;
      readonly from: NotNullConstraint | null;
      readonly to: NotNullConstraint | null;
    }
  /** The SQL of the value, with the parentheses of an expression. */
  | {
      readonly kind: 'set-default';
      readonly column: string;
      readonly from: string | null;
      readonly to: string | null;
    }
  /** BINARY is the default collation. */
  | { readonly kind: 'set-collation'; readonly column: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'set-generated';
      readonly column: string;
      readonly from: Generated | null;
      readonly to: Generated | null;
    }
  /** `column` is where the constraint is written, which SQLite ignores; null: with the table. */
  | { readonly kind: 'drop-check'; readonly column: string | null; readonly constraint: CheckConstraint }
  | { readonly kind: 'add-check'; readonly column: string | null; readonly constraint: CheckConstraint }
  | {
      readonly kind: 'set-primary-key';
      readonly from: PrimaryKeyConstraint | null;
      readonly to: PrimaryKeyConstraint | null;
    }
  | { readonly kind: 'drop-unique'; readonly constraint: UniqueConstraint }
  | { readonly kind: 'add-unique'; readonly constraint: UniqueConstraint }
  | { readonly kind: 'drop-foreign-key'; readonly constraint: ForeignKeyConstraint }
  | { readonly kind: 'add-foreign-key'; readonly constraint: ForeignKeyConstraint }
  | { readonly kind: 'set-strict'; readonly to: boolean }
  | { readonly kind: 'set-without-rowid'; readonly to: boolean }
  /** Changes only text that SQLite ignores: comments, white space, quotes, case of keywords. Always the only change. */
  | { readonly kind: 'set-text' };

export interface Generated {
  readonly expression: string;
  readonly storage: 'virtual' | 'stored';
}

export interface TableDiff {
  readonly from: TableModel;
  readonly to: TableModel;
  readonly identity: ColumnIdentity;
  /** Empty if and only if both texts are the same. */
  readonly changes: readonly TableChange[];
}

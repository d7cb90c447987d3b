// Tables and columns that a person says were renamed from one schema to the other.

export interface TableRename {
  readonly from: string;
  readonly to: string;
}

/** `table` is the name in the goal. */
export interface ColumnRename extends TableRename {
  readonly table: string;
}

/** The renames that a person has accepted. */
export interface Renames {
  readonly tables: readonly TableRename[];
  readonly columns: readonly ColumnRename[];
}

export const NO_RENAMES: Renames = { tables: [], columns: [] };

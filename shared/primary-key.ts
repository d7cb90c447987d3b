// The primary key of a table, from what SQLite says of its columns.

/** Its columns in the order of the key, which need not be that of the table; none without a key. */
export const primaryKeyOf = <T extends { readonly primaryKeyIndex: number }>(columns: readonly T[]): T[] =>
  columns
    .filter(({ primaryKeyIndex }) => primaryKeyIndex > 0)
    .sort((one, other) => one.primaryKeyIndex - other.primaryKeyIndex);

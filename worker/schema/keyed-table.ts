// A table with what is unique in it, and what that says about rows that refer to others.
import type { DiagramTable, Relation } from '#shared/protocol/schema-diagram.ts';

export interface KeyedTable extends DiagramTable {
  /** Columns that are unique together; the primary key first. */
  readonly uniqueKeys: readonly (readonly string[])[];
}

/** How many rows may be at either end, as far as the schema says. */
export function multiplicity(table: KeyedTable, columns: readonly string[]): Pick<Relation, 'optional' | 'single'> {
  const inKey = new Set(columns.map((name) => name.toLowerCase()));
  return {
    optional: table.columns.some(
      ({ name, notNull, primaryKeyIndex }) => inKey.has(name.toLowerCase()) && !notNull && primaryKeyIndex === 0,
    ),
    single: table.uniqueKeys.some((key) => key.every((name) => inKey.has(name.toLowerCase()))),
  };
}

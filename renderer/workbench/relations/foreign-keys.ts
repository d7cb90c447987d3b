// Following a foreign key from one of its rows to the row that it refers to.
import type { DatabaseId, FilterTerm, ForeignKey, Value } from '#shared/protocol/index.ts';
import { openTable } from '../tabs/table.ts';

export interface ParentRow {
  readonly table: string;
  /** Select the row: one term for each column of the key. */
  readonly terms: readonly FilterTerm[];
}

/**
 * @param valueOf the value of a column of the row; undefined while it is not loaded completely
 * @returns null where a part of the key is NULL, which refers to nothing, or is not loaded
 */
export function parentOf(
  { table, columns }: ForeignKey,
  valueOf: (column: string) => Value | undefined,
): ParentRow | null {
  const terms: FilterTerm[] = [];
  for (const { from, to } of columns) {
    const value = valueOf(from);
    if (to === null || value === undefined || value === null) return null;
    terms.push({ column: to, operator: '=', value });
  }
  return { table, terms };
}

export function showParent(database: DatabaseId, { table, terms }: ParentRow): void {
  openTable(database, table, { view: { filter: terms, where: '', topRow: 0 } });
}

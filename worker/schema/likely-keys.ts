// Likely foreign keys that the schema does not declare.
import { likelyParents } from '#shared/likely-parents.ts';
import type { Relation } from '#shared/protocol/schema-diagram.ts';
import { multiplicity } from './keyed-table.ts';
import type { KeyedTable } from './keyed-table.ts';

/** Finds at most one per column; none for a column of a declared key, and none where two tables would do equally well. */
export function likelyKeys(tables: readonly KeyedTable[], declared: readonly Relation[]): readonly Relation[] {
  const parentOf = likelyParents(tables);
  const taken = new Set(
    declared.flatMap(({ table, columns }) => columns.map((column) => `${table}\0${column}`.toLowerCase())),
  );
  return tables.flatMap((table) =>
    table.columns.flatMap((column): readonly Relation[] => {
      if (taken.has(`${table.name}\0${column.name}`.toLowerCase())) return [];
      const parent = parentOf(table, column);
      if (!parent) return [];
      return [
        {
          table: table.name,
          columns: [column.name],
          target: parent.table.name,
          targetColumns: [parent.key.name],
          origin: 'likely',
          onUpdate: 'NO ACTION',
          onDelete: 'NO ACTION',
          ...multiplicity(table, [column.name]),
          problem: null,
        },
      ];
    }),
  );
}

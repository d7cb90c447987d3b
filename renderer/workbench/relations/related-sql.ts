// Finds the tables that refer to a table, and how many of their rows refer to one of its rows.
import type { Value } from '#shared/protocol/index.ts';

/** A foreign key that points at the row, of one column or of several. */
export interface Reference {
  readonly table: string;
  readonly columns: readonly string[];
  /** Values of these columns in rows that refer to the row; undefined while unknown. */
  readonly values: readonly (Value | undefined)[];
  /** Whether an index begins with one of the columns. */
  readonly isIndexed: boolean;
}

/**
 * A key that names no columns means the primary key (sqlite.org/foreignkeys.html). Reads the schema only. `columns` and `targets` are
 * JSON arrays.
 */
export const REFERENCES_TO = `
SELECT m.name AS "table", json_group_array(f."from" ORDER BY f.seq) AS columns,
  json_group_array(coalesce(f."to", (SELECT name FROM temp.pragma_table_info(?1) WHERE pk = f.seq + 1)) ORDER BY f.seq) AS targets,
  max(EXISTS (SELECT 1 FROM temp.pragma_index_list(m.name) l JOIN temp.pragma_index_info(l.name) i
    WHERE i.seqno = 0 AND i.name = f."from" COLLATE NOCASE AND l.partial = 0)) AS indexed
FROM sqlite_schema m JOIN temp.pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' AND f."table" = ?1 COLLATE NOCASE
GROUP BY m.name, f.id
ORDER BY 1, 2`;

/** One row: `c0`, `c1`, … Its parameters are the values of all references, in order. */
export function countSql(references: readonly Pick<Reference, 'table' | 'columns'>[]): string {
  let parameter = 0;
  const counts = references.map(({ table, columns }, index) => {
    const condition = columns.map((column) => `${quoted(column)} = ?${++parameter}`).join(' AND ');
    return `(SELECT count(*) FROM ${quoted(table)} WHERE ${condition}) AS c${index}`;
  });
  return `SELECT ${counts.join(', ')}`;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

// Which tables refer to a table, and how many of their rows refer to one of its rows.
import type { Value } from '#shared/protocol/index.ts';

/** A foreign key of one column that points at the row. */
export interface Reference {
  readonly table: string;
  readonly column: string;
  /** What its column holds in rows that refer to the row; undefined while that is not known. */
  readonly value: Value | undefined;
  readonly isIndexed: boolean;
}

/** A key that names no column means the primary key (sqlite.org/foreignkeys.html). Reads the schema only. */
export const REFERENCES_TO = `
SELECT m.name AS "table", f."from" AS "column",
  coalesce(f."to", (SELECT name FROM pragma_table_info(?1) WHERE pk = 1)) AS target,
  EXISTS (SELECT 1 FROM pragma_index_list(m.name) l JOIN pragma_index_info(l.name) i
    WHERE i.seqno = 0 AND i.name = f."from" COLLATE NOCASE AND l.partial = 0) AS indexed
FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f
WHERE m.type = 'table' AND f."table" = ?1 COLLATE NOCASE
  AND NOT EXISTS (SELECT 1 FROM pragma_foreign_key_list(m.name) g WHERE g.id = f.id AND g.seq > 0)
ORDER BY 1, 2`;

/** One row: `c0`, `c1`, … with a parameter each. */
export const countSql = (references: readonly Pick<Reference, 'table' | 'column'>[]): string =>
  `SELECT ${references
    .map(
      ({ table, column }, index) =>
        `(SELECT count(*) FROM ${quoted(table)} WHERE ${quoted(column)} = ?${index + 1}) AS c${index}`,
    )
    .join(', ')}`;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

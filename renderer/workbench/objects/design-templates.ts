// The statements that new designs begin with.
import { writeName } from '#shared/ddl/names.ts';
import { freeObjectName, indexName, triggerName } from '#shared/ddl/suggested-name.ts';

export const NEW_TABLE = 'CREATE TABLE new_table (\n  id INTEGER PRIMARY KEY\n)';

/** @param columns at least one @param taken names of all objects */
export function newIndexSql(table: string, columns: readonly string[], taken: readonly string[]): string {
  const name = freeObjectName(indexName(table, columns), taken);
  return `CREATE INDEX ${writeName(name)} ON ${writeName(table)} (${columns.map(writeName).join(', ')})`;
}

export function newViewSql(from: string | null): string {
  return `CREATE VIEW new_view AS\nSELECT ${from === null ? '1 AS one' : `*\nFROM ${writeName(from)}`}`;
}

/** SQLite wants at least one statement in it: this one does nothing. @param taken names of all objects */
export function newTriggerSql(table: string, isView: boolean, taken: readonly string[]): string {
  const name = freeObjectName(triggerName(table), taken);
  const timing = isView ? 'INSTEAD OF' : 'AFTER';
  return `CREATE TRIGGER ${writeName(name)}\n${timing} INSERT ON ${writeName(table)}\nBEGIN\n  -- new.column is the value after the change, old.column the one before it.\n  SELECT 1;\nEND`;
}

export const NEW_RTREE = 'CREATE VIRTUAL TABLE new_rtree USING rtree (\n  id,\n  min_x, max_x,\n  min_y, max_y\n)';

/** @param from the table whose text it is to find, and its INTEGER PRIMARY KEY */
export function newFullTextSql(
  from: { readonly table: string; readonly columns: readonly string[]; readonly rowid: string | null } | null,
): string {
  if (from === null) return 'CREATE VIRTUAL TABLE new_search USING fts5 (\n  content_text\n)';
  const { table, columns, rowid } = from;
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const options = [`content=${quoted(table)}`, ...(rowid === null ? [] : [`content_rowid=${quoted(rowid)}`])];
  const lines = [...columns.map(writeName), ...options].join(',\n  ');
  return `CREATE VIRTUAL TABLE ${writeName(`${table}_search`)} USING fts5 (\n  ${lines}\n)`;
}

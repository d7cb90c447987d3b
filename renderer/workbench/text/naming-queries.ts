// Saved queries whose text names a table or column. Saved queries are not part of the database, so SQLite cannot tell which of them depend
// on the table.
import { sameName } from '#shared/ddl/names.ts';
import type { DatabaseId, SavedQuery } from '#shared/protocol/index.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

interface Named {
  readonly database: DatabaseId;
  readonly table: string;
  readonly column: string | null;
}

/** Queries that name the table; for a column, both it and its table. Names in comments and text values do not count. */
export function queriesNaming(
  queries: readonly SavedQuery[],
  { database, table, column }: Named,
): readonly SavedQuery[] {
  const names = column === null ? [table] : [table, column];
  return queries.filter((query) => (query.database ?? database) === database && namesAll(query.sql, names));
}

function namesAll(sql: string, names: readonly string[]): boolean {
  const missing = new Set(names);
  const scanner = new SqlScanner(sql);
  while (missing.size > 0 && scanner.next() !== Token.end) {
    if (scanner.kind !== Token.word && scanner.kind !== Token.quoted) continue;
    for (const name of missing) if (sameName(scanner.name, name)) missing.delete(name);
  }
  return missing.size === 0;
}

// Tables of the database that a file of SQL is read for: the file may hold rows of them without their definitions.
import type { Connection } from '../engines/engine.ts';
import type { InsertTarget } from '../import/sql/column-content.ts';
import { contentOfType } from '../import/sql/column-content.ts';

export interface ExistingTable {
  readonly name: string;
  readonly columns: readonly InsertTarget[];
}

export function existingTables(connection: Connection): readonly ExistingTable[] {
  const rows = connection.all(
    `SELECT l.name, c.name, c.type, c.hidden FROM pragma_table_list l, pragma_table_xinfo(l.name) c
     WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY l.name, c.cid`,
  ) as [string, string, string, number][];
  const tables = new Map<string, InsertTarget[]>();
  for (const [table, name, type, hidden] of rows) {
    const columns = tables.get(table) ?? [];
    tables.set(table, columns);
    columns.push({ name, holds: contentOfType(type), isGenerated: hidden !== 0 });
  }
  return [...tables].map(([name, columns]) => ({ name, columns }));
}

// Tables of the database that a file of SQL is read for: the file may hold rows of them without their definitions.
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import { type InsertTarget, contentOfType } from '../import/sql/column-content.ts';

export interface ExistingTable {
  readonly name: string;
  readonly columns: readonly InsertTarget[];
}

export function existingTables(connection: Connection): readonly ExistingTable[] {
  const names = listTables(connection).flatMap(({ name, kind }) =>
    kind === 'table' && !/^sqlite_/i.test(name) ? [name] : [],
  );
  const rows = connection.all(
    `SELECT l.value, c.name, c.type, c.hidden FROM temp.json_each(?) l, temp.pragma_table_xinfo(l.value) c ORDER BY l.value, c.cid`,
    [JSON.stringify(names)],
  ) as [string, string, string, number][];
  const tables = new Map<string, InsertTarget[]>();
  for (const [table, name, type, hidden] of rows) {
    const columns = tables.get(table) ?? [];
    tables.set(table, columns);
    columns.push({ name, holds: contentOfType(type), isGenerated: hidden !== 0 });
  }
  return [...tables].map(([name, columns]) => ({ name, columns }));
}

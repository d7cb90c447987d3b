// Tables and views with their columns and foreign keys, of a whole database at once, for completion.
import type { TableColumns } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import { tableKinds, withoutGenerated } from './schema-objects.ts';

/** A broken view, or a virtual table without its module, is left out: `schema.get` says what is wrong with it. */
export function listColumns(connection: Connection): readonly TableColumns[] {
  const lists: Omit<TableColumns, 'references'>[] = [];
  for (const [table, { kind }] of tableKinds(connection)) {
    if (kind === 'shadow') continue;
    try {
      lists.push(columnsOf(connection, table));
    } catch {
      continue;
    }
  }
  const known = new Map(lists.map((each) => [each.table.toLowerCase(), each]));
  return lists.map((each) => ({ ...each, references: referencesOf(connection, each.table, known) }));
}

function columnsOf(connection: Connection, table: string): Omit<TableColumns, 'references'> {
  const rows = connection.all('SELECT name, type, pk FROM temp.pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid', [
    table,
  ]) as readonly (readonly [string, string, number])[];
  const key = rows.filter(([, , position]) => position > 0).sort((a, b) => a[2] - b[2]);
  return {
    table,
    columns: rows.map(([name]) => name),
    types: rows.map(([, type]) => withoutGenerated(type)),
    primaryKey: key.map(([name]) => name),
  };
}

/** A key that names no columns of its target means the primary key (sqlite.org/foreignkeys.html). */
function referencesOf(
  connection: Connection,
  table: string,
  known: ReadonlyMap<string, Omit<TableColumns, 'references'>>,
): TableColumns['references'] {
  const rows = connection.all(
    `SELECT id, "table", "from", "to" FROM temp.pragma_foreign_key_list(?, 'main') ORDER BY id DESC, seq`,
    [table],
  ) as readonly (readonly [number, string, string, string | null])[];
  const keys = new Map<number, { target: string; columns: string[]; targetColumns: string[] }>();
  for (const [id, name, from, to] of rows) {
    const target = known.get(name.toLowerCase());
    const key = keys.get(id) ?? { target: target?.table ?? name, columns: [], targetColumns: [] };
    keys.set(id, key);
    const column = to ?? target?.primaryKey[key.columns.length];
    key.columns.push(from);
    if (target && column !== undefined) key.targetColumns.push(column);
  }
  return [...keys.values()].filter(({ columns, targetColumns }) => columns.length === targetColumns.length);
}

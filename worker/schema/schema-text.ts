// The schema of a database as the texts SQLite stores, and the settings stored in its file: the data for comparing schemas.
import { COMPARED_SETTINGS } from '#shared/protocol/schema-comparison.ts';
import type { ComparedKind, ComparedObject, SchemaText } from '#shared/protocol/schema-comparison.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';

/** Inside a transaction, returns the schema as the transaction has changed it. */
export function readSchemaText(connection: Connection): SchemaText {
  connection.refreshSchema?.();
  const virtual = new Set<string>();
  const shadow = new Set<string>();
  for (const { name, kind } of listTables(connection))
    (kind === 'virtual' ? virtual : kind === 'shadow' ? shadow : null)?.add(name);
  const rows = connection.all(
    "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  ) as [ComparedKind, string, string, string][];
  const objects = rows
    .filter(([, name, table]) => !shadow.has(name) && !shadow.has(table))
    .map(([type, name, table, sql]): ComparedObject => {
      const kind = virtual.has(name) && type === 'table' ? 'virtual' : type;
      return { kind, name, table, sql, columns: kind === 'table' ? columnsOf(connection, name) : [] };
    });
  return { objects, settings: settingsOf(connection) };
}

function columnsOf(connection: Connection, table: string): readonly string[] {
  return connection.all("SELECT name FROM temp.pragma_table_xinfo(?, 'main')", [table]).map(([name]) => name as string);
}

/** A server alone decides how it stores its file. */
const OF_FILES: ReadonlySet<string> = new Set(['page_size', 'auto_vacuum']);

function settingsOf(connection: Connection): SchemaText['settings'] {
  // Builds without UTF-16 have no pragma for the encoding.
  const settings: SchemaText['settings'] = { encoding: 'UTF-8' };
  const found = COMPARED_SETTINGS.flatMap((name) => {
    if (connection.isMetered === true && OF_FILES.has(name)) return [];
    const row = connection.one(`PRAGMA main.${name}`);
    return row ? [[name, String(row[0])]] : [];
  });
  return { ...settings, ...(Object.fromEntries(found) as SchemaText['settings']) };
}

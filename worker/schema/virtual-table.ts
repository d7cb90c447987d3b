// What the definition of a virtual table says of it.
import { parseObject } from '#shared/ddl/parse-object.ts';
import type { Connection } from '../engines/engine.ts';

/** The rows of a full-text table have no other key than their row id. */
export const isFullText = (connection: Connection, name: string): boolean =>
  /^fts[345]$/i.test(virtualTable(connection, name)?.module.name ?? '');

/** Null for a statement that is not understood. */
export function virtualTable(connection: Connection, name: string) {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?", [name]);
  const model = parseObject(String(row?.[0] ?? ''));
  return model.understood && model.kind === 'virtual' ? model : null;
}

// The statements of schema changes that SQLite makes without a rebuild, as they run and as they are shown before.
import type { DroppableKind } from '../protocol/schema-change.ts';
import { quoteName } from './names.ts';
import { parseObject } from './parse-object.ts';

export const dropSql = (object: DroppableKind, name: string): string =>
  `DROP ${object.toUpperCase()} main.${quoteName(name)}`;

export const renameTableSql = (table: string, to: string): string =>
  `ALTER TABLE main.${quoteName(table)} RENAME TO ${quoteName(to)}`;

export const emptyTableSql = (table: string): string => `DELETE FROM main.${quoteName(table)}`;

/** The same CREATE statement with another name; null if the statement is not understood. Everything else stays as it is. */
export function underName(createSql: string, to: string): string | null {
  const model = parseObject(createSql);
  return model.understood ? withName(createSql, model.name, to) : null;
}

/** The same CREATE TRIGGER statement for another table or view; null if the statement is not understood. Its body stays as it is. */
export function onTable(triggerSql: string, table: string): string | null {
  const model = parseObject(triggerSql);
  return model.understood && model.kind === 'trigger' ? withName(triggerSql, model.table, table) : null;
}

function withName(
  sql: string,
  { span: { from, to } }: { readonly span: { readonly from: number; readonly to: number } },
  name: string,
): string {
  return `${sql.slice(0, from)}${quoteName(name)}${sql.slice(to)}`;
}

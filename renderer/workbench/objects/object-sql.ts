// The SQL of an object of the schema: which is asked for, and the statements that make it.
import { create } from 'zustand';
import { asStatement } from '#shared/ddl/definition-statement.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { DatabaseId, SchemaObject } from '#shared/protocol/index.ts';

export interface ObjectSqlRequest {
  readonly database: DatabaseId;
  readonly object: SchemaObject;
}

export const useObjectSqlRequest = create<{ readonly request: ObjectSqlRequest | null }>()(() => ({ request: null }));

export const showObjectSql = (database: DatabaseId, object: SchemaObject): void =>
  useObjectSqlRequest.setState({ request: { database, object } });

export const closeObjectSql = (): void => useObjectSqlRequest.setState({ request: null });

/**
 * The statement of the object, and those of its indexes and triggers, in their order. Null: it has none, because SQLite made it itself.
 *
 * @param objects the whole schema
 */
export function sqlOf({ kind, name, sql }: SchemaObject, objects: readonly SchemaObject[]): string | null {
  const own = objects.filter(
    // A trigger has the name of its table as its own statement writes it.
    (one) => (one.kind === 'index' || one.kind === 'trigger') && sameName(one.tableName, name),
  );
  const hasOwn = kind === 'table' || kind === 'view' || kind === 'virtual';
  const texts = [sql, ...(hasOwn ? own.map((one) => one.sql) : [])].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.map(asStatement).join('\n\n');
}

// Begins designs of indexes and triggers for a table: the given one, the one in front, or some table of the database.
import type { DatabaseId, ObjectKind, SchemaObject } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { knownNames, knownSchema } from '../../state/schema.ts';
import { notify } from '../../state/store.ts';
import { openNew, openNewFullText } from '../tabs/design.ts';
import { newIndexSql, newTriggerSql } from './design-templates.ts';

/** @param columns of which the index is made at first */
export const openNewIndex = (database: DatabaseId, table: string, columns: readonly string[]): void =>
  openNew(database, 'index', newIndexSql(table, columns, knownNames(database)));

export const openNewTrigger = (database: DatabaseId, { name, kind }: Pick<SchemaObject, 'name' | 'kind'>): void =>
  openNew(database, 'trigger', newTriggerSql(name, kind === 'view', knownNames(database)));

/** @param table null: the first one */
export async function newIndex(database: DatabaseId, table: string | null): Promise<void> {
  const owner = await ownerOf(database, table, ['table']);
  if (owner === null) return notify({ tone: 'info', text: 'There is no table to create an index on.' });
  const { columns } = await client.call('schema.table', { database, table: owner.name });
  openNewIndex(
    database,
    owner.name,
    columns.slice(0, 1).map(({ name }) => name),
  );
}

/** @param table or view; null: the first one */
export async function newTrigger(database: DatabaseId, table: string | null): Promise<void> {
  const owner = await ownerOf(database, table, ['table', 'view']);
  if (owner === null) return notify({ tone: 'info', text: 'There is no table or view to create a trigger on.' });
  openNewTrigger(database, owner);
}

/** @param table whose text the new table indexes; null: the new table keeps text of its own */
export async function newFullText(database: DatabaseId, table: string | null): Promise<void> {
  const owner = table === null ? null : await ownerOf(database, table, ['table']);
  if (owner?.name !== table) return openNewFullText(database, null);
  const { columns, withoutRowid } = await client.call('schema.table', { database, table });
  const keys = columns.filter(({ primaryKeyIndex }) => primaryKeyIndex > 0);
  const key = keys.length === 1 && keys[0]!.declaredType.toUpperCase() === 'INTEGER' ? keys[0]!.name : null;
  const texts = columns.filter(({ name, generated }) => name !== key && generated === 'no');
  const text = texts.filter(({ declaredType }) => /char|clob|text/i.test(declaredType));
  const names = (text.length > 0 ? text : texts).map(({ name }) => name);
  openNewFullText(database, withoutRowid || names.length === 0 ? null : { table, columns: names, rowid: key });
}

async function ownerOf(
  database: DatabaseId,
  table: string | null,
  kinds: readonly ObjectKind[],
): Promise<SchemaObject | null> {
  const schema = await knownSchema(database);
  const owners = schema?.objects.filter(({ kind }) => kinds.includes(kind)) ?? [];
  return owners.find(({ name }) => name === table) ?? owners[0] ?? null;
}

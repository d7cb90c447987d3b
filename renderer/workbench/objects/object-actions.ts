// Actions that change one object of a schema: which of them an object has, and the request that opens their dialog.
import { create } from 'zustand';
import type { DatabaseId, KeyColumns, SchemaObject } from '#shared/protocol/index.ts';
import { knownSchema } from '../../state/schema.ts';
import { refusesWork } from '../databases/no-transactions.ts';

export type ObjectAction = 'rename' | 'reorder' | 'duplicate' | 'empty' | 'drop';

export interface ObjectActionRequest {
  readonly database: DatabaseId;
  readonly object: SchemaObject;
  readonly action: ObjectAction | 'add-foreign-key';
  /** Set for `add-foreign-key`: the columns of the key, and the columns that they refer to. */
  readonly key?: KeyColumns;
}

interface Requests {
  readonly request: ObjectActionRequest | null;
}

export const useObjectActionRequest = create<Requests>()(() => ({ request: null }));

export const closeObjectAction = (): void => useObjectActionRequest.setState({ request: null });

/** Opens the dialog of the action, which shows its SQL first, or says why it cannot. Returns false if the object has no such action. */
export function askObjectAction(database: DatabaseId, object: SchemaObject, action: ObjectAction): boolean {
  if (!actionsOf(object).includes(action)) return false;
  if (refusesWork(database, 'action')) return true;
  useObjectActionRequest.setState({ request: { database, object, action } });
  return true;
}

export async function askForeignKey(database: DatabaseId, key: KeyColumns): Promise<void> {
  if (refusesWork(database, 'action')) return;
  const schema = await knownSchema(database);
  const object = schema?.objects.find(({ kind, name }) => kind === 'table' && name === key.table);
  if (object) useObjectActionRequest.setState({ request: { database, object, action: 'add-foreign-key', key } });
}

/** Shadow tables belong to their virtual table, and tables of SQLite itself and automatic indexes to SQLite. */
export function actionsOf({ kind, name, sql }: SchemaObject): readonly ObjectAction[] {
  if (sql === null || /^sqlite_/i.test(name)) return [];
  switch (kind) {
    case 'table':
      return ['rename', 'reorder', 'duplicate', 'empty', 'drop'];
    case 'virtual':
      return ['rename', 'empty', 'drop'];
    case 'view':
      return ['rename', 'duplicate', 'drop'];
    case 'index':
    case 'trigger':
      return ['rename', 'drop'];
    case 'shadow':
      return [];
  }
}

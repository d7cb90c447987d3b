// Actions that change one object of a schema: which an object has, and the request that opens their dialog.
import { create } from 'zustand';
import type { DatabaseId, SchemaObject } from '#shared/protocol/index.ts';

export type ObjectAction = 'rename' | 'duplicate' | 'empty' | 'drop';

export interface ObjectActionRequest {
  readonly database: DatabaseId;
  readonly object: SchemaObject;
  readonly action: ObjectAction;
}

interface Requests {
  readonly request: ObjectActionRequest | null;
}

export const useObjectActionRequest = create<Requests>()(() => ({ request: null }));

export const closeObjectAction = (): void => useObjectActionRequest.setState({ request: null });

/** Opens the dialog of the action, which shows its SQL first. Returns false if the object has no such action. */
export function askObjectAction(database: DatabaseId, object: SchemaObject, action: ObjectAction): boolean {
  if (!actionsOf(object).includes(action)) return false;
  useObjectActionRequest.setState({ request: { database, object, action } });
  return true;
}

/** Shadow tables belong to their virtual table, and tables of SQLite itself and automatic indexes to SQLite. */
export function actionsOf({ kind, name, sql }: SchemaObject): readonly ObjectAction[] {
  if (sql === null || /^sqlite_/i.test(name)) return [];
  switch (kind) {
    case 'table':
      return ['rename', 'duplicate', 'empty', 'drop'];
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

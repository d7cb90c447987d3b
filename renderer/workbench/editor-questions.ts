// Answers the SQL editor's questions about a database: where statements are, and which errors SQLite finds.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../connection/database-client.ts';
import { useStore } from '../state/store.ts';
import { openTable } from './table-tabs.ts';
import type { EditorHost } from '../editor/editor-host.ts';

export function editorHost(database: DatabaseId, own: Pick<EditorHost, 'columns' | 'onText'>): EditorHost {
  /** Hints must not queue up behind work the user is waiting for. */
  const isFree = (): boolean => useStore.getState().works.length === 0;
  return {
    ...own,
    openTable: (table) => void openTable(database, table),
    split: async (sql) => (isFree() ? client.call('query.split', { database, sql }).catch(() => null) : null),
    check: async (sql) =>
      isFree() && sql.trim() !== '' ? client.call('query.check', { database, sql }).catch(() => []) : [],
  };
}

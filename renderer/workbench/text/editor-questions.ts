// Answers the SQL editor's questions about a database: its columns, and which errors SQLite finds.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { columnsBeingRead, knownAdded, knownColumns } from '../../state/schema.ts';
import { useStore } from '../../state/store.ts';
import { openTable } from '../tabs/table.ts';
import { attachedTo } from '../databases/attached-files.ts';
import type { SchemaColumns } from '../../editor/scope/names.ts';
import type { EditorHost } from '../../editor/editor-host.ts';

export function editorHost(database: DatabaseId, onText: EditorHost['onText']): EditorHost {
  return {
    onText,
    columns: () => [...(knownColumns(database) ?? []), ...attachedColumns(database)],
    added: () => knownAdded(database),
    columnsBeingRead: () => columnsBeingRead(database),
    openTable: (table) => void openTable(database, table),
    whenFree,
    check: async (sql) => (sql.trim() === '' ? [] : client.call('query.check', { database, sql }).catch(() => null)),
  };
}

/** Foreign keys name tables of their own file only, which are not those that SQL would find under that name. */
function attachedColumns(database: DatabaseId): SchemaColumns {
  return attachedTo(database).flatMap(({ name, file }) =>
    (knownColumns(file) ?? []).map((table) => ({ ...table, schema: name, references: [] })),
  );
}

/** Hints must not queue up behind work the user is waiting for. */
function whenFree(): Promise<void> {
  const isFree = (): boolean => useStore.getState().works.length === 0;
  if (isFree()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = useStore.subscribe(() => {
      if (!isFree()) return;
      stop();
      resolve();
    });
  });
}

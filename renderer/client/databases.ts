// Opening and closing databases of the library in this window.
import type { AppError, DatabaseId } from '#shared/protocol/index.ts';
import { client } from './database-client.ts';
import { closeTabsOf, dropDatabaseState, notify, putDatabaseState, showDatabase, useStore } from './store.ts';

/** Answers false when it could not be opened; the person has been told why. */
export async function openDatabase(database: DatabaseId): Promise<boolean> {
  try {
    if (!useStore.getState().openDatabases[database])
      putDatabaseState(await client.call('database.open', { database }));
    showDatabase(database);
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

export async function closeDatabase(database: DatabaseId): Promise<void> {
  closeTabsOf(database);
  dropDatabaseState(database);
  await client.call('database.close', { database }).catch(notifyFailure);
}

export async function refreshLibrary(): Promise<void> {
  const entries = await client.call('library.list', {});
  const { openDatabases } = useStore.getState();
  useStore.setState({ entries });
  for (const state of Object.values(openDatabases)) {
    const entry = entries.find(({ id }) => id === state.entry.id);
    if (entry) putDatabaseState({ ...state, entry, durability: entry.durability });
    else {
      closeTabsOf(state.entry.id);
      dropDatabaseState(state.entry.id);
    }
  }
}

/** Tells of a failed request. What the person stopped needs no message, and the banner speaks for a lost connection. */
export function notifyFailure(thrown: unknown): void {
  const { code, message } = thrown as AppError;
  if (code !== 'stopped' && code !== 'disconnected') notify({ tone: 'error', text: message });
}

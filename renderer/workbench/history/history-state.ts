// What each open database can undo and redo now, as the engine says.
import type { DatabaseId, HistoryState } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { putHistory, useStore } from '../../state/store.ts';

/** Keeps the store up to date with the histories of the open databases. */
export function startHistories(): void {
  client.on('history.changed', ({ database, state }) => {
    if (useStore.getState().openDatabases[database]) putHistory(database, state);
  });
  client.onReconnected(() => {
    for (const database of Object.keys(useStore.getState().openDatabases)) void readHistory(database);
  });
  const follow = (now: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>): void => {
    for (const database of Object.keys(now)) if (!before[database]) void readHistory(database);
    for (const database of Object.keys(before)) if (!now[database]) putHistory(database, null);
  };
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases !== before.openDatabases) follow(openDatabases, before.openDatabases);
  });
  follow(useStore.getState().openDatabases, {});
}

/** Asks the engine: news of a step comes later than the step itself. Returns null where no history is kept, and without a connection. */
export async function readHistory(database: DatabaseId): Promise<HistoryState | null> {
  const state = await client.call('history.state', { database }).catch((): HistoryState | null => null);
  if (useStore.getState().openDatabases[database]) putHistory(database, state);
  return state;
}

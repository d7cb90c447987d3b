// Ties the connection to the store, once, when the window starts.
import type { HelloInfo } from '#shared/protocol/index.ts';
import { startCommands } from './commands.ts';
import { client } from './database-client.ts';
import { notifyFailure, refreshLibrary } from './databases.ts';
import { startDryRuns } from './dry-run.ts';
import { startHistories } from './history.ts';
import { startSchemas } from './schema.ts';
import { startSessionState } from './session-state.ts';
import { startSources } from './sources.ts';
import { dropDatabaseState, notify, putDatabaseState, useStore } from './store.ts';

/** Resolves when the window's former state is back. */
export async function startClient(): Promise<void> {
  startCommands();
  startSchemas();
  startHistories();
  startDryRuns();
  startSources();
  client.onStatus(({ status, info, error }) =>
    useStore.setState(({ connection }) => ({
      connection: { status, info: info ?? (connection.info as HelloInfo | null), error },
      works: [],
    })),
  );
  client.on('library.changed', () => void refreshLibrary().catch(notifyFailure));
  client.on('database.stateChanged', ({ database, state }) => {
    if (useStore.getState().openDatabases[database]) putDatabaseState(state);
  });
  client.on('work.changed', ({ works }) => useStore.setState({ works }));
  client.onReconnected(({ states, failures }) => {
    for (const state of states) putDatabaseState(state);
    for (const { database, error } of failures) {
      dropDatabaseState(database);
      notify({ tone: 'error', text: error.message });
    }
    notify({
      tone: 'warning',
      text: 'The database was restarted. What was committed is safe; unfinished work was rolled back.',
    });
    void refreshLibrary().catch(notifyFailure);
  });
  await firstConnection();
  await startSessionState();
}

/** Not `client.ready`: that fails for good when the first answer is a refusal, and a second try may succeed. */
function firstConnection(): Promise<void> {
  return new Promise((resolve) => {
    const off = client.onStatus(({ status }) => {
      if (status !== 'connected') return;
      off();
      resolve();
    });
  });
}

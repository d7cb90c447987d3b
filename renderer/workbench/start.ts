// Connects the client to the store, once, when the window starts.
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type { DatabaseState, Durability, HelloInfo, Work } from '#shared/protocol/index.ts';
import { startCommands } from './commands/commands.ts';
import { askToKeepLibrary } from '../state/browser-storage.ts';
import { client, isLibraryWork, isNativeWork, libraryClient, nativeClient } from '../connection/database-client.ts';
import { keepDurable, notifyFailure, refreshLibrary } from '../state/databases.ts';
import { startConnections } from './databases/connections.ts';
import { startAssistants } from './assistants/assistants.ts';
import { startReviews } from './assistants/review.ts';
import { startDryRuns } from './text/dry-run.ts';
import { startAttachedFiles } from './databases/attached-files.ts';
import { startExtensions } from './databases/extensions.ts';
import { startGitFiles } from './databases/git-files.ts';
import { startHeldChanges } from './held/held-store.ts';
import { startHistories } from './history/history-state.ts';
import { startHistoryLimits } from './history/history-limits.ts';
import { watchNativeRestarts } from './databases/native-restart.ts';
import { startProcessState } from './databases/process-state.ts';
import { startSchemas } from '../state/schema.ts';
import { startSessionState } from '../state/session-state.ts';
import { shell } from '../connection/shell.ts';
import { startShownDatabases } from '../state/shown-databases.ts';
import { startSources } from './databases/sources.ts';
import { keepServerTransactions } from './databases/server-transactions.ts';
import { startSqlFiles } from './files/sql-files.ts';
import { dropDatabaseState, notify, putDatabaseState, useStore } from '../state/store.ts';
import { forgetEnded, noteEnded } from './unresponsive-work.ts';

/** In their order: some listen before others act. */
const PARTS = [
  startCommands,
  startSchemas,
  startHistories,
  startHistoryLimits,
  startDryRuns,
  startHeldChanges,
  startAttachedFiles,
  startExtensions,
  startGitFiles,
  startAssistants,
  startReviews,
  startSources,
  startShownDatabases,
  watchNativeRestarts,
  startProcessState,
  startConnections,
];

/** Resolves when the window's stored state is restored. */
export async function startClient(): Promise<void> {
  for (const start of PARTS) start();
  void keepServerTransactions().catch(notifyFailure);
  askToKeepLibrary();
  shell.bench.onElsewhere((measuringElsewhere) => useStore.setState({ measuringElsewhere })).catch(notifyFailure);
  client.onStatus(({ status, info, error }) => {
    noteEnded(useStore.getState().works.filter(isLibraryWork));
    useStore.setState(({ connection, works }) => ({
      connection: { status, info: info ?? (connection.info as HelloInfo | null), error },
      works: works.filter((work) => !isLibraryWork(work)),
    }));
  });
  nativeClient.onStatus(({ info }) => {
    noteEnded(useStore.getState().works.filter(isNativeWork));
    useStore.setState(({ nativeEngine, works }) => ({
      nativeEngine: info?.engine ?? nativeEngine,
      works: works.filter((work) => !isNativeWork(work)),
    }));
  });
  client.on('library.changed', () => void refreshLibrary().catch(notifyFailure));
  client.on('database.stateChanged', ({ database, state }) => {
    if (useStore.getState().openDatabases[database]) putDatabaseState(state);
  });
  const takeWorks = (changed: readonly Work[], isOwn: (work: Work) => boolean): void =>
    useStore.setState(({ works }) => ({ works: [...works.filter((work) => !isOwn(work)), ...changed] }));
  libraryClient.on('work.changed', ({ works }) => takeWorks(works, isLibraryWork));
  nativeClient.on('work.changed', ({ works }) => takeWorks(works, isNativeWork));
  client.onReconnected(({ states, failures }) => {
    queueMicrotask(forgetEnded); // runs after all listeners were called
    for (const state of states) {
      putDatabaseState(state);
      if (capabilitiesOf(state.entry.id).durability === 'listed')
        void keepDurable(state, chosenFor(state)).catch(notifyFailure);
    }
    for (const { database, error } of failures) {
      dropDatabaseState(database);
      notify({ tone: 'error', text: error.message });
    }
    void refreshLibrary().catch(notifyFailure);
  });
  libraryClient.onReconnected(() =>
    notify({
      tone: 'warning',
      text: 'The database was restarted. Committed changes are safe; unfinished work was rolled back.',
    }),
  );
  await startSessionState().finally(() => useStore.setState({ isRestoring: false }));
  startSqlFiles();
}

const chosenFor = ({ entry, durability }: DatabaseState): Durability =>
  useStore.getState().entries?.find(({ id }) => id === entry.id)?.durability ?? durability;

// Tells the user when the native engine ends, or the process of a file that is encrypted or has extensions: which files it had open, what was rolled back, and what is
// safe. Offers to restart it if main has given up.
import { engineOf, locationIdOf } from '#shared/protocol/index.ts';
import type { DatabaseId, DatabaseState, ErrorData, Work } from '#shared/protocol/index.ts';
import { isInNativeEngine, isNativeWork, nativeClient, processClients } from '../../connection/database-client.ts';
import type { ProcessClient } from '../../connection/process-clients.ts';
import { notifyFailure, reachFile } from '../../state/databases.ts';
import { notify, useStore } from '../../state/store.ts';

const TOPIC = 'native engine';

/** Runs before all other listeners, and replaces the old state with the new one. */
export function watchNativeRestarts(): void {
  let ended: string | null = null;
  nativeClient.onStatus(({ status, error }) => {
    if (status === 'disconnected') ended = whatEnded();
    else if (status === 'refused' && error && useStore.getState().nativeEngine) tellGivenUp(ended, error);
  });
  nativeClient.onReconnected(() => {
    notify({ tone: 'warning', topic: TOPIC, text: `The native engine was restarted. ${ended ?? whatEnded()}` });
    ended = null;
  });
  processClients.followAll((process) =>
    engineOf(process.database) === 'remote' ? undefined : watchOwnProcess(process),
  );
}

/** A process that ends because its file was closed has nothing open. */
function watchOwnProcess({ database, client, owns }: ProcessClient): () => void {
  let ended: string | null = null;
  const offs = [
    client.onStatus(({ status, error }) => {
      const { openDatabases, works } = useStore.getState();
      const state = openDatabases[database];
      if (status === 'disconnected') ended = state ? endedLabel([state], works.filter(owns)) : null;
      else if (status === 'refused' && error && state) tellGivenUp(ended, error, database);
    }),
    client.onReconnected(() => {
      if (ended === null) return;
      notify({ tone: 'warning', topic: database, text: `The process that opens the file was restarted. ${ended}` });
      ended = null;
    }),
  ];
  return () => offs.forEach((off) => off());
}

function whatEnded(): string {
  const { openDatabases, works } = useStore.getState();
  return endedLabel(
    Object.values(openDatabases).filter(({ entry }) => isInNativeEngine(entry.id)),
    works.filter(isNativeWork),
  );
}

const ONLY_COPIES = 'Only copies for comparison were open there: your data is unchanged.';

/** Names the files that were open in place, and the work running there. */
export function endedLabel(databases: readonly DatabaseState[], works: readonly Work[]): string {
  const names = databases.map(({ entry }) => `“${entry.name}”`).join(', ');
  const transactions = databases.flatMap(({ entry, transaction }) =>
    transaction ? [`the open transaction of ${transaction.windowTitle} on “${entry.name}”`] : [],
  );
  const running = works.map(({ title, databaseName }) => `“${title}” on “${databaseName}”`);
  const lost = [...transactions, ...running];
  if (databases.length === 0) return ONLY_COPIES;
  const safe = `Changes committed to ${names} are safe in the ${databases.length > 1 ? 'files' : 'file'}.`;
  return lost.length === 0
    ? `${safe} No transaction was open there; anything uncommitted was rolled back.`
    : `${safe} Rolled back: ${lost.join(', ')}.`;
}

/** @param only the one file of the process */
function tellGivenUp(ended: string | null, { message }: ErrorData, only?: DatabaseId): void {
  const open = only ?? Object.keys(useStore.getState().openDatabases).find(isInNativeEngine);
  notify({
    tone: 'error',
    topic: only ?? TOPIC,
    text: ended === null ? message : `${message} ${ended}`,
    ...(open !== undefined && {
      action: {
        label: 'Start it again',
        run: () => void reachFile({ locationId: locationIdOf(open)! }).catch(notifyFailure),
      },
    }),
  });
}

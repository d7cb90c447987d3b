// Tells the user when the native engine ends: which files it had open, what was rolled back, and what is safe. Offers to restart it if main
// has given up.
import { engineOf, locationIdOf } from '#shared/protocol/index.ts';
import type { DatabaseState, ErrorData, Work } from '#shared/protocol/index.ts';
import { isNativeWork, nativeClient } from '../../connection/database-client.ts';
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
}

function whatEnded(): string {
  const { openDatabases, works } = useStore.getState();
  return endedLabel(
    Object.values(openDatabases).filter(({ entry }) => engineOf(entry.id) === 'native'),
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

function tellGivenUp(ended: string | null, { message }: ErrorData): void {
  const open = Object.keys(useStore.getState().openDatabases).find((id) => locationIdOf(id) !== null);
  notify({
    tone: 'error',
    topic: TOPIC,
    text: ended === null ? message : `${message} ${ended}`,
    ...(open !== undefined && {
      action: {
        label: 'Start it again',
        run: () => void reachFile({ locationId: locationIdOf(open)! }).catch(notifyFailure),
      },
    }),
  });
}

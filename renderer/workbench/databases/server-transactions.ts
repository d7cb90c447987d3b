// Keeps the transactions of this window on servers open while the user thinks, and says why one was lost. A server ends a transaction whose
// connection was idle (`sqld` after 10 s). No other client is kept waiting: if one wants to write, the server ends the transaction after 5 s
// all the same.
import { capabilitiesOf, type DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { notify, useStore } from '../../state/store.ts';

const EVERY_MS = 3_000;
const asked = new Set<DatabaseId>();

export async function keepServerTransactions(): Promise<void> {
  client.on('remote.transactionLost', ({ database, why }) => {
    const name = connectionOf(useStore.getState(), database)?.name;
    if (name !== undefined) notify({ tone: 'error', topic: database, text: `“${name}”: ${why}` });
  });
  const { windowId } = await shell.windowInfo();
  setInterval(() => {
    for (const { entry, transaction } of Object.values(useStore.getState().openDatabases))
      if (!capabilitiesOf(entry.id).lastingTransactions && transaction?.windowId === windowId) void keep(entry.id);
  }, EVERY_MS);
}

async function keep(database: DatabaseId): Promise<void> {
  if (asked.has(database)) return;
  asked.add(database);
  try {
    await client.call('remote.keepTransaction', { database });
  } catch {
    // The reason why the transaction ended is reported to its tab.
  } finally {
    asked.delete(database);
  }
}

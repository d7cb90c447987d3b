// Keeps the transactions of this window on servers open while the user thinks: a server ends one whose connection was idle (`sqld` after
// 10 s). No other client is kept waiting: if one wants to write, the server ends the transaction after 5 s all the same.
import { toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { isRemote } from '#shared/protocol/remote.ts';
import { client } from '../connection/database-client.ts';
import { shell } from '../connection/shell.ts';
import { connectionOf } from '../state/slices/remote.ts';
import { notify, useStore } from '../state/store.ts';

const EVERY_MS = 3_000;
/** To be told from the window’s own commit, which may have come between. */
const asked = new Set<DatabaseId>();

export async function keepServerTransactions(): Promise<void> {
  const { windowId } = await shell.windowInfo();
  setInterval(() => {
    for (const { entry, transaction } of Object.values(useStore.getState().openDatabases))
      if (isRemote(entry.id) && transaction?.windowId === windowId) void keep(entry.id);
  }, EVERY_MS);
}

async function keep(database: DatabaseId): Promise<void> {
  if (asked.has(database)) return;
  asked.add(database);
  try {
    await client.call('remote.keepTransaction', { database });
  } catch (thrown) {
    const { code, message } = toAppError(thrown);
    const name = connectionOf(useStore.getState(), database)?.name;
    // Whoever stopped it knows; after a restart of the process there is a message already.
    if (code === 'stopped' || code === 'disconnected' || name === undefined) return;
    notify({ tone: 'error', topic: database, text: `“${name}”: ${message}` });
  } finally {
    asked.delete(database);
  }
}

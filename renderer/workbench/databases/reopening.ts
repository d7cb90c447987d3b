// Closing a database for a moment, for what can only change while it is closed: whether that loses anything, and tabs that come back.
import { locationIdOf, type DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { openDatabase } from '../../state/databases.ts';
import { closeTabsOf, dropDatabaseState, useStore } from '../../state/store.ts';
import { unsavedWorkIn } from '../../state/unsaved-work.ts';
import { heldOf } from '../held/held-store.ts';
import { useJobs } from '../jobs.ts';

/** What would be lost, or goes on with the file as it is, if the file were closed now; null: nothing. */
export async function whyNotClosed(database: DatabaseId, name: string): Promise<string | null> {
  const { openDatabases, works } = useStore.getState();
  if (openDatabases[database]?.transaction) return 'A transaction is open: commit it or roll it back first.';
  const held = heldOf(database);
  if (held && (held.isOn || held.pending.length > 0))
    return 'Changes are being held: save or discard them, and turn off Hold Changes first.';
  // oxlint-disable-next-line sidelite/text-decisions -- work knows its database by nothing else; that of a file of the same name is waited for, too
  const [job] = [...useJobs.getState().jobs, ...works.filter(({ databaseName }) => databaseName === name)];
  if (job) return `“${job.title}” is not finished: wait for it, or stop it.`;
  const [lost] = unsavedWorkIn(database, (await shell.windowInfo()).windowId);
  return lost === undefined ? null : `${lost} Save or discard it first.`;
}

/** Closes and opens the database, for what takes effect only then; its tabs stay. */
export async function openAgain(database: DatabaseId): Promise<void> {
  setTabsAside(database, database);
  dropDatabaseState(database);
  await client.call('database.close', { database });
  const locationId = locationIdOf(database);
  if (locationId !== null) await shell.forgetInPlace(locationId);
  await openDatabase(database);
}

/** Tabs come back when the file is open, under the id that it has then. */
export function setTabsAside(from: DatabaseId, to: DatabaseId): void {
  const { tabs, waitingTabs, activeTabId } = useStore.getState();
  const aside = [...tabs, ...waitingTabs].filter(({ database }) => database === from);
  const wasActive = aside.some(({ id }) => id === activeTabId);
  closeTabsOf(from);
  useStore.setState((after) => ({
    waitingTabs: [...after.waitingTabs, ...aside.map((tab) => ({ ...tab, database: to }))],
    ...(wasActive && { awaitedTabId: activeTabId }),
  }));
}

// Knows which tab shows the changes of a database that wait to be kept or discarded: until then, the engine rejects all other writes.
import { toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { NoticeAction } from './slices/notices.ts';
import { activateTab, useStore } from './store.ts';

/** For each database, the tab that began the last review: a database has one at a time. */
const reviews = new Map<DatabaseId, string>();

/** The tab makes changes that a person will be asked about. */
export const noteReview = (database: DatabaseId, tabId: string): void => void reviews.set(database, tabId);

/** Action that leads to the changes because of which something was rejected; null if it was for another reason. */
export function reviewAction(thrown: unknown): NoticeAction | null {
  const database = toAppError(thrown).detail?.['underReview'];
  const tabId = typeof database === 'string' ? reviews.get(database) : undefined;
  if (tabId === undefined || !useStore.getState().tabs.some(({ id }) => id === tabId)) return null;
  return { label: 'Show the changes', run: () => activateTab(tabId) };
}

// Tells the engines which databases this window shows: they free the memory of a database that no window shows.
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../connection/database-client.ts';
import { notifyFailure } from './databases.ts';
import { activeTab, useStore } from './store.ts';
import type { AppState } from './store.ts';

export function startShownDatabases(): void {
  let told = '';
  const tell = (state: AppState): void => {
    const shown = shownIn(state);
    const text = shown.join(' ');
    if (text === told) return;
    told = text;
    client.show(shown).catch(notifyFailure);
  };
  useStore.subscribe(tell);
  tell(useStore.getState());
}

/**
 * The database whose objects are listed on the left, and the one of the active tab. Also in a hidden window, because the user may return to
 * it at any moment.
 */
function shownIn(state: AppState): readonly DatabaseId[] {
  const ids = [state.currentDatabase, activeTab(state)?.database].filter((id) => id != null);
  return [...new Set(ids)].filter((id) => state.openDatabases[id]).sort();
}

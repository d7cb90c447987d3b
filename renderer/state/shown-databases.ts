// Tells the engines which databases this window shows: what no window shows gives its memory back.
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

/** The one whose objects are on the left, and that of the tab in front. In a hidden window too: it may be looked at the next moment. */
function shownIn(state: AppState): readonly DatabaseId[] {
  const ids = [state.currentDatabase, activeTab(state)?.database].filter((id) => id != null);
  return [...new Set(ids)].filter((id) => state.openDatabases[id]).sort();
}

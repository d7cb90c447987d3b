// The sessions of all SQL tabs of this window, by tab: made when first shown, ended when the tab is closed.
import type { QueryTab } from '../../client/slices/tabs.ts';
import { useStore } from '../../client/store.ts';
import { QuerySession } from './query-session.ts';

const sessions = new Map<string, QuerySession>();

useStore.subscribe(({ tabs }, before) => {
  if (tabs === before.tabs) return;
  const open = new Set(tabs.map(({ id }) => id));
  for (const [id, session] of sessions) {
    if (open.has(id)) continue;
    sessions.delete(id);
    session.dispose();
  }
});

export function sessionOf(tab: QueryTab): QuerySession {
  const session = sessions.get(tab.id) ?? new QuerySession(tab);
  sessions.set(tab.id, session);
  return session;
}

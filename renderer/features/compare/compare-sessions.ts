// The sessions of all Compare tabs of this window, by tab: made when first shown, ended when the tab is closed.
import type { CompareTab } from '../../client/slices/tabs.ts';
import { useStore } from '../../client/store.ts';
import { CompareSession } from './compare-session.ts';

const sessions = new Map<string, CompareSession>();

useStore.subscribe(({ tabs }, before) => {
  if (tabs === before.tabs) return;
  const open = new Set(tabs.map(({ id }) => id));
  for (const [id, session] of sessions) {
    if (open.has(id)) continue;
    sessions.delete(id);
    session.dispose();
  }
});

export function sessionOf(tab: CompareTab): CompareSession {
  const session = sessions.get(tab.id) ?? new CompareSession(tab);
  sessions.set(tab.id, session);
  return session;
}

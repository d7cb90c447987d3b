// Objects that live as long as a tab, shown or not: created when the tab is first shown, disposed when it is closed.
import type { Tab } from './slices/tabs.ts';
import { useStore } from './store.ts';

/** Returns a function that gets the session of a tab. */
export function tabSessions<T extends Tab, S extends { dispose(): void }>(start: (tab: T) => S): (tab: T) => S {
  const sessions = new Map<string, S>();
  useStore.subscribe(({ tabs }, before) => {
    if (tabs === before.tabs) return;
    const open = new Set(tabs.map(({ id }) => id));
    for (const [id, session] of sessions) {
      if (open.has(id)) continue;
      sessions.delete(id);
      session.dispose();
    }
  });
  return (tab) => {
    const session = sessions.get(tab.id) ?? start(tab);
    sessions.set(tab.id, session);
    return session;
  };
}

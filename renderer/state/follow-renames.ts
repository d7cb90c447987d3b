// Tabs of a table follow its name, also closed ones that can be reopened, and so do its saved filters.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Renamed } from './renamed-relations.ts';
import { renameSavedFilters } from './saved-filters.ts';
import type { Tab } from './slices/tabs.ts';
import { useStore } from './store.ts';
import { tabKindOf } from './tab-kinds.ts';

export function followRenames(database: DatabaseId, renamed: readonly Renamed[]): void {
  if (renamed.length === 0) return;
  renameSavedFilters(database, renamed);
  const names = new Map(renamed.map(({ from, to }) => [from, to]));
  const nameNow = (name: string): string => names.get(name) ?? name;
  const follow = (tab: Tab): Tab =>
    tab.database === database ? { ...tab, ...tabKindOf(tab).followNames?.(tab, nameNow) } : tab;
  useStore.setState(({ tabs, closedTabs }) => ({ tabs: tabs.map(follow), closedTabs: closedTabs.map(follow) }));
}

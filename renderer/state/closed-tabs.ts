// Tabs that were closed: opening them again, and which of them are kept across a restart.
import { hasText } from './slices/tabs.ts';
import type { Tab } from './slices/tabs.ts';
import { activateTab, reopenTab, useStore } from './store.ts';
import { tabShowingSame } from './tab-kinds.ts';

/** Limit for all closed tabs together. A start reads and holds all of it. */
const KEPT_CHARS = 4_000_000;

/**
 * Opens the tab that was closed last, unless an open tab already shows the same: then the next older one. If no closed tab is left,
 * activates the open tab.
 */
export function reopenClosedTab(): void {
  const { tabs, closedTabs } = useStore.getState();
  const [last] = closedTabs;
  if (!last) return;
  const at = closedTabs.findIndex((tab) => !tabShowingSame(tab, tabs));
  useStore.setState({ closedTabs: at < 0 ? [] : closedTabs.slice(at) });
  if (at < 0) activateTab(tabShowingSame(last, tabs)!.id);
  else reopenTab();
}

/** The tabs that were closed last, as many as have texts that together are short enough to be read at each start. */
export function closedTabsToKeep(closedTabs: readonly Tab[]): readonly Tab[] {
  let chars = 0;
  return closedTabs.filter((tab) => (chars += hasText(tab) ? tab.sql.length : 0) <= KEPT_CHARS);
}

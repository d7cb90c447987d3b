// Changes how a tab shows its table.
import type { TableView } from '../../state/slices/tabs.ts';
import { updateTab, useStore } from '../../state/store.ts';

/** Onto what the tab shows now, not what it showed when the handler was made. */
export function changeView(tabId: string, patch: Partial<TableView>): void {
  const tab = useStore.getState().tabs.find((candidate) => candidate.id === tabId);
  if (tab?.kind === 'table') updateTab(tabId, { view: { ...tab.view, ...patch } });
}

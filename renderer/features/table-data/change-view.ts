// Changes how a tab shows its table.
import { isTableTab } from '../../workbench/table-tabs.ts';
import type { TableTab, TableView } from '../../workbench/table-tabs.ts';
import { updateTab, useStore } from '../../state/store.ts';

/** Onto what the tab shows now, not what it showed when the handler was made. */
export function changeView(tabId: string, patch: Partial<TableView>): void {
  const tab = useStore.getState().tabs.find((candidate) => candidate.id === tabId);
  if (isTableTab(tab)) updateTab<TableTab>(tabId, { view: { ...tab.view, ...patch } });
}

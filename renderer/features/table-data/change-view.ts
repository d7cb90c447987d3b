// Changes how a tab shows its table.
import { isTableTab } from '../../workbench/table-tabs.ts';
import type { TableTab, TableView } from '../../workbench/table-tabs.ts';
import { keepTableColumns } from '../../workbench/column-memory.ts';
import type { TableColumns } from './grid-view.ts';
import { updateTab, useStore } from '../../state/store.ts';

/** Onto what the tab shows now, not what it showed when the handler was made. */
export function changeView(tabId: string, patch: Partial<TableView>): void {
  const tab = useStore.getState().tabs.find((candidate) => candidate.id === tabId);
  if (isTableTab(tab)) updateTab<TableTab>(tabId, { view: { ...tab.view, ...patch } });
}

/** Remembers the arrangement and the colors for the next time the table is opened, too. */
export function changeTableColumns(
  { id, database, table }: TableTab,
  columns: TableColumns | Pick<TableView, 'colors'>,
): void {
  changeView(id, columns);
  const tab = useStore.getState().tabs.find((candidate) => candidate.id === id);
  if (isTableTab(tab)) keepTableColumns(database, table, tab.view);
}

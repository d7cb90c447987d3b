// Changes how a tab shows its table.
import { isTableTab, type TableTab, type TableView } from '../../workbench/tabs/table.ts';
import { keepTableColumns } from '../../workbench/columns/column-memory.ts';
import type { TableColumns } from './grid-view.ts';
import { updateTab, useStore } from '../../state/store.ts';

/** Applies the change to the current view, not the one from when the handler was created. */
export function changeView(
  tabId: string,
  change: Partial<TableView> | ((view: TableView) => Partial<TableView>),
): void {
  const tab = useStore.getState().tabs.find((candidate) => candidate.id === tabId);
  if (!isTableTab(tab)) return;
  const patch = typeof change === 'function' ? change(tab.view) : change;
  updateTab<TableTab>(tabId, { view: { ...tab.view, ...patch } });
}

/** Also remembers the arrangement and the colors for the next time the table is opened. Colors apply to every tab of the table. */
export function changeTableColumns(
  { id, database, table }: TableTab,
  columns: TableColumns | Pick<TableView, 'colors'>,
): void {
  changeView(id, columns);
  const tabs = useStore.getState().tabs.filter(isTableTab);
  const tab = tabs.find((candidate) => candidate.id === id);
  if (tab) keepTableColumns(database, table, tab.view);
  if (!('colors' in columns)) return;
  for (const other of tabs)
    if (other.id !== id && other.database === database && other.table === table) changeView(other.id, columns);
}

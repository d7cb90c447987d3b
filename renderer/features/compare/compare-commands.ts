// The command that opens a Compare tab with what the person is looking at.
import { useCommand } from '../../workbench/commands.ts';
import { flushState } from '../../state/state-saving.ts';
import { activeTab, openCompare, showLibrary, useStore } from '../../state/store.ts';
import { requestStart } from './start-requests.ts';

export function useCompareCommands(): void {
  const database = useStore((state) => state.currentDatabase);
  useCommand('query.compare', () => database && compareShown(database), database !== null);
}

/** What carries a text with it is compared at once: writes are rolled back. */
function compareShown(database: string): void {
  flushState();
  const tab = activeTab(useStore.getState());
  const isShown = tab !== null && !useStore.getState().libraryVisible;
  const sql = !isShown ? '' : tab.kind === 'query' ? tab.sql : tab.kind === 'table' ? selectAll(tab.table) : '';
  showLibrary(false);
  const id = openCompare((isShown ? tab.database : null) ?? database, sql);
  if (sql.trim() !== '') requestStart(id);
}

const selectAll = (table: string): string => `SELECT * FROM "${table.replaceAll('"', '""')}";`;

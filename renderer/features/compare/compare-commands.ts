// The command that opens a Compare tab with what the user is looking at.
import { useCommand } from '../../workbench/commands/commands.ts';
import { flushState } from '../../state/state-saving.ts';
import { activeTab, showLibrary, useStore } from '../../state/store.ts';
import { isQueryTab } from '../../workbench/tabs/query.ts';
import { requestStart } from '../../workbench/text/start-requests.ts';
import { isTableTab } from '../../workbench/tabs/table.ts';
import { openCompare } from '../../workbench/tabs/compare.ts';

export function useCompareCommands(): void {
  const database = useStore((state) => state.currentDatabase);
  useCommand('query.compare', () => database && compareShown(database), database !== null);
}

/** If a tab with SQL or a table is shown, it is compared at once: writes are rolled back. */
function compareShown(database: string): void {
  flushState();
  const tab = activeTab(useStore.getState());
  const isShown = tab !== null && !useStore.getState().libraryVisible;
  const sql = !isShown ? '' : isQueryTab(tab) ? tab.sql : isTableTab(tab) ? selectAll(tab.table) : '';
  showLibrary(false);
  const id = openCompare((isShown ? tab.database : null) ?? database, sql);
  if (sql.trim() !== '') requestStart(id);
}

const selectAll = (table: string): string => `SELECT * FROM "${table.replaceAll('"', '""')}";`;

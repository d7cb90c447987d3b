// The commands that open tabs of features, and the import of files.
import { flushState } from '../state/state-saving.ts';
import { activeTab, showLibrary, useStore } from '../state/store.ts';
import { showRecipes } from '../features/import/recipes-shown.ts';
import { useCommand } from '../workbench/commands/commands.ts';
import { focusContent } from '../workbench/commands/focus-content.ts';
import { openCompare } from '../workbench/tabs/compare.ts';
import { openDiagram } from '../workbench/tabs/diagram.ts';
import { openHealth, type HealthSection } from '../workbench/tabs/health.ts';
import { chooseAndImport, importClipboard, intoCurrentDatabase } from '../workbench/tabs/import.ts';
import { isQueryTab } from '../workbench/tabs/query.ts';
import { openQueryLog } from '../workbench/tabs/query-log.ts';
import { openSchemaComparison } from '../workbench/tabs/schema-compare.ts';
import { openSearch } from '../workbench/tabs/search.ts';
import { openSettings } from '../workbench/tabs/settings.ts';
import { isTableTab } from '../workbench/tabs/table.ts';
import { requestStart } from '../workbench/text/start-requests.ts';

export function useTabCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore((state) => state.currentDatabase);
  useCommand('file.import', () => void chooseAndImport(intoCurrentDatabase()), isConnected);
  useCommand('file.importClipboard', () => void importClipboard(intoCurrentDatabase()), isConnected);
  useCommand('import.recipes', () => showRecipes(true), isConnected);
  useCommand('settings.show', () => openSettings());
  useCommand('queryLog.show', () => inFront(openQueryLog), isConnected);
  useCommand('schema.compare', () => inFront(() => openSchemaComparison(database)), isConnected);
  useCommand('query.compare', () => database && compareShown(database), database !== null);
  useCommand('search.show', () => database && showSearch(database), database !== null);
  useDiagramCommands(database);
  useHealthCommands(isConnected ? database : null);
}

function useDiagramCommands(database: string | null): void {
  const table = useStore((state) => {
    const tab = activeTab(state);
    return isTableTab(tab) ? tab.table : null;
  });
  const show = (around: string | null): void => {
    if (database) inFront(() => openDiagram(database, around, 1, table));
  };
  useCommand('diagram.show', () => show(null), database !== null);
  useCommand('diagram.around', () => show(table), database !== null && table !== null);
}

function useHealthCommands(database: string | null): void {
  const show = (section?: HealthSection) => (): void => {
    if (database !== null) inFront(() => openHealth(database, section));
  };
  const isReady = database !== null;
  useCommand('health.show', show(), isReady);
  useCommand('health.space', show('space'), isReady);
  useCommand('health.findings', show('findings'), isReady);
  useCommand('health.settings', show('settings'), isReady);
  useCommand('health.upkeep', show('upkeep'), isReady);
  useCommand('health.extensions', show('extensions'), isReady);
  useCommand('health.functions', show('functions'), isReady);
}

function inFront(open: () => unknown): void {
  showLibrary(false);
  open();
  focusContent();
}

function showSearch(database: string): void {
  showLibrary(false);
  openSearch(database);
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

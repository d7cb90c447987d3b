// The commands that open a diagram.
import { useCommand } from '../../workbench/commands/commands.ts';
import { openDiagram } from '../../workbench/tabs/diagram.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { isTableTab } from '../../workbench/tabs/table.ts';
import { activeTab, showLibrary, useStore } from '../../state/store.ts';

export function useDiagramCommands(): void {
  const database = useStore((state) => state.currentDatabase);
  const table = useStore((state) => {
    const tab = activeTab(state);
    return isTableTab(tab) ? tab.table : null;
  });
  const show = (around: string | null): void => {
    if (!database) return;
    showLibrary(false);
    openDiagram(database, around, 1, table);
    focusContent();
  };
  useCommand('diagram.show', () => show(null), database !== null);
  useCommand('diagram.around', () => show(table), database !== null && table !== null);
}

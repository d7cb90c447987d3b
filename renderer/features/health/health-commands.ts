// The command that opens the health page of the current database.
import { showLibrary, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands.ts';
import { focusContent } from '../../workbench/focus-content.ts';
import { openHealth } from '../../workbench/health-tabs.ts';

export function useHealthCommands(): void {
  const database = useStore((state) => state.currentDatabase);
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const show = (): void => {
    if (database === null) return;
    showLibrary(false);
    openHealth(database);
    focusContent();
  };
  useCommand('health.show', show, isConnected && database !== null);
}

// The commands that open the health page of the current database, and each of its parts.
import { showLibrary, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openHealth, type HealthSection } from '../../workbench/tabs/health.ts';

export function useHealthCommands(): void {
  const database = useStore((state) => state.currentDatabase);
  const isReady = useStore((state) => state.connection.status === 'connected') && database !== null;
  const show = (section?: HealthSection) => (): void => {
    if (database === null) return;
    showLibrary(false);
    openHealth(database, section);
    focusContent();
  };
  useCommand('health.show', show(), isReady);
  useCommand('health.space', show('space'), isReady);
  useCommand('health.findings', show('findings'), isReady);
  useCommand('health.settings', show('settings'), isReady);
  useCommand('health.upkeep', show('upkeep'), isReady);
  useCommand('health.extensions', show('extensions'), isReady);
  useCommand('health.functions', show('functions'), isReady);
}

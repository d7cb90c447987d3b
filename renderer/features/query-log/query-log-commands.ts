// The command that opens the query history.
import { showLibrary, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openQueryLog } from '../../workbench/tabs/query-log.ts';

export function useQueryLogCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const show = (): void => {
    showLibrary(false);
    openQueryLog();
    focusContent();
  };
  useCommand('queryLog.show', show, isConnected);
}

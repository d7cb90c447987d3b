// The command that compares the schema of the current database with another one.
import { showLibrary, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { openSchemaComparison } from '../../workbench/tabs/schema-compare.ts';

export function useSchemaCompareCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const compare = (): void => {
    showLibrary(false);
    openSchemaComparison(useStore.getState().currentDatabase);
    focusContent();
  };
  useCommand('schema.compare', compare, isConnected);
}

// The commands that start an import.
import { useCommand } from '../../workbench/commands/commands.ts';
import { chooseAndImport, intoCurrentDatabase, importClipboard } from '../../workbench/tabs/import.ts';
import { showRecipes } from './recipes-shown.ts';
import { useStore } from '../../state/store.ts';

export function useImportCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useCommand('file.import', () => void chooseAndImport(intoCurrentDatabase()), isConnected);
  useCommand('file.importClipboard', () => void importClipboard(intoCurrentDatabase()), isConnected);
  useCommand('import.recipes', () => showRecipes(true), isConnected);
}

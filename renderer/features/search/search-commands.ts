// The command that opens the search.
import { useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { openSearch } from '../../workbench/tabs/search.ts';

export function useSearchCommands(): void {
  const database = useStore(({ currentDatabase }) => currentDatabase);
  useCommand(
    'search.show',
    () => {
      if (!database) return;
      useStore.getState().showLibrary(false);
      openSearch(database);
    },
    database !== null,
  );
}

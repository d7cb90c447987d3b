// The commands for held changes of the current database.
import { notifyFailure } from '../../state/databases.ts';
import { useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { useHeld } from '../../workbench/held/held-store.ts';
import { discardHeld, patchSaving, saveHeld, savingOf, toggleHolding } from '../../workbench/held/save-held.ts';

export function useHeldCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore(({ currentDatabase, openDatabases }) =>
    currentDatabase !== null && openDatabases[currentDatabase] ? currentDatabase : null,
  );
  const hasChanges = useHeld((state) => database !== null && (state[database]?.pending.length ?? 0) > 0);
  const isReady = isConnected && database !== null;
  const run = (action: (database: string) => Promise<void>) => () => {
    if (database !== null) action(database).catch(notifyFailure);
  };
  const isHolding = useHeld((state) => database !== null && state[database]?.isOn === true);
  useCommand('held.turn', run(toggleHolding), isReady, isHolding);
  useCommand('held.save', run(saveHeld), isReady && hasChanges);
  useCommand('held.discard', run(discardHeld), isReady && hasChanges);
  useCommand(
    'held.show',
    () => database !== null && patchSaving(database, { isOpen: !savingOf(database).isOpen }),
    isReady && hasChanges,
  );
}

// The commands of the File and Database menus.
import { capabilitiesOf, type LibraryEntry } from '#shared/protocol/index.ts';
import { refusesUnencrypted } from '../../workbench/databases/not-encrypted.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { publishDatabase, showLibrary, useStore } from '../../state/store.ts';
import * as actions from './actions.ts';
import { attachDatabase, canAttachTo } from '../../workbench/databases/attached-files.ts';
import { changePassword, hasKeyToChange } from '../../workbench/databases/change-password.ts';
import { createDatabase, createSample, newEncrypted } from './new-database.ts';
import { chooseAndOpen } from './opening.ts';

export function useLibraryCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const entry = useStore((state) =>
    state.currentDatabase ? (state.openDatabases[state.currentDatabase]?.entry ?? null) : null,
  );
  const onEntry = (action: (entry: LibraryEntry) => Promise<void>) => () => void (entry && action(entry));
  const hasEntry = isConnected && entry !== null;
  const isManaged = hasEntry && capabilitiesOf(entry.id).managed;
  const hasFile = hasEntry && capabilitiesOf(entry.id).file;
  const hasDurability = hasEntry && capabilitiesOf(entry.id).durability !== 'fixed';

  useCommand('file.open', () => void chooseAndOpen(), isConnected);
  useCommand('file.newDatabase', () => void createDatabase(), isConnected);
  useCommand('file.newEncrypted', () => void newEncrypted(), isConnected && isDesktop);
  useCommand('file.sampleDatabase', () => void createSample(), isConnected);
  useCommand('file.newWindow', () => void shell.newWindow().catch(notifyFailure), isDesktop);
  useCommand('window.close', () => void shell.closeWindow().catch(notifyFailure), isDesktop);
  useCommand('library.show', () => showLibrary(!useStore.getState().libraryVisible), isConnected);
  useCommand('database.export', onEntry(actions.backUpDatabase), hasFile);
  const publish = (): void => {
    if (!refusesUnencrypted(entry?.id ?? null, 'publish')) publishDatabase(entry);
  };
  useCommand('database.publish', publish, hasFile && isDesktop);
  const attach = onEntry(({ id }) => attachDatabase(id));
  useCommand('database.attach', attach, hasEntry && canAttachTo(entry.id));
  useCommand('database.rename', onEntry(actions.renameDatabase), isManaged);
  useCommand('database.duplicate', onEntry(actions.duplicateDatabase), isManaged);
  const canChangeKey = hasEntry && hasKeyToChange(entry.id);
  const isPlain = entry !== null && capabilitiesOf(entry.id).plain;
  useCommand('database.setPassword', onEntry(changePassword), canChangeKey && isPlain);
  useCommand('database.changePassword', onEntry(changePassword), canChangeKey && !isPlain);
  useCommand('database.delete', onEntry(actions.deleteDatabase), isManaged);
  useCommand('database.revealSource', onEntry(actions.revealSource), hasEntry && entry.source?.locationId != null);
  useCommand('database.check', onEntry(actions.checkIntegrity), hasFile);
  useCommand(
    'database.durabilityFull',
    onEntry((at) => actions.setDurability(at, 'full')),
    hasDurability,
  );
  useCommand(
    'database.durabilityBalanced',
    onEntry((at) => actions.setDurability(at, 'balanced')),
    hasDurability,
  );
}

// The user's actions on a database of the library, and its menu.
import { describeUnchecked } from '#shared/file-findings.ts';
import { capabilitiesOf, locationIdOf, AppError, DEFAULT_EXPORT_OPTIONS, toAppError } from '#shared/protocol/index.ts';
import type { Durability, LibraryEntry, DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client } from '../../connection/database-client.ts';
import { closeDatabase, notifyFailure, refreshLibrary, ensureOpen } from '../../state/databases.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import {
  closeTabsOf,
  confirm,
  dropDatabaseState,
  notify,
  publishDatabase,
  showLibrary,
  useStore,
  editConnection,
} from '../../state/store.ts';
import { unsavedWorkIn } from '../../state/unsaved-work.ts';
import { formatBytes, plural } from '../../ui/format.ts';
import type { MenuEntry } from '../../ui/menu.tsx';
import { openHealth } from '../../workbench/tabs/health.ts';
import { refusesUnencrypted } from '../../workbench/databases/not-encrypted.ts';
import { runJob } from '../../workbench/jobs.ts';
import { backupFileName, backupText, keepLastBackup, lastBackup } from './last-backups.ts';
import { compareWithGit, useGitFiles } from '../../workbench/databases/git-files.ts';
import { changePassword, hasKeyToChange } from '../../workbench/databases/change-password.ts';
import { freeLibraryName } from '../../workbench/databases/library-names.ts';
import { askAtNextEdit } from './first-edit.ts';
import { askForName } from './new-database.ts';
import { showFromLibrary } from './opening.ts';
import { showSavedAction } from '../../workbench/files/show-saved.ts';

const CHECK_MESSAGES_SHOWN = 20;

export async function renameDatabase(entry: LibraryEntry): Promise<void> {
  const name = await askForName(`Rename “${entry.name}”`, entry.name, 'Rename');
  if (name !== null && name !== entry.name)
    await attempt(() => client.call('library.rename', { database: entry.id, name }));
}

export async function duplicateDatabase(entry: LibraryEntry): Promise<void> {
  await attempt(async () => {
    const name = freeLibraryName(`${entry.name} copy`);
    await runJob(`Duplicating ${entry.name}`, (options) =>
      client.call('library.duplicate', { database: entry.id, name }, options),
    );
    notify({ tone: 'success', text: `“${name}” is in the library.` });
  });
}

export async function deleteDatabase(entry: LibraryEntry): Promise<void> {
  const fate = entry.source
    ? 'The file it was imported from stays where it is.'
    : 'There is no other copy of it unless you exported one.';
  const agreed = await confirm({
    title: `Delete “${entry.name}” from the library?`,
    body: `${formatBytes(entry.sizeBytes)} and every change made here will be lost. ${fate}`,
    confirmLabel: 'Delete',
    danger: true,
  });
  if (!agreed) return;
  await attempt(async () => {
    // It also closes the database for this window. A refusal, because another window has it open, leaves everything as it is.
    await client.call('library.delete', { database: entry.id });
    closeTabsOf(entry.id);
    dropDatabaseState(entry.id);
  });
}

/** Asks about text or changes in the database that are not saved yet. */
async function askAndClose({ id, name }: LibraryEntry): Promise<boolean> {
  const lost = unsavedWorkIn(id, (await shell.windowInfo()).windowId);
  const question = { title: `Close “${name}”?`, body: lost.join('\n'), confirmLabel: 'Close', danger: true } as const;
  if (lost.length > 0 && !(await confirm({ ...question, asks: 'confirm.close' }))) return false;
  await closeDatabase(id);
  return true;
}

/** Shows when the last backup was made, and then asks for the file. Other windows can read while it is written, and their writes wait. */
export async function backUpDatabase(entry: LibraryEntry): Promise<void> {
  const { id, name } = entry;
  const agreed = await confirm({
    title: `Back up “${visibleName(name)}”`,
    body: `The backup is one SQLite file with everything that is saved at this moment.${capabilitiesOf(id).plain ? '' : ' It is encrypted with the key of this file.'}\n\n${backupText(lastBackup(id))}`,
    confirmLabel: 'Choose file…',
  });
  if (!agreed) return;
  await attempt(async () => {
    const target = await shell.chooseSaveTarget(backupFileName(name));
    if (!target) return;
    const { token, fileName } = target;
    const { sizeBytes } = await runJob(`Backing up ${name}`, (options) =>
      client.call('library.export', { database: id, sink: token }, options),
    );
    keepLastBackup(id, { atMs: Date.now(), sizeBytes, fileName });
    const text = `“${name}” was backed up to ${fileName} (${formatBytes(sizeBytes)}).`;
    notify({ tone: 'success', text, ...showSavedAction(target) });
  });
}

export async function revealSource(entry: LibraryEntry): Promise<void> {
  const id = entry.source?.locationId;
  if (!id || (await shell.revealSource(id))) return;
  notify({
    tone: 'warning',
    text: `The file is no longer at ${entry.source.displayPath}.${capabilitiesOf(entry.id).sourceFile ? ' The copy in the library is complete.' : ''}`,
  });
}

export async function setDurability(entry: LibraryEntry, durability: Durability): Promise<void> {
  const choice = { database: entry.id, durability };
  const isOpen = useStore.getState().openDatabases[entry.id] !== undefined;
  await attempt(async () => {
    const isListed = capabilitiesOf(entry.id).durability === 'listed';
    if (isOpen || !isListed) await client.call('library.setDurability', choice);
    if (isListed) await client.call('library.keepDurability', choice);
  });
}

export async function checkIntegrity(entry: LibraryEntry): Promise<void> {
  await attempt(async () => {
    const findings = await runJob(`Checking ${entry.name}`, (options) =>
      client.call('database.check', { database: entry.id, kind: 'integrity' }, options),
    );
    const { messages } = findings;
    const unchecked = describeUnchecked(findings);
    if (messages.length === 0) {
      if (unchecked !== null)
        notify({ tone: 'warning', text: `SQLite found no errors in “${entry.name}”. ${unchecked}` });
      else notify({ tone: 'success', text: `“${entry.name}” is intact: SQLite found no errors in it.` });
      return;
    }
    const more = messages.length - CHECK_MESSAGES_SHOWN;
    await confirm({
      title: `SQLite found errors in “${entry.name}”`,
      body: [
        ...messages.slice(0, CHECK_MESSAGES_SHOWN),
        ...(more > 0 ? [`… and ${more} more`] : []),
        ...(unchecked === null ? [] : [unchecked]),
      ].join('\n'),
      confirmLabel: 'OK',
      cancelLabel: null,
    });
  });
}

/** All of the above that can be done with the database, as a menu. */
export function libraryMenu(entry: LibraryEntry): readonly MenuEntry[] {
  const isOpen = useStore.getState().openDatabases[entry.id] !== undefined;
  const { managed, temporary, file, inPlace, local, durability, plain } = capabilitiesOf(entry.id);
  const run = (action: (entry: LibraryEntry) => unknown) => () => void action(entry);
  const groups: readonly (readonly MenuEntry[])[] = [
    [
      { label: 'Open', run: () => void showFromLibrary(entry.id) },
      ...(isOpen && !temporary ? [{ label: 'Close', run: run(askAndClose) }] : []),
    ],
    [
      ...(managed
        ? [
            { label: 'Rename…', run: run(renameDatabase) },
            { label: 'Duplicate', run: run(duplicateDatabase) },
          ]
        : []),
      ...(file && (isOpen || managed)
        ? [{ label: 'Back up now…', run: run(backUpDatabase) }, ...publishItem(entry)]
        : []),
      ...(isOpen ? [healthItem(entry), ...gitItem(entry)] : []),
      ...revealItem(entry),
      ...(local
        ? []
        : [
            { label: 'Copy into library…', run: run(copyIntoLibrary) },
            { label: 'Edit connection…', run: run(editServer) },
          ]),
    ],
    durability === 'fixed' || temporary ? [] : durabilityChoice(entry),
    [
      ...(inPlace && !temporary
        ? [{ label: 'Ask again at the next edit', run: run(askAgain), disabled: entry.editing === undefined }]
        : []),
      ...(hasKeyToChange(entry.id)
        ? [{ label: plain ? 'Set password…' : 'Change password…', run: run(changePassword) }]
        : []),
      ...(plain ? [] : [{ label: 'Forget remembered key', run: run(forgetKey) }]),
      removalItem(entry),
    ],
  ];
  return groups.filter(({ length }) => length > 0).flatMap((group, at) => (at > 0 ? ['separator', ...group] : group));
}

function revealItem(entry: LibraryEntry): readonly MenuEntry[] {
  const { sourceFile, inPlace, temporary } = capabilitiesOf(entry.id);
  const run = (): void => void revealSource(entry);
  if (sourceFile) return [{ label: 'Reveal source file', run, disabled: !entry.source?.locationId }];
  return inPlace && !temporary ? [{ label: 'Show in folder', run }] : [];
}

function removalItem(entry: LibraryEntry): MenuEntry {
  const { managed, temporary, local } = capabilitiesOf(entry.id);
  if (managed) return { label: 'Delete…', run: () => void deleteDatabase(entry), danger: true };
  if (temporary) return { label: 'Close and remove', run: () => void attempt(() => askAndClose(entry)) };
  if (local) return { label: 'Remove from list', run: () => void removeFile(entry) };
  return { label: 'Remove connection…', run: () => void removeServer(entry), danger: true };
}

/** Servers are reached by separate processes, which a browser does not have. */
function publishItem(entry: LibraryEntry): readonly MenuEntry[] {
  const run = (): void => {
    if (refusesUnencrypted(entry.id, 'publish')) return;
    showLibrary(false);
    publishDatabase(entry);
  };
  return isDesktop ? [{ label: 'Publish to server…', run }] : [];
}

function healthItem({ id }: LibraryEntry): MenuEntry {
  const run = (): void => {
    showLibrary(false);
    openHealth(id);
  };
  return { label: 'Show health', run };
}

function gitItem(entry: LibraryEntry): readonly MenuEntry[] {
  const run = (): void => compareWithGit(entry);
  return useGitFiles.getState().inRepository.has(entry.id) ? [{ label: 'Compare with Git revision…', run }] : [];
}

function durabilityChoice(entry: LibraryEntry): readonly MenuEntry[] {
  const choice = (durability: Durability, label: string): MenuEntry => ({
    label,
    checked: entry.durability === durability,
    run: () => void setDurability(entry, durability),
  });
  return [
    { heading: 'Durability' },
    choice('full', 'Full: on disk after each commit'),
    choice('balanced', 'Balanced: faster, less safe in a power loss'),
  ];
}

async function askAgain({ id }: LibraryEntry): Promise<void> {
  await attempt(() => askAtNextEdit(id));
}

async function removeFile(entry: LibraryEntry): Promise<void> {
  await attempt(async () => {
    if (useStore.getState().openDatabases[entry.id] && !(await askAndClose(entry))) return;
    await client.call('library.removeFile', { database: entry.id });
    if (!capabilitiesOf(entry.id).plain) await shell.forgetKey(locationIdOf(entry.id)!);
  });
}

async function forgetKey({ id, name }: LibraryEntry): Promise<void> {
  await attempt(async () => {
    const had = await shell.forgetKey(locationIdOf(id)!);
    const text = had
      ? `The key of “${name}” is forgotten. You will be asked for it the next time the file is opened.`
      : `No key of “${name}” is remembered.`;
    notify({ tone: 'info', text });
  });
}

async function attempt(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
    await refreshLibrary();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

// The user's actions on a connection to a server: edit it, forget it, copy its database into the library.
function editServer({ id }: LibraryEntry): void {
  editConnection(connectionOf(useStore.getState(), id));
}

async function removeServer({ id, name }: LibraryEntry): Promise<void> {
  const agreed = await confirm({
    title: `Remove the connection “${name}”?`,
    body: 'Sidelite forgets the address and the token. The database on the server stays as it is.',
    confirmLabel: 'Remove',
    danger: true,
  });
  if (!agreed) return;
  try {
    if (useStore.getState().openDatabases[id]) await closeDatabase(id);
    await shell.remote.remove(id);
    await refreshLibrary();
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Reads every row, which may have a cost: the server counts them. */
async function copyIntoLibrary({ id, name }: LibraryEntry): Promise<void> {
  const agreed = await confirm({
    title: `Copy “${name}” into the library?`,
    body: 'Sidelite reads every row of every table. Some providers bill the rows that are read. The copy is a database of its own: changes to it do not reach the server.',
    confirmLabel: 'Copy',
  });
  if (!agreed) return;
  try {
    await ensureOpen(id);
    const copied = await runJob(`Copying ${name}`, async (options) => {
      const reply = await shell.createComparisonCopy();
      if ('why' in reply) throw AppError.unavailable(reply.why);
      try {
        return await copyThrough(id, name, reply, options);
      } finally {
        await shell.removeComparisonCopy(reply.comparisonCopy);
      }
    });
    notify({ tone: 'success', text: `“${copied.entry.name}” is in the library: ${plural(copied.rows, 'row')}.` });
    for (const note of copied.notes) notify({ tone: 'info', text: note });
    await refreshLibrary();
    await showFromLibrary(copied.entry.id);
  } catch (thrown) {
    const { code } = toAppError(thrown);
    if (code === 'stopped') notify({ tone: 'info', text: 'Copying was stopped. Nothing was kept.' });
    else notifyFailure(thrown);
  }
}

type Options = Parameters<Parameters<typeof runJob>[1]>[0];

/** Copies through a temporary file on this computer, because the server process cannot write into the library. */
async function copyThrough(
  database: DatabaseId,
  name: string,
  { comparisonCopy, sink }: { readonly comparisonCopy: string; readonly sink: string },
  options: Options,
): Promise<{ readonly entry: LibraryEntry; readonly rows: number; readonly notes: readonly string[] }> {
  const { rows, notes } = await client.call(
    'export.file',
    { database, source: { kind: 'database' }, format: 'sqlite', options: DEFAULT_EXPORT_OPTIONS, sink },
    options,
  );
  await shell.openComparisonCopy(comparisonCopy, name);
  const source = await shell.comparisonCopySource(comparisonCopy);
  if (!source) throw AppError.notFound('The temporary copy no longer exists. Nothing was kept.');
  const kept = { source: source.token, name: freeLibraryName(name), isTemporary: true };
  const imported = await client.call('library.import', kept, options);
  return { entry: imported.entry, rows, notes: [...notes, ...imported.notes] };
}

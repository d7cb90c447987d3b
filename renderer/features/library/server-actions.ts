// The user's actions on a connection to a server: edit it, forget it, copy its database into the library.
import { AppError, DEFAULT_EXPORT_OPTIONS, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, LibraryEntry } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { closeDatabase, ensureOpen, notifyFailure, refreshLibrary } from '../../state/databases.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { confirm, editConnection, notify, useStore } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { runJob } from '../../workbench/jobs.ts';
import { freeName } from './new-database.ts';
import { showFromLibrary } from './opening.ts';

export function editServer({ id }: LibraryEntry): void {
  editConnection(connectionOf(useStore.getState(), id));
}

export async function removeServer({ id, name }: LibraryEntry): Promise<void> {
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
export async function copyIntoLibrary({ id, name }: LibraryEntry): Promise<void> {
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
  const kept = { source: source.token, name: freeName(name), isTemporary: true };
  const imported = await client.call('library.import', kept, options);
  return { entry: imported.entry, rows, notes: [...notes, ...imported.notes] };
}

// Opening and closing databases of the library in this window.
import { AppError, isInPlace, sourceIdOf, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, DatabaseState, Durability } from '#shared/protocol/index.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import { acrossRestart } from '../connection/across-restart.ts';
import { client } from '../connection/database-client.ts';
import { shell } from '../connection/shell.ts';
import { closeTabsOf, dropDatabaseState, notify, putDatabaseState, showDatabase, useStore } from './store.ts';

/** Returns false if it could not be opened; the user has been told why. */
export async function openDatabase(database: DatabaseId): Promise<boolean> {
  try {
    await ensureOpen(database);
    showDatabase(database);
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

/** Opens it if it is not open in this window, and shows nothing of it. @throws errors of opening it */
export async function ensureOpen(database: DatabaseId): Promise<void> {
  if (useStore.getState().openDatabases[database]) return;
  await acrossRestart(client.serverOf(database), () => openAnew(database));
}

async function openAnew(database: DatabaseId): Promise<void> {
  const sourceId = sourceIdOf(database);
  const reached = sourceId === null ? null : await reachFile({ sourceId });
  const state = await client.call('database.open', { database });
  // Listed after it was opened, so that only databases get into the list, and before it is shown: unlisted databases are closed.
  const kept = reached && (await client.call('library.addFile', { database }));
  // For a file in place, ask again: a report that it is read-only may have come before this window listened.
  putDatabaseState(kept ? await client.call('database.open', { database }) : state);
  if (kept) await keepDurable(state, kept.durability);
}

/**
 * Registers a file in place with the native engine.
 * @throws AppError `not-found` if the file is no longer at its path, `unavailable`
 */
export async function reachFile(
  file: Parameters<typeof shell.openInPlace>[0],
): Promise<Extract<InPlaceReply, { readonly file: unknown }>> {
  const reply = await shell.openInPlace(file);
  if ('why' in reply) throw new AppError({ code: reply.missing ? 'not-found' : 'unavailable', message: reply.why });
  return reply;
}

/** Why the database cannot be written to while it is open; null if writing can be tried. */
export function whyReadOnly(database: DatabaseId): string | null {
  const state = useStore.getState().openDatabases[database];
  return state?.readOnly ? state.why : null;
}

/** The native engine starts with full durability: sets the one the user has chosen for the file. */
export async function keepDurable({ entry: { id }, durability }: DatabaseState, chosen: Durability): Promise<void> {
  if (chosen !== durability) await client.call('library.setDurability', { database: id, durability: chosen });
}

export async function closeDatabase(database: DatabaseId): Promise<void> {
  closeTabsOf(database);
  dropDatabaseState(database);
  await client.call('database.close', { database }).catch(notifyFailure);
}

export async function refreshLibrary(): Promise<void> {
  const entries = await client.call('library.list', {});
  const { openDatabases } = useStore.getState();
  useStore.setState({ entries });
  for (const state of Object.values(openDatabases)) {
    const entry = entries.find(({ id }) => id === state.entry.id);
    // The native engine knows more about its file than the list does.
    if (entry && isInPlace(entry.id)) continue;
    if (entry) putDatabaseState({ ...state, entry, durability: entry.durability });
    else {
      closeTabsOf(state.entry.id);
      dropDatabaseState(state.entry.id);
    }
  }
}

/** Notifies the user of a failure or refusal. Stopped work needs no message, and a lost connection already has a banner. */
export function notifyFailure(thrown: unknown): void {
  const { code, message } = toAppError(thrown);
  if (code === 'stopped' || code === 'disconnected') return;
  notify({ tone: code === 'refused' ? 'info' : 'error', text: message });
}

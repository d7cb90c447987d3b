// Opening and closing databases of the library in this window.
import { AppError, isInPlace, sourceIdOf, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, DatabaseState, Durability } from '#shared/protocol/index.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import { acrossRestart } from '../connection/across-restart.ts';
import { client } from '../connection/database-client.ts';
import { shell } from '../connection/shell.ts';
import { closeTabsOf, dropDatabaseState, notify, putDatabaseState, showDatabase, useStore } from './store.ts';

/** Answers false when it could not be opened; the person has been told why. */
export async function openDatabase(database: DatabaseId): Promise<boolean> {
  try {
    if (!useStore.getState().openDatabases[database])
      await acrossRestart(client.serverOf(database), () => openAnew(database));
    showDatabase(database);
    return true;
  } catch (thrown) {
    notifyFailure(thrown);
    return false;
  }
}

async function openAnew(database: DatabaseId): Promise<void> {
  const sourceId = sourceIdOf(database);
  const reached = sourceId === null ? null : await reachFile({ sourceId });
  const state = await client.call('database.open', { database });
  // Only what is a database gets into the list, and before the window shows it: what is not in the list is closed.
  const kept = reached && (await client.call('library.addFile', { database }));
  // Of a file in place more is known by now, and was told while this window did not listen yet: it cannot be written to.
  putDatabaseState(kept ? await client.call('database.open', { database }) : state);
  if (kept) await keepDurable(state, kept.durability);
}

/**
 * Makes a file in place known to the native engine.
 * @throws AppError `not-found` when it is not where it was, `unavailable`
 */
export async function reachFile(
  file: Parameters<typeof shell.openInPlace>[0],
): Promise<Extract<InPlaceReply, { readonly file: unknown }>> {
  const reply = await shell.openInPlace(file);
  if ('why' in reply) throw new AppError({ code: reply.missing ? 'not-found' : 'unavailable', message: reply.why });
  return reply;
}

/** Why nothing can be written to it, as long as it is open; null: it can be tried. */
export function whyReadOnly(database: DatabaseId): string | null {
  const state = useStore.getState().openDatabases[database];
  return state?.readOnly ? state.why : null;
}

/** The native engine begins with full durability: a file gets what was chosen for it before. */
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
    // The native engine knows more of its file than the list.
    if (entry && isInPlace(entry.id)) continue;
    if (entry) putDatabaseState({ ...state, entry, durability: entry.durability });
    else {
      closeTabsOf(state.entry.id);
      dropDatabaseState(state.entry.id);
    }
  }
}

/** Tells of what failed or was refused. What the person stopped needs no message, and the banner speaks for a lost connection. */
export function notifyFailure(thrown: unknown): void {
  const { code, message } = toAppError(thrown);
  if (code === 'stopped' || code === 'disconnected') return;
  notify({ tone: code === 'refused' ? 'info' : 'error', text: message });
}

// Opening and closing databases of the library in this window.
import { AppError, capabilitiesOf, locationIdOf, toAppError } from '#shared/protocol/index.ts';
import type {
  DatabaseId,
  DatabaseState,
  Durability,
  ErrorCode,
  LibraryEntry,
  RemoteConnection,
} from '#shared/protocol/index.ts';
import type { InPlaceReply, LockedFile, PlacedFile } from '#shared/shell-api.ts';
import { visibleName } from '#shared/visible-text.ts';
import { acrossRestart } from '../connection/across-restart.ts';
import { client, openInPlace } from '../connection/database-client.ts';
import { shell } from '../connection/shell.ts';
import { reviewAction } from './reviews.ts';
import { connectionOf } from './slices/remote.ts';
import { standInsOf } from './stand-ins.ts';
import {
  askKey, closeTabsOf, dismissTopic, dropDatabaseState, editConnection, notify, putDatabaseState, showDatabase, takeWaitingTabs, useStore,
} from './store.ts'; // prettier-ignore

/**
 * Opens a database, and shows it. Returns false if it could not be opened; the user has been told why.
 * @param shows if false, shows the database only if none is shown
 */
export async function openDatabase(database: DatabaseId, shows = true): Promise<boolean> {
  try {
    await ensureOpen(database);
    if (shows || useStore.getState().currentDatabase === null) showDatabase(database);
    return true;
  } catch (thrown) {
    if (capabilitiesOf(database).local) notifyFailure(thrown);
    else notifyUnreached(database, thrown);
    return false;
  }
}

/** Tells the user why a server was not reached; the address or the token of the connection may be wrong. */
function notifyUnreached(database: DatabaseId, thrown: unknown): void {
  const { code, message } = toAppError(thrown);
  const connection = connectionOf(useStore.getState(), database);
  if (code === 'stopped' || !connection) return notifyFailure(thrown);
  const forgotten = connection.token === 'forgotten' ? ' Its token was not kept: enter it again.' : '';
  notify({
    tone: 'error',
    topic: database,
    text: `“${connection.name}” was not opened. ${message}${forgotten}`,
    action: { label: 'Edit connection', run: () => editConnection(connection) },
  });
}

/** Opens a database that is not open in this window, without showing it. @throws errors of opening it */
export async function ensureOpen(database: DatabaseId): Promise<void> {
  if (useStore.getState().openDatabases[database]) return;
  // Which process serves it is known when main has opened the file.
  const engine = { answered: () => client.serverOf(database).answered() };
  // Extensions can end their process twice; the third time it opens the database without them.
  await acrossRestart(engine, () => acrossRestart(engine, () => openAnew(database)));
}

async function openAnew(database: DatabaseId): Promise<void> {
  const { local, temporary, plain } = capabilitiesOf(database);
  if (!local) await reachServer(database);
  const locationId = locationIdOf(database);
  // Main has registered the database that was restored or unpacked, and no list keeps it.
  const reached = locationId === null || temporary ? null : await reachFile({ locationId });
  if (reached && reached.file.database !== database) throw passwordChanged(reached.file.fileName);
  const standIns = standInsOf(database);
  const opening = { database, ...(local && standIns.length > 0 && { standIns }) };
  const state = await client.call('database.open', opening).catch((thrown: unknown) => {
    // Main keeps the key of an encrypted file as long as the file counts as open. Of another one, a copy can still be made.
    if (reached && !plain && toAppError(thrown).code !== 'disconnected')
      shell.forgetInPlace(locationId!).catch(notifyFailure);
    throw thrown;
  });
  // Listed after it was opened, so that only databases get into the list, and before it is shown: unlisted databases are closed.
  const kept = reached && (await client.call('library.addFile', { database }));
  // For a file in place, ask again: a report that it is read-only may have come before this window listened.
  putDatabaseState(kept ? await client.call('database.open', opening) : state);
  if (!local) forgetUnreached(database);
  takeWaitingTabs(database);
  if (kept) await keepDurable(state, kept.durability);
}

/** Has main connect this window to the process of a remote database. @throws AppError `unavailable` */
async function reachServer(database: DatabaseId): Promise<void> {
  const why = await shell.remote.open(database);
  if (why !== null) throw AppError.unavailable(why);
}

/** Forgets failures to reach a server or to use its token, which are no longer true. */
export const forgetUnreached = (database: DatabaseId): void => dismissTopic(database);

export const NOT_REMEMBERED =
  'The key store of the operating system reported an error, so the key is not remembered. It is kept only as long as the file is open.';

const passwordChanged = (fileName: string): AppError =>
  AppError.notFound(
    `“${fileName}” was given a password since it was opened here, or its password was removed. Open the file again.`,
  );

/**
 * Registers a file in place with the engine that opens it. Asks for the key of an encrypted one.
 * @throws AppError `not-found` if the file is no longer at its path, `unavailable`, `stopped` if no key was given
 */
export async function reachFile(file: PlacedFile): Promise<Extract<InPlaceReply, { readonly file: unknown }>> {
  const first = await openInPlace(file);
  const reply = 'locked' in first ? await unlocked(file, first.locked) : first;
  if ('why' in reply) throw new AppError({ code: reply.missing ? 'not-found' : 'unavailable', message: reply.why });
  return reply;
}

/** Makes an encrypted database in a file that the user chooses, and opens it. Null if canceled. @throws AppError */
export async function createEncrypted(): Promise<DatabaseId | null> {
  const target = await shell.chooseSaveTarget('encrypted.db');
  if (target === null) return null;
  const canRemember = await shell.canRememberKeys();
  let last: InPlaceReply | null = null;
  await askKey({
    title: `New encrypted database “${visibleName(target.fileName)}”`,
    ...{ path: null, why: null, canRemember, use: 'create' },
    async attempt(key) {
      if (key === null) return null;
      last = await shell.createEncrypted(target.token, key);
      return 'why' in last ? last.why : null;
    },
  });
  const reply = last as InPlaceReply | null;
  if (reply === null || !('file' in reply)) return null;
  if (reply.isNotRemembered === true) notify({ tone: 'warning', text: NOT_REMEMBERED });
  const { database } = reply.file;
  await ensureOpen(database);
  // Nobody is asked whether to edit a file that was made to be edited.
  await client.call('library.keepEditing', { database, editing: 'file' });
  return database;
}

async function unlocked(
  file: PlacedFile,
  { fileName, displayPath, why, canRemember }: LockedFile,
): Promise<Exclude<InPlaceReply, { locked: unknown }>> {
  let last: InPlaceReply | null = null;
  let isWanted = true;
  await askKey({
    title: `Open “${visibleName(fileName)}”`,
    ...{ path: displayPath, why, canRemember, use: 'open' },
    async attempt(key) {
      if (key === null) return null;
      const reply = await openInPlace({ ...file, key });
      // The key was found to fit before main heard of the Cancel.
      if (!isWanted && 'file' in reply) await shell.forgetInPlace(reply.file.locationId);
      if (isWanted) last = reply;
      return 'locked' in reply ? reply.locked.why : null;
    },
    stop() {
      isWanted = false;
      shell.stopTrying().catch(notifyFailure);
    },
  });
  const reply = last as InPlaceReply | null;
  if (reply === null || 'locked' in reply) throw AppError.stopped(`“${fileName}” was not opened.`);
  if ('file' in reply && reply.isNotRemembered === true) notify({ tone: 'warning', text: NOT_REMEMBERED });
  return reply;
}

/** Why the open database cannot be written to; null if writing can be tried. */
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
  const locationId = locationIdOf(database);
  const { temporary } = capabilitiesOf(database);
  // Before anything is awaited: the user may open it again.
  if (locationId !== null && !temporary) shell.forgetInPlace(locationId).catch(notifyFailure);
  await client.call('database.close', { database }).catch(notifyFailure);
  if (!temporary) return;
  await discardTemporary(database).catch(notifyFailure);
  await refreshLibrary().catch(notifyFailure);
}

/** Removes the file of a database that is temporary, and closed. Main knows whether it was restored or unpacked. */
export async function discardTemporary(database: DatabaseId): Promise<void> {
  await shell.replicas.discard(database);
  await shell.unpacked.discard(locationIdOf(database)!);
}

export async function refreshLibrary(): Promise<void> {
  const listed = await client.call('library.list', {});
  const { openDatabases, connections } = useStore.getState();
  const open = Object.values(openDatabases).map(({ entry }) => entry);
  const temporary = open.filter(({ id }) => capabilitiesOf(id).temporary);
  const entries = [...listed, ...connections.map(entryOf), ...temporary];
  useStore.setState({ entries });
  for (const state of Object.values(openDatabases)) {
    const entry = entries.find(({ id }) => id === state.entry.id);
    // The native engine knows more about its file than the list does, and a server about its database.
    if (entry && !capabilitiesOf(entry.id).managed) continue;
    if (entry) putDatabaseState({ ...state, entry, durability: entry.durability });
    else {
      closeTabsOf(state.entry.id);
      dropDatabaseState(state.entry.id);
    }
  }
}

function entryOf({ database: id, name, lastUsedAtMs }: RemoteConnection): LibraryEntry {
  return { id, name, sizeBytes: 0, lastUsedAtMs, durability: 'full', source: null };
}

/** Failures that only what was just asked for can have. The others may come from the background. */
const OF_THE_REQUEST: ReadonlySet<ErrorCode> = new Set([
  'sql',
  'constraint',
  'conflict',
  'too-big',
  'not-undoable',
  'refused',
  'invalid',
]);

/** A message about what was asked for in the tab in front goes when that tab is closed. */
export function notifyFailure(thrown: unknown): void {
  const { code, message } = toAppError(thrown);
  if (code === 'stopped' || code === 'disconnected') return;
  const action = reviewAction(thrown);
  const { activeTabId } = useStore.getState();
  notify({
    tone: code === 'refused' ? 'info' : 'error',
    text: message,
    ...(action && { action }),
    ...(activeTabId !== null && OF_THE_REQUEST.has(code) && { tabId: activeTabId }),
  });
}

// Setting, changing, and removing the password of a file in place: the window closes it, main changes it, the window opens it again.
import { capabilitiesOf, locationIdOf, type DatabaseId, type LibraryEntry } from '#shared/protocol/index.ts';
import type { TypedKey } from '#shared/cipher-key.ts';
import { encryptedId, inPlaceId } from '#shared/protocol/in-place.ts';
import { visibleName } from '#shared/visible-text.ts';
import { acrossRestart } from '../../connection/across-restart.ts';
import { client, libraryClient } from '../../connection/database-client.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { NOT_REMEMBERED, notifyFailure, openDatabase, reachFile, refreshLibrary } from '../../state/databases.ts';
import { deleteFiltersOf } from '../../state/saved-filters.ts';
import { saveState } from '../../state/session-state.ts';
import { askKey, dropDatabaseState, notify, showLibrary, useStore } from '../../state/store.ts';
import { runJob } from '../jobs.ts';
import { setTabsAside, whyNotClosed } from './reopening.ts';

/** Only files in place have a password of their own: the library and servers keep their databases themselves. */
export function hasKeyToChange(database: DatabaseId): boolean {
  const { inPlace, temporary } = capabilitiesOf(database);
  return isDesktop && inPlace && !temporary;
}

export async function changePassword({ id, name, source }: LibraryEntry): Promise<void> {
  try {
    // With its present key, which the change needs.
    if (!(await openDatabase(id))) return;
    const why = await whyNotNow(id, name);
    if (why !== null) return notify({ tone: 'warning', topic: 'change-password', text: why });
    const { plain } = capabilitiesOf(id);
    await askKey({
      title: `${plain ? 'Set' : 'Change'} the password of “${visibleName(name)}”`,
      ...{
        path: source?.displayPath ?? null,
        why: null,
        canRemember: await shell.canRememberKeys(),
        use: plain ? 'set' : 'change',
      },
      attempt: (key) => change(id, name, key),
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** What is lost, or goes on with the old key, if the file is closed now. */
async function whyNotNow(database: DatabaseId, name: string): Promise<string | null> {
  const state = useStore.getState().openDatabases[database];
  const sentence = (reason: string): string => `The password of “${name}” cannot be changed now. ${reason}`;
  if (state?.readOnly) return sentence(state.why ?? 'It is read-only.');
  const why = await whyNotClosed(database, name);
  return why === null ? null : sentence(why);
}

/** Returns why it was not changed: then the file is open with its old key. */
async function change(database: DatabaseId, name: string, key: TypedKey | null): Promise<string | null> {
  const busy = await whyNotNow(database, name);
  if (busy !== null) return busy;
  const locationId = locationIdOf(database)!;
  const { plain } = capabilitiesOf(database);
  setTabsAside(database, database);
  dropDatabaseState(database);
  const changed = await runJob(`Changing the password of ${name}`, async () => {
    await client.call('database.close', { database });
    return shell.changeKey(locationId, key);
  }).catch(async (thrown: unknown) => {
    await openDatabase(database);
    throw thrown;
  });
  if ('why' in changed) {
    await openDatabase(database);
    return changed.why;
  }
  const after = key === null ? inPlaceId(locationId) : encryptedId(locationId);
  setTabsAside(database, after);
  deleteFiltersOf(database);
  if (plain) {
    await saveState();
    // The password is set, whatever becomes of this.
    const forget = () => client.call('library.forgetValues', { of: database });
    await acrossRestart(libraryClient, forget).catch(notifyFailure);
  }
  // If it cannot be opened now, its password is changed all the same.
  await openAs(after, database, key).catch(notifyFailure);
  const done = key === null ? 'no longer has a password' : 'has its new password';
  notify({ tone: 'success', text: `“${name}” ${done}.` });
  if (changed.left !== null) notify({ tone: 'warning', text: changed.left });
  return null;
}

async function openAs(after: DatabaseId, before: DatabaseId, key: TypedKey | null): Promise<void> {
  const reached = await reachFile({ locationId: locationIdOf(after)!, ...(key !== null && { key }) });
  if (reached.isNotRemembered === true) notify({ tone: 'warning', text: NOT_REMEMBERED });
  if (after !== before) await listAs(after, before);
  if (await openDatabase(after)) showLibrary(false);
  await refreshLibrary();
}

/** The list has a file under one id, with what was chosen for it. */
async function listAs(after: DatabaseId, before: DatabaseId): Promise<void> {
  const listed = useStore.getState().entries?.find(({ id }) => id === before);
  await client.call('library.removeFile', { database: before });
  if (!listed) return;
  await client.call('library.addFile', { database: after });
  await client.call('library.keepDurability', { database: after, durability: listed.durability });
  // There are no library copies of an encrypted file.
  if (listed.editing === 'file') await client.call('library.keepEditing', { database: after, editing: 'file' });
}

// The extensions of a file in place: added, approved, and removed, each of which opens the file again, and what is said of those that were
// not loaded.
import { capabilitiesOf, locationIdOf, type DatabaseId } from '#shared/protocol/index.ts';
import type { ExtensionsReply, ExtensionState } from '#shared/extensions.ts';
import { visibleName } from '#shared/visible-text.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { dismissTopic, notify, useStore } from '../../state/store.ts';
import { openHealth } from '../tabs/health.ts';
import { openAgain, whyNotClosed } from './reopening.ts';

const NONE: readonly ExtensionState[] = [];

/** Why no extension can be loaded into the database; null: one can be. */
export function whyNoExtensions(database: DatabaseId): string | null {
  if (!isDesktop) return 'Only the desktop app loads extensions.';
  const { inPlace, temporary } = capabilitiesOf(database);
  return inPlace && !temporary ? null : 'Extensions are loaded only into files that are opened in place.';
}

/** Loaded or not. */
export const useExtensions = (database: DatabaseId): readonly ExtensionState[] =>
  useStore(({ openDatabases }) => openDatabases[database]?.extensions) ?? NONE;

/** Lets the user choose a file and approve it. */
export const addExtension = (database: DatabaseId): Promise<void> =>
  change(database, (locationId) => shell.extensions.add(locationId));

/** Asks about a file that has changed since it was approved. */
export const approveExtension = (database: DatabaseId, { id }: ExtensionState): Promise<void> =>
  change(database, (locationId) => shell.extensions.approve(locationId, id));

export const removeExtension = (database: DatabaseId, { id }: ExtensionState): Promise<void> =>
  change(database, (locationId) => shell.extensions.remove(locationId, id));

/** Opens the file again, so that what was not loaded is tried once more. */
export const loadAgain = (database: DatabaseId): Promise<void> =>
  change(database, (locationId) => shell.extensions.retry(locationId));

/** Whether views, triggers, and indexes of the database may use all functions of its extensions. */
export const useTrustsSchema = (database: DatabaseId): boolean =>
  useStore(({ openDatabases }) => openDatabases[database]?.trustsSchema === true);

/** Main asks the user first, unless the permission is taken back. */
export const trustSchema = (database: DatabaseId, trusts: boolean): Promise<void> =>
  change(database, (locationId) => shell.extensions.trustSchema(locationId, trusts));

async function change(database: DatabaseId, ask: (locationId: string) => Promise<ExtensionsReply>): Promise<void> {
  const topic = topicOf(database);
  const warn = (why: string): void => notify({ tone: 'warning', topic, text: why });
  try {
    const name = useStore.getState().openDatabases[database]?.entry.name ?? '';
    const before = await whyNotClosed(database, name);
    if (before !== null) return warn(`The database has to be opened again for that. ${before}`);
    const reply = await ask(locationIdOf(database)!);
    if ('why' in reply) return warn(reply.why);
    if (!reply.changed) return;
    // Something may have begun while main asked the user.
    const after = await whyNotClosed(database, name);
    if (after !== null) return warn(`The change takes effect when the database is opened again. ${after}`);
    dismissTopic(topic);
    await openAgain(database);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Tells the user of each extension that is not loaded when a database is opened, or opened again after a crash. Call once. */
export function startExtensions(): void {
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases === before.openDatabases) return;
    for (const [database, { extensions = NONE }] of Object.entries(openDatabases)) {
      const said = notLoaded(before.openDatabases[database]?.extensions ?? NONE);
      const now = notLoaded(extensions);
      if (now !== said && now !== '') tell(database, now);
    }
  });
}

const notLoaded = (extensions: readonly ExtensionState[]): string =>
  extensions.flatMap(({ fileName, why }) => (why === null ? [] : [`“${visibleName(fileName)}”: ${why}`])).join('\n');

function tell(database: DatabaseId, text: string): void {
  notify({
    tone: 'warning',
    topic: topicOf(database),
    text,
    action: { label: 'Extensions…', run: () => void openHealth(database, 'extensions') },
  });
}

const topicOf = (database: DatabaseId): string => `extensions ${database}`;

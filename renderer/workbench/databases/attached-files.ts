// Files that are attached to files in place: chosen, remembered for the database, and attached again when it is opened.
import { useMemo } from 'react';
import * as v from 'valibot';
import { create } from 'zustand';
import { problemOfAttachedName, suggestedName } from '#shared/attached-files.ts';
import { AppError, capabilitiesOf, toAppError, inPlaceId } from '#shared/protocol/index.ts';
import type { DatabaseId, InPlaceFile, AttachedState } from '#shared/protocol/index.ts';
import type { PlacedFile } from '#shared/shell-api.ts';
import { eachEntry } from '#shared/stored.ts';
import { visibleName } from '#shared/visible-text.ts';
import { client, isInNativeEngine, openInPlace } from '../../connection/database-client.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { ensureOpen, notifyFailure } from '../../state/databases.ts';
import { remember, remembered } from '../../state/remembered.ts';
import { readSchema } from '../../state/schema.ts';
import { prompt, useStore } from '../../state/store.ts';

const KEY = 'sidelite.attached';
/** Number of databases whose files are remembered: those that were attached last. */
const MAX_KEPT = 200;
const MAX_CHARS = 1000;
const shortText = v.pipe(v.string(), v.maxLength(MAX_CHARS));
const STORED = eachEntry(v.array(v.object({ name: shortText, locationId: shortText, fileName: shortText })));

type Kept = v.InferOutput<typeof STORED>[string][number];

const NONE: readonly AttachedState[] = [];

/** Remembered files that could not be attached, and why. */
const useFailed = create<Readonly<Record<DatabaseId, readonly AttachedState[]>>>()(() => ({}));

/** Files that are encrypted or have extensions have processes of their own, which know no other file. */
export function canAttachTo(database: DatabaseId): boolean {
  const { inPlace, temporary } = capabilitiesOf(database);
  return isDesktop && inPlace && isInNativeEngine(database) && !temporary;
}

/** The files that are attached to the database, or are to be. */
export function useAttached(database: DatabaseId): readonly AttachedState[] {
  const attached = useStore(({ openDatabases }) => openDatabases[database]?.attached) ?? NONE;
  const failed = useFailed((all) => all[database]) ?? NONE;
  return useMemo(() => together(attached, failed), [attached, failed]);
}

export const attachedTo = (database: DatabaseId): readonly AttachedState[] =>
  together(useStore.getState().openDatabases[database]?.attached ?? NONE, useFailed.getState()[database] ?? NONE);

const together = (attached: readonly AttachedState[], failed: readonly AttachedState[]): readonly AttachedState[] => [
  ...attached,
  ...failed.filter(({ file }) => !attached.some((other) => other.file === file)),
];

/** Lets the user choose a file and its name, and attaches it. */
export async function attachDatabase(database: DatabaseId): Promise<void> {
  try {
    const [chosen] = await shell.chooseFiles();
    if (!chosen) return;
    const file = await reach({ token: chosen.token }, chosen.fileName);
    await assertDatabase(file);
    const name = await askForName(database, file);
    if (name === null) return forgetUnused(file);
    await attach(database, name, file.database);
    const { locationId, fileName } = file;
    const others = keptOf(database).filter((other) => other.locationId !== locationId);
    keep(database, [...others, { name, locationId, fileName }]);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Before the user is asked for a name. @throws AppError */
async function assertDatabase(file: InPlaceFile): Promise<void> {
  const { database, fileName } = file;
  if (useStore.getState().openDatabases[database]) return;
  try {
    await client.call('database.open', { database });
    await client.call('database.close', { database });
  } catch (thrown) {
    forgetUnused(file);
    const { code, message } = toAppError(thrown);
    throw new AppError({ code, message: `“${fileName}” was not attached. ${message}` });
  }
}

async function askForName(database: DatabaseId, { database: id, fileName }: InPlaceFile): Promise<string | null> {
  const others = attachedTo(database);
  const same = others.find(({ file, why }) => file === id && why === null);
  if (id === database) throw AppError.refused(`“${fileName}” is the database itself, so it was not attached.`);
  if (same) throw AppError.refused(`“${fileName}” is attached already: its tables are read as ${same.name}.table.`);
  const taken = others.filter(({ file }) => file !== id).map(({ name }) => name);
  const name = await prompt({
    title: `Attach “${visibleName(fileName)}” read-only`,
    label: 'Name in SQL, as in name.table',
    value: suggestedName(fileName, taken),
    confirmLabel: 'Attach',
    validate: (text) => problemOfAttachedName(text.trim(), taken),
  });
  return name?.trim() ?? null;
}

/** Also forgets that a file could not be attached. */
export async function detachDatabase(database: DatabaseId, { name, file }: AttachedState): Promise<void> {
  try {
    await client.call('database.detach', { database, name });
    noteFailure(database, file, null);
    keep(database, keptOf(database).filter(({ locationId }) => inPlaceId(locationId) !== file)); // prettier-ignore
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

/** Attaches remembered files to each database that is opened, and again when its process was restarted. Call once. */
export function startAttachedFiles(): void {
  const follow = (now: Readonly<Record<string, unknown>>, before: Readonly<Record<string, unknown>>): void => {
    for (const database of Object.keys(now)) if (!before[database]) void attachKept(database);
    for (const database of Object.keys(before)) if (!now[database]) useFailed.setState({ [database]: NONE });
  };
  useStore.subscribe(({ openDatabases }, before) => {
    if (openDatabases !== before.openDatabases) follow(openDatabases, before.openDatabases);
  });
  follow(useStore.getState().openDatabases, {});
  client.onReconnected(() => {
    for (const database of Object.keys(useStore.getState().openDatabases)) void attachKept(database);
  });
}

/** A file that cannot be attached now is shown as such, and remembered. */
async function attachKept(database: DatabaseId): Promise<void> {
  if (!canAttachTo(database)) return;
  for (const kept of keptOf(database)) await attachAgain(database, kept);
}

async function attachAgain(database: DatabaseId, { name, locationId, fileName }: Kept): Promise<void> {
  const file = inPlaceId(locationId);
  try {
    if (!useStore.getState().openDatabases[file]) await reach({ locationId }, fileName);
    await attach(database, name, file);
  } catch (thrown) {
    noteFailure(database, file, { name, file, fileName, why: toAppError(thrown).message });
  }
}

/** The file is also opened by itself: its tables are listed, completed, and shown from there. */
async function attach(database: DatabaseId, name: string, file: DatabaseId): Promise<void> {
  await ensureOpen(file);
  await client.call('database.attach', { database, name, file });
  noteFailure(database, file, null);
  void readSchema(file);
}

/** @throws AppError */
async function reach(placed: PlacedFile, fileName: string): Promise<InPlaceFile> {
  const reply = await openInPlace(placed);
  if ('locked' in reply || ('file' in reply && !capabilitiesOf(reply.file.database).plain))
    throw AppError.unavailable(
      `“${fileName}” is encrypted, or no SQLite database. Encrypted files cannot be attached in a window.`,
    );
  if ('file' in reply && !isInNativeEngine(reply.file.database))
    throw AppError.unavailable(
      `“${fileName}” has extensions, so it has a process of its own and cannot be attached. Remove its extensions first.`,
    );
  if ('why' in reply) throw new AppError({ code: reply.missing ? 'not-found' : 'unavailable', message: reply.why });
  return reply.file;
}

function forgetUnused({ database, locationId }: InPlaceFile): void {
  if (!useStore.getState().openDatabases[database]) shell.forgetInPlace(locationId).catch(notifyFailure);
}

function noteFailure(database: DatabaseId, file: DatabaseId, failed: AttachedState | null): void {
  const others = (useFailed.getState()[database] ?? NONE).filter((other) => other.file !== file);
  useFailed.setState({ [database]: failed === null ? others : [...others, failed] });
}

const stored = (): v.InferOutput<typeof STORED> => v.parse(STORED, remembered(KEY));

const keptOf = (database: DatabaseId): readonly Kept[] => stored()[database] ?? [];

/** If there is no room, the files are attached until the database is closed. */
function keep(database: DatabaseId, files: readonly Kept[]): void {
  const { [database]: _, ...others } = stored();
  const all = Object.entries(files.length === 0 ? others : { ...others, [database]: files });
  remember(KEY, Object.fromEntries(all.slice(-MAX_KEPT)));
}

// Unpacks a database from a ZIP, GZIP, or Zstandard file into a temporary one, after the user has chosen which and how.
import { AppError, toAppError } from '#shared/protocol/index.ts';
import type { DatabaseId, PackedDatabase, UnpackedSinks } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { cutMiddle, visibleName } from '#shared/visible-text.ts';
import { nativeClient } from '../../connection/database-client.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { settingNow } from '../../state/settings.ts';
import { choose, confirm, pickOne } from '../../state/store.ts';
import { formatBytes } from '../../ui/format.ts';
import { runJob } from '../../workbench/jobs.ts';

/** A few kilobytes can hold as much as a disk has: above this, the user is asked. */
const ASK_ABOVE_BYTES = 2 * 2 ** 30;
const MAX_NAME_CHARS = 100;

/** A database that was unpacked, which the window has not opened yet. */
export interface Unpacked {
  readonly database: DatabaseId;
  /** “shop.db from backup.zip” */
  readonly name: string;
  readonly isForLibrary: boolean;
}

/** Null if the user canceled. @throws AppError */
export async function unpackArchive(file: OpenedFile): Promise<Unpacked | null> {
  if (!isDesktop) throw AppError.unavailable('A browser cannot open archives. Unpack the file first.');
  const databases = await listDatabases(file);
  const wanted = await whatToOpen(file, databases);
  if (wanted === null) return null;
  const { packed, isForLibrary } = wanted;
  const database = await unpack(file, packed);
  return database === null ? null : { database, name: `${shortName(packed)} from ${file.fileName}`, isForLibrary };
}

/** Without its folders. */
const shortName = ({ name }: PackedDatabase): string =>
  cutMiddle(name.slice(name.lastIndexOf('/') + 1) || name, MAX_NAME_CHARS);

/** A place for a database to unpack. */
interface Place {
  readonly unpacked: string;
  readonly into: UnpackedSinks;
  readonly roomBytes: number;
}

/** The place is removed again, unless the work says that it is used. */
async function withPlace<T>(work: (place: Place, use: () => void) => Promise<T>): Promise<T> {
  const place = await shell.unpacked.create();
  if ('why' in place) throw AppError.unavailable(`Archives cannot be opened. ${place.why}`);
  let isUsed = false;
  try {
    return await work(place, () => (isUsed = true));
  } finally {
    if (!isUsed) await shell.unpacked.discard(place.unpacked);
  }
}

/** Making a place starts the engine. */
const listDatabases = ({ token }: OpenedFile): Promise<readonly PackedDatabase[]> =>
  withPlace(async () => (await nativeClient.call('archive.list', { source: token })).databases);

interface Wanted {
  readonly packed: PackedDatabase;
  readonly isForLibrary: boolean;
}

const OPEN =
  'Open read-only: the database is unpacked into a temporary file, which is removed when it is closed. Your first edit makes a library copy.';
const COPY =
  'Library copy: the database is copied into the library, where it can be changed. The archive stays as it is.';
const LABELS = { open: 'Open read-only', copy: 'Library copy' } as const;

/** Null if the user canceled. */
async function whatToOpen(file: OpenedFile, databases: readonly PackedDatabase[]): Promise<Wanted | null> {
  const setting = settingNow('openFiles');
  const [first, ...others] = databases;
  const choices = (['copy', 'open'] as const).map((id) => {
    const isPrimary = (id === 'copy') === (setting === 'copy');
    return { id, label: LABELS[id], variant: isPrimary ? 'primary' : 'plain' } as const;
  });
  const title = `Open “${visibleName(file.fileName)}”`;
  if (others.length > 0) {
    const body = `It holds ${databases.length} databases. Choose the one to open.`;
    const items = databases.map(({ name, sizeBytes }, at) => ({
      ...{ id: String(at), label: name, detail: sizeBytes === null ? '' : formatBytes(sizeBytes) },
    }));
    const answer = await pickOne({ title, body, items, choices });
    return answer && { packed: databases[Number(answer.item)]!, isForLibrary: answer.choice === 'copy' };
  }
  if (setting !== 'ask') return { packed: first!, isForLibrary: setting === 'copy' };
  const answer = await choose({ title, body: [OPEN, COPY].join('\n\n'), choices });
  return answer === null ? null : { packed: first!, isForLibrary: answer === 'copy' };
}

/** Null if the user does not want that much. @throws AppError */
async function unpack(file: OpenedFile, packed: PackedDatabase): Promise<DatabaseId | null> {
  const name = shortName(packed);
  const within = (askAbove: number): Promise<DatabaseId | 'ask'> =>
    withPlace(async ({ unpacked, into, roomBytes }, use) => {
      const mostBytes = Math.min(askAbove, roomBytes);
      try {
        await runJob(`Unpacking ${name}`, (options) =>
          nativeClient.call('archive.unpack', { source: file.token, name: packed.name, into, mostBytes }, options),
        );
      } catch (thrown) {
        if (toAppError(thrown).code !== 'too-big') throw thrown;
        if (mostBytes < roomBytes) return 'ask';
        throw AppError.full(
          `“${visibleName(name)}” is larger than the free space on the disk with Sidelite’s temporary files (${formatBytes(roomBytes)} of it are used at most). Nothing was kept. Free some space and try again.`,
        );
      }
      const database = await shell.unpacked.open(unpacked, name, file.token);
      if (database === null) throw AppError.notFound('The archive is no longer open. Choose it again.');
      use();
      return database;
    });
  const unpacked = await within(ASK_ABOVE_BYTES);
  if (unpacked !== 'ask') return unpacked;
  const size =
    packed.sizeBytes === null ? `larger than ${formatBytes(ASK_ABOVE_BYTES)}` : formatBytes(packed.sizeBytes);
  const agreed = await confirm({
    title: `Unpack “${visibleName(name)}”?`,
    body: `It is ${size} when it is unpacked, and the disk has to have room for that. You can stop while it is unpacked.`,
    confirmLabel: 'Unpack',
  });
  if (!agreed) return null;
  const again = await within(Infinity);
  return again === 'ask' ? null : again;
}

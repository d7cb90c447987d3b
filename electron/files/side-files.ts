// The files that SQLite keeps beside a database, told by their content: another file may have such a name by chance.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { isDatabaseHeader, isSideFileHeader, SIDE_FILES, SIDE_HEADER_BYTES } from '#shared/file-header.ts';
import { isLikeEncrypted } from '#shared/foreign-files.ts';
import { AppError } from '#shared/protocol/errors.ts';

/** Enough to tell a database by, also one that is encrypted. */
export const HEAD_BYTES = 4096;

/** Whether SQLite may read what is beside a file that begins so. */
export const mayBeDatabase = (head: Uint8Array): boolean => isDatabaseHeader(head) || isLikeEncrypted(head);

/** Whether a file is a WAL, its index, or a rollback journal. */
export const isSideFile = async (path: string): Promise<boolean> =>
  (await stat(path)).isFile() && isSideFileHeader(await firstBytes(path, SIDE_HEADER_BYTES));

/**
 * What SQLite keeps there may be the newest commits of a database, and what it does not know it deletes.
 * @throws AppError `exists` where the path is that of a file beside a database
 */
export async function assertNotBesideDatabase(path: string): Promise<void> {
  const suffix = SIDE_FILES.find((each) => path.endsWith(each));
  if (suffix === undefined) return;
  const database = path.slice(0, -suffix.length);
  const beginning = await firstBytes(database, HEAD_BYTES).catch(() => new Uint8Array(0));
  if (!mayBeDatabase(beginning)) return;
  throw AppError.exists(
    `“${basename(path)}” has the name that SQLite gives to a file of its own beside the database “${basename(database)}”. Nothing was changed. Choose another name.`,
  );
}

/** @throws when there is no such file */
export async function firstBytes(path: string, count: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(count), 0, count, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

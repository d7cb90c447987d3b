// The files that SQLite keeps beside a database, told by their content: another file may have such a name by chance.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { HEADER_BYTES, isDatabaseHeader } from '#shared/file-header.ts';
import { AppError } from '#shared/protocol/errors.ts';

/** Endings of their names. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/** sqlite.org/fileformat2.html#walformat, #the_rollback_journal, and sqlite.org/walformat.html for the version of the index of a WAL. */
const WAL = [0x377f0682, 0x377f0683];
const JOURNAL = 0xd9d505f9;
const SHM = [3_007_000, 0x18e22d00];

/**
 * Whether a file is a WAL, its index, or a rollback journal. An empty file, or a file whose header is zero, holds nothing that SQLite would
 * use.
 */
export async function isSideFile(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false;
  const beginning = await firstBytes(path, 4);
  if (beginning.length < 4) return beginning.length === 0;
  const magic = beginning.readUInt32BE(0);
  return magic === 0 || magic === JOURNAL || WAL.includes(magic) || SHM.includes(magic);
}

/**
 * What SQLite keeps there may be the newest commits of a database, and what it does not know it deletes.
 * @throws AppError `exists` where the path is that of a file beside a database
 */
export async function assertNotBesideDatabase(path: string): Promise<void> {
  const suffix = SIDE_FILES.find((each) => path.endsWith(each));
  if (suffix === undefined) return;
  const database = path.slice(0, -suffix.length);
  const beginning = await firstBytes(database, HEADER_BYTES).catch(() => new Uint8Array(0));
  if (!isDatabaseHeader(beginning)) return;
  throw new AppError({
    code: 'exists',
    message: `“${basename(path)}” has the name that SQLite gives to a file of its own beside the database “${basename(database)}”. Nothing was changed. Choose another name.`,
  });
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

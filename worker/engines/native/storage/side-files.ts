// What lies beside a database under the names of SQLite's own files, told before SQLite sees it.
import { closeSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { isSideFileHeader, SIDE_FILES, SIDE_HEADER_BYTES } from '#shared/file-header.ts';
import { AppError, inParts } from '#shared/protocol/errors.ts';

/**
 * SQLite waits for the other end of a pipe, which somebody may have packed in a folder with a database, and deletes a WAL or journal that it
 * cannot use, which may be the notes of “notes-wal”.
 *
 * No connection of this process is open on the database.
 * @throws AppError `unavailable`
 */
export function assertOwnSideFiles(location: string, mayWrite: boolean): void {
  for (const suffix of SIDE_FILES) {
    const path = location + suffix;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (!stats.isFile()) throw inTheWay(path, location, 'a link, a folder, a pipe, or a device');
    // The index of a WAL is not opened here: another thread may have locks in it, which closing it would release.
    if (mayWrite && suffix !== '-shm' && !isSideFileHeader(beginningOf(path)))
      throw inTheWay(path, location, 'another file');
  }
}

/** Empty for a file that cannot be read: SQLite says so itself. */
function beginningOf(path: string): Uint8Array {
  const bytes = new Uint8Array(SIDE_HEADER_BYTES);
  try {
    const descriptor = openSync(path, 'r');
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return bytes.subarray(0, 0);
  }
}

const inTheWay = (path: string, location: string, what: string): AppError =>
  AppError.unavailable(
    inParts(
      `“${basename(path)}” has the name that SQLite gives to a file of its own beside “${basename(location)}”, but is ${what}.`,
      'Nothing was changed. Rename or move it, and try again.',
    ),
  );

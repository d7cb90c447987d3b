// Puts a file with another key in the place of a database that is locked: the names beside it, the steps of the swap, and what a process
// that was killed in the middle has left there.
import { randomBytes } from 'node:crypto';
import {
  chmodSync, chownSync, closeSync, fstatSync, fsyncSync, linkSync, lstatSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync,
  writeSync,
} from 'node:fs'; // prettier-ignore
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';

const SIDES = ['-journal', '-wal', '-shm'];
/** Readable and writable only by its owner. */
const PRIVATE_FILE = 0o600;
const PERMISSIONS = 0o777;
const CHUNK_BYTES = 1 << 20;
const PART_ENDING = '.sidelite-key-part';

export interface Replaced {
  /** Links resolved. */
  readonly path: string;
  /** An open file, which was opened before SQLite opened it: to close it any earlier would release SQLite's locks. */
  readonly descriptor: number;
}

/** The name that the old file has until the new one is proven to be in its place. */
export const backupOf = (path: string): string => `${path}.before-key-change`;

/** Creates the empty file that is to replace the one at `path`. Nobody else may read it. */
export function createPart(path: string): string {
  const name = `.${basename(path)}.${randomBytes(4).toString('hex')}${PART_ENDING}`;
  const part = join(dirname(path), name);
  closeSync(openSync(part, 'wx', PRIVATE_FILE));
  return part;
}

/** With what SQLite may have left beside it. What cannot be removed is left to the next attempt. */
export function removePart(part: string): void {
  for (const suffix of ['', ...SIDES]) attempt(() => rmSync(part + suffix, { force: true }));
}

/** Copies in steps between which other work can be done. */
export function* copyInto(descriptor: number, part: string): Generator<void, void> {
  const target = openSync(part, 'r+');
  try {
    const bytes = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0; ;) {
      const length = readSync(descriptor, bytes, 0, CHUNK_BYTES, at);
      if (length === 0) break;
      for (let done = 0; done < length;) done += writeSync(target, bytes, done, length - done, at + done);
      at += length;
      yield;
    }
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

/**
 * @param since the same file earlier
 * @throws AppError `conflict` if another program has put another file there, or has written to it since
 */
export function assertStillThere({ path, descriptor }: Replaced, since: Stats | null = null): void {
  const there = statSync(path, { throwIfNoEntry: false });
  const own = fstatSync(descriptor);
  const isAsItWas = since === null || (own.size === since.size && own.mtimeMs === since.mtimeMs);
  if (there !== undefined && isSame(there, own) && isAsItWas) return;
  throw AppError.conflict(
    `Another program has moved, replaced, or written to “${basename(path)}”. Its key was not changed. Open it again and try once more.`,
  );
}

/**
 * Removes what a killed attempt has left beside a file. Call while the file is locked: then nobody else is changing its key.
 *
 * @throws AppError `exists` if that is a file which may be the only copy of something
 */
export function removeLeftovers(file: Replaced, own: string): void {
  const { path, descriptor } = file;
  for (const part of partsBeside(path)) if (!part.startsWith(own)) rmSync(part, { force: true });
  const backup = backupOf(path);
  const stats = lstatSync(backup, { throwIfNoEntry: false });
  if (stats === undefined) return;
  // It ended before the new file was in its place: the two are one file, or a file and its copy.
  if (stats.isFile() && (isSame(stats, fstatSync(descriptor)) || hasSameBytes(descriptor, backup)))
    return rmSync(backup);
  throw AppError.exists(
    `“${basename(backup)}” is in the way: it is how “${basename(path)}” was before an earlier change of its key, which did not come to its end. “${basename(path)}” is whole, and has the key that opens it. Nothing was changed. Delete “${basename(backup)}”, or move it elsewhere, and try again.`,
  );
}

/**
 * Call after everything was written to `part` and closed. Returns the path of the old file if it could not be removed.
 *
 * @param proves throws unless the file at the path opens with its new key; the old file is put back then
 */
export function replaceFile(file: Replaced, part: string, proves: () => void): string | null {
  const { path, descriptor } = file;
  takeAccess(part, fstatSync(descriptor));
  sync(part);
  assertStillThere(file);
  // Nothing is in them: the file is locked, and its log was moved into it. The new file must not find them.
  for (const suffix of SIDES) rmSync(path + suffix, { force: true });
  const backup = keepOld(file);
  try {
    syncFolder(dirname(path));
    renameSync(part, path);
  } catch (error) {
    rmSync(backup, { force: true });
    throw error;
  }
  try {
    syncFolder(dirname(path));
    proves();
  } catch (error) {
    renameSync(backup, path);
    syncFolder(dirname(path));
    throw error;
  }
  const isRemoved = attempt(() => rmSync(backup));
  attempt(() => syncFolder(dirname(path)));
  return isRemoved ? null : backup;
}

/** Never leaves a moment without a file at the path: it gets a second name, or is copied where files have only one. */
function keepOld({ path, descriptor }: Replaced): string {
  const backup = backupOf(path);
  try {
    linkSync(path, backup);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown;
    const part = createPart(path);
    try {
      for (const _ of copyInto(descriptor, part));
      takeAccess(part, fstatSync(descriptor));
      renameSync(part, backup);
    } finally {
      removePart(part);
    }
  }
  return backup;
}

/** The owner and permissions of the file that is replaced, and no more than these. */
function takeAccess(part: string, { uid, gid, mode }: Stats): void {
  if (process.platform === 'win32') return;
  const hasOwner = attempt(() => chownSync(part, uid, gid)) || attempt(() => chownSync(part, statSync(part).uid, gid));
  const permissions = mode & PERMISSIONS;
  // Another group gets no more rights than everyone.
  const wanted = hasOwner ? permissions : (permissions & 0o707) | ((permissions & 0o007) << 3);
  // File systems without permissions reject this.
  attempt(() => chmodSync(part, wanted));
}

function attempt(body: () => void): boolean {
  try {
    body();
    return true;
  } catch {
    return false;
  }
}

function partsBeside(path: string): readonly string[] {
  const beginning = `.${basename(path)}.`;
  const isPart = (name: string): boolean => /^[\da-f]{8}\.sidelite-key-part(?:-journal|-wal|-shm)?$/.test(name);
  try {
    return readdirSync(dirname(path), { withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.name.startsWith(beginning) && isPart(entry.name.slice(beginning.length)),
      )
      .map(({ name }) => join(dirname(path), name));
  } catch {
    // A folder that may be written to and not listed.
    return [];
  }
}

const isSame = (one: Stats, other: Stats): boolean => one.ino === other.ino && one.dev === other.dev;

function hasSameBytes(descriptor: number, path: string): boolean {
  const other = openSync(path, 'r');
  try {
    if (fstatSync(other).size !== fstatSync(descriptor).size) return false;
    const [one, two] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
    for (let at = 0; ; at += CHUNK_BYTES) {
      const length = readSync(descriptor, one, 0, CHUNK_BYTES, at);
      if (readSync(other, two, 0, CHUNK_BYTES, at) !== length) return false;
      if (!one.subarray(0, length).equals(two.subarray(0, length))) return false;
      if (length < CHUNK_BYTES) return true;
    }
  } finally {
    closeSync(other);
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes new names durable. Windows cannot open a folder and does not need this. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch (error) {
    // It may be written to and not listed: its names become durable when the system writes them.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return;
    throw error;
  }
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

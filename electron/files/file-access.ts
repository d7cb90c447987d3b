// Who may read a file that replaces another one: only its owner at first, then exactly those who could read the replaced file.
import { constants } from 'node:fs';
import { access, open, stat, type FileHandle } from 'node:fs/promises';
import { nullIfMissing } from './file-errors.ts';

/** Readable and writable only by its owner: for files with database content in our own folders. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

const PERMISSIONS = 0o777;

/**
 * Creates `path`, which must not exist, to replace `target` later. It gets the permissions of `target` before the first byte is written, or
 * those of a new file if there is no `target`.
 */
export async function createToReplace(path: string, target: string): Promise<FileHandle> {
  if ((await stat(target).catch(nullIfMissing)) === null) return open(path, 'wx');
  const handle = await open(path, 'wx', PRIVATE_FILE);
  await takeAccessOf(handle, target).catch(async (thrown: unknown) => {
    await handle.close();
    throw thrown;
  });
  return handle;
}

/** Gives an open file the owner and permissions that `target` has now. Does nothing if there is no `target`. */
export async function takeAccessOf(handle: FileHandle, target: string): Promise<void> {
  const before = await stat(target).catch(nullIfMissing);
  if (!before) return;
  const permissions = before.mode & PERMISSIONS;
  const keepsGroup = await takeOwner(handle, before.uid, before.gid);
  // A different group gets no more rights than everyone: the file was not shared with the members of that group.
  const wanted = keepsGroup ? permissions : (permissions & 0o707) | ((permissions & 0o007) << 3);
  // File systems without permissions reject this: the file stays private, or gets the rights that all files there have.
  await handle.chmod(wanted).catch(() => undefined);
}

/** Only root can give files away; other users can change the group to one of their own. Returns whether the group is right. */
async function takeOwner(handle: FileHandle, uid: number, gid: number): Promise<boolean> {
  const now = await handle.stat();
  if (now.uid === uid && now.gid === gid) return true;
  const done = (): boolean => true;
  return handle.chown(uid, gid).then(done, () => handle.chown(now.uid, gid).then(done, () => now.gid === gid));
}

/** Replacing a file needs no permission on the file itself, so a user who write-protected it is asked first. */
export const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    (thrown: unknown) => !isDenied(thrown),
  );

export const isDenied = (thrown: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].includes((thrown as { readonly code?: string }).code ?? '');

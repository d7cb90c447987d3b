// Whether another program holds a lock on a file, where the system tells. A program that has a database open in WAL mode locks its `-shm`.
import { readFile, stat } from 'node:fs/promises';

/** Also false where locks cannot be queried: then only the files beside a database tell whether it is in use. */
async function isLocked(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    const { ino } = await stat(path);
    return isLockListed(await readFile('/proc/locks', 'utf8'), ino);
  } catch {
    return false;
  }
}

/** Whether another program has a database open, as far as locks tell: one in WAL mode locks its `-shm`. */
export const isDatabaseLocked = async (path: string): Promise<boolean> =>
  (await isLocked(path)) || (await isLocked(`${path}-shm`));

/** Compares only inodes: on some file systems the list and `stat` report different devices. */
export function isLockListed(locks: string, inode: number): boolean {
  return locks.split('\n').some((line) => new RegExp(`:${inode} `).test(line));
}

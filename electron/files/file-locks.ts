// Whether another program holds a lock on a file, where the system tells. Who has a database open in WAL mode holds one on its `-shm`.
import { readFile, stat } from 'node:fs/promises';

/** False also where nobody can know: then what lies beside a database is all there is to go by. */
export async function isLocked(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  try {
    const { ino } = await stat(path);
    return isLockListed(await readFile('/proc/locks', 'utf8'), ino);
  } catch {
    return false;
  }
}

/** By inode alone: what the list and `stat` call the device differs on some file systems. */
export function isLockListed(locks: string, inode: number): boolean {
  return locks.split('\n').some((line) => new RegExp(`:${inode} `).test(line));
}

// Who holds a lock on a file, where the system tells: Linux lists them in /proc/locks.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { basename } from 'node:path';

export interface LockHolder {
  readonly pid: number;
  /** Name of the program, or its number when even that is hidden. */
  readonly program: string;
  readonly writes: boolean;
}

/** Other processes with a lock on `path` or on the shared memory beside it. Empty where the system does not say. */
export function lockHolders(path: string): readonly LockHolder[] {
  let locks: string;
  try {
    locks = readFileSync('/proc/locks', 'utf8');
  } catch {
    return [];
  }
  const files = [path, `${path}-shm`].map(fileKey).filter((key) => key !== null);
  const holders = new Map<number, LockHolder>();
  // 1: POSIX  ADVISORY  WRITE 1234 08:01:5678 1073741824 1073742335
  for (const [, mode, pid, file] of locks.matchAll(/^\d+: \S+ +\S+ +(READ|WRITE) +(\d+) (\S+) /gm)) {
    const number = Number(pid);
    if (number === process.pid || !files.includes(file!)) continue;
    const writes = mode === 'WRITE' || holders.get(number)?.writes === true;
    holders.set(number, { pid: number, program: programOf(number), writes });
  }
  return [...holders.values()];
}

/** Names for a sentence: `sqlite3, process 1234`; null when no holder is known. */
export function lockHolderNames(path: string): string | null {
  const holders = lockHolders(path);
  if (holders.length === 0) return null;
  // While one program writes, those that only read or have the WAL open are not what blocks us.
  const writers = holders.filter(({ writes }) => writes);
  return (writers.length > 0 ? writers : holders).map(({ program, pid }) => `${program}, process ${pid}`).join('; ');
}

/**
 * Names of other processes that have the file at `path` open, whether or not they hold a lock, as far as the system shows their open files;
 * null if none is known.
 *
 * @param path with links resolved
 */
export function programsWithOpen(path: string): string | null {
  const pids = list('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  const holders = pids.filter((pid) =>
    list(`/proc/${pid}/fd`).some((each) => targetOf(`/proc/${pid}/fd/${each}`) === path),
  );
  return holders.length === 0 ? null : holders.map((pid) => `${programOf(pid)}, process ${pid}`).join('; ');
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** Key of a file as in /proc/locks: device in hexadecimal, inode in decimal. */
function fileKey(path: string): string | null {
  try {
    const { dev, ino } = statSync(path);
    const hex = (value: number): string => value.toString(16).padStart(2, '0');
    // glibc's dev_t: the major number in bits 8–19, the minor one around it.
    return `${hex((dev >>> 8) & 0xfff)}:${hex((dev & 0xff) | ((dev >>> 12) & 0xfff00))}:${ino}`;
  } catch {
    return null;
  }
}

function programOf(pid: number): string {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '');
  } catch {
    // A process of another user. Programs may give themselves any name here.
    return nameOf(pid);
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return 'a program';
  }
}

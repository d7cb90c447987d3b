// Temporary folders with a person's rows: those of a command, and what killed processes of Sidelite have left.
import { mkdtempSync, readFileSync, readlinkSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessTable } from '#shared/running-process.ts';
import { isAbandoned, scratchPrefix } from '#shared/scratch-names.ts';
import type { ScratchOwners } from '#shared/scratch-names.ts';

export const makeScratchFolder = (): string => mkdtempSync(join(tmpdir(), scratchPrefix(thisSystem())));

/** Removes folders whose process is gone. Those of running ones stay, also when another profile is open in them. */
export async function removeAbandonedScratch(log: (line: string) => void): Promise<void> {
  try {
    const system = thisSystem();
    const names = await readdir(tmpdir());
    for (const name of names.filter((each) => isAbandoned(each, system))) {
      const folder = join(tmpdir(), name);
      if (await isOwn(folder)) await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    log(`temporary folders of an earlier run: ${String(error)}`);
  }
}

/** Anyone can make a folder with such a name, and exchange what is in it while it is being removed. */
async function isOwn(folder: string): Promise<boolean> {
  const stats = await lstat(folder).catch(() => null);
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid());
}

const PROCESSES: ProcessTable = {
  exists(pid) {
    try {
      process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // one of another user
    }
    return true;
  },
  stat(pid) {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return null;
    }
  },
};

/**
 * The processes of this system, as Node and Linux report them. `worker/native/process-table.ts` has the same code, because `worker` and
 * `electron` do not import each other, and `shared` has no Node.
 */
export const thisSystem = (): ScratchOwners => ({ ...PROCESSES, pid: process.pid, namespace: namespace() });

function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return ''; // not Linux
  }
}

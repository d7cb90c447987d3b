// The processes of this system, as Node and Linux report them. `worker/native/` has a copy of this file, because the two folders do not
// import each other.
import { readFileSync, readlinkSync } from 'node:fs';
import type { ProcessTable } from '#shared/running-process.ts';
import type { ScratchOwners } from '#shared/scratch-names.ts';

export const PROCESSES: ProcessTable = {
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

export const thisSystem = (): ScratchOwners => ({ ...PROCESSES, pid: process.pid, namespace: namespace() });

function namespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return ''; // not Linux
  }
}

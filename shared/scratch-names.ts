// Names of temporary folders with a person's rows: each says which process made it, so that the app removes those of dead ones alone.
import { isRunning, runningProcess } from './running-process.ts';
import type { ProcessTable } from './running-process.ts';

const PREFIX = 'sidelite-scratch';
const NAME = new RegExp(`^${PREFIX}-(\\d*)-(\\d+)-(\\d*)-[^-]+$`);

export interface ScratchOwners extends ProcessTable {
  /** The process that asks. */
  readonly pid: number;
  /** Where the system has several tables of processes that share a temporary folder (containers): a name for this one. Otherwise empty. */
  readonly namespace: string;
}

/** Beginning of a new name; what follows has no hyphen. */
export function scratchPrefix(owners: ScratchOwners): string {
  const { pid, began } = runningProcess(owners.pid, owners);
  return `${PREFIX}-${owners.namespace}-${pid}-${began}-`;
}

/** Whether the process that made a folder with this name is gone. False for any other name, and where that cannot be known. */
export function isAbandoned(name: string, owners: ScratchOwners): boolean {
  const [, namespace, pid, began = ''] = NAME.exec(name) ?? [];
  return pid !== undefined && namespace === owners.namespace && !isRunning({ pid: Number(pid), began }, owners);
}

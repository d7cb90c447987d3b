// Faults that can occur at one moment of a disk's life, and how the machine ends afterwards.

/** Operations that are counted, and can fail. */
export type Operation = 'write' | 'flush' | 'truncate';

/**
 * - `refuse`: fails with an I/O error, once
 * - `full`: from here on no room, until {@link Disk.repair}
 * - `full-code`: SQLite itself is told “full”, once
 * - `broken`: from here on nothing works but reading, until {@link Disk.repair}
 * - `tear`: a part of the write arrives, and it fails
 * - `drop`: reported as done; lost at the power cut, which comes before anything is flushed after it
 * - `cut`: the power fails before this operation
 * - `tear-cut`: the power fails when a part of it has arrived
 * - `kill`: the process ends when a part of it has arrived
 */
export type Effect = 'refuse' | 'full' | 'full-code' | 'broken' | 'tear' | 'drop' | 'cut' | 'tear-cut' | 'kill';

/** The part that remains of what was not flushed: `all` when only the process ends, the others when the power does. */
export type Kept = 'all' | 'some' | 'none';

export interface Fault {
  /** Number of the operation it happens to, from 0. */
  readonly at: number;
  readonly effect: Effect;
}

const ON: Readonly<Record<Effect, readonly Operation[]>> = {
  refuse: ['write', 'flush', 'truncate'],
  full: ['write', 'truncate'],
  'full-code': ['write'],
  broken: ['write', 'flush', 'truncate'],
  tear: ['write'],
  drop: ['write', 'flush', 'truncate'],
  cut: ['write', 'flush', 'truncate'],
  'tear-cut': ['write'],
  kill: ['write', 'flush', 'truncate'],
};

export const EFFECTS = Object.keys(ON) as readonly Effect[];

export function canHappenTo(effect: Effect, operation: Operation): boolean {
  return ON[effect].includes(operation);
}

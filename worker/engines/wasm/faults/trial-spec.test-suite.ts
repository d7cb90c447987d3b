// Input and result of a trial.
import type { Durability } from '#shared/protocol/library.ts';
import type { Connection } from '../../engine.ts';
import type { Disk } from './disk.test-suite.ts';
import type { Fault, Kept, Operation } from './fault.test-suite.ts';

/** Environment of a trial. */
export interface TrialLab {
  readonly disk: Disk;
  connect(durability: Durability): Connection;
  /** Puts the copy that was kept where a restore finds it. */
  placeCopy(): void;
}

/** The same steps on a disk without a fault. */
export interface Rehearsal {
  /** Operations requested of the disk, in order. */
  readonly operations: readonly Operation[];
  /** The contents before the first step and after each. */
  readonly states: readonly string[];
}

export interface TrialSpec {
  readonly fault: Fault;
  readonly durability: Durability;
  /** Continuation after a failure: the crash, or another try and the rest of the workload. */
  readonly after: 'crash' | 'go on';
  readonly kept: Kept;
  /** Number of operations after which the recovery is cut short like the life before. */
  readonly recoveryCut: number;
  readonly seed: number;
}

export interface Verdict {
  /** Description of the loss, or null. */
  readonly lost: string | null;
  /** False when the workload ended before the fault came. */
  readonly struck: boolean;
  /** Failures that were reported to the caller. */
  readonly refused: number;
  /** A commit that was not acknowledged is there after the crash, as a whole: its last bytes had arrived. */
  readonly cameBack: boolean;
  /** The last acknowledged commits are gone, as this durability allows at a power cut. */
  readonly shortened: boolean;
  /** False when the recovery was over before it was to be cut short. */
  readonly recoveryCut: boolean;
}

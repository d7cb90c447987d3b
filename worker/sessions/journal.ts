// What a database tells the one who keeps its history: which work has its turn, and what that work committed.
import type { TransactionChanges } from '../engines/engine.ts';
import type { WindowSession } from './session.ts';

/** What the history notes of a piece of work. Asked when it commits, so that a script can answer for the statement it is at. */
export interface WorkOrigin {
  /** Short, for people. */
  readonly title: string;
  /** The person's own text; null for what the grid does. */
  readonly sql: string | null;
  /** Transactions of one run belong together. */
  readonly run: number;
  /** The person has agreed that it cannot be taken back. */
  readonly withoutUndo: boolean;
}

/** Nothing here throws: the history must never be why work fails. */
export interface CommitJournal {
  /** Work that may write has its turn, or has it again after a pause. */
  turnBegan(window: WindowSession, origin: WorkOrigin): void;
  /** Within that turn, after each commit that changed something. */
  committed(changes: TransactionChanges): void;
  turnEnded(): void;
  /** Another program may have committed something. */
  othersCommitted(): void;
  /** The WAL was moved into the file. */
  checkpointed(): void;
  readonly isResting: boolean;
  /** The database is closed until somebody uses it again: what is kept of it may be too. */
  rest(): void;
  /** The connection is about to be closed. */
  close(): void;
}

// Unlike any of a worker before this one: runs are told apart in a history that outlives it.
let lastRun = Date.now() * 1000;

export function newRun(): number {
  return ++lastRun;
}

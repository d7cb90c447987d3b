// What a database tells the one who keeps its history: which work has its turn, and what that work committed.
import type { TransactionChanges } from '../engines/engine.ts';
import type { WorkOrigin } from './work-origin.ts';
import type { WindowSession } from './session.ts';

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

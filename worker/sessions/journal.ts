// Reports of a database to its history: which work has its turn, and what that work committed.
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { WorkOrigin, WindowSession } from './session.ts';

/** None of these methods throws: the history must never make work fail. */
export interface CommitJournal {
  /** Work that may write begins its turn, or resumes after a pause. */
  turnBegan(window: WindowSession, origin: WorkOrigin): void;
  /** Called within that turn, after each commit that changed something. */
  committed(changes: TransactionChanges): void;
  turnEnded(): void;
  /** Another program may have committed something. */
  othersCommitted(): void;
  /** The WAL was moved into the file. */
  checkpointed(): void;
  readonly isResting: boolean;
  /** The database is closed until its next use, so the files of its history may be closed too. */
  rest(): void;
  /** The connection is about to be closed. */
  close(): void;
}

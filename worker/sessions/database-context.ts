// Context that an open database needs from its opener.
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { DatabaseState } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import type { ChangedTables } from './change-feed.ts';
import type { Clock } from './clock.ts';
import type { CommitJournal } from './journal.ts';
import type { DatabaseSession } from './session.ts';
import type { WorkMonitor } from './work-monitor.ts';

export interface DatabaseContext {
  readonly clock: Clock;
  readonly monitor: WorkMonitor;
  /** The current entry of the catalogue. */
  readonly entryOf: (id: DatabaseId) => Omit<LibraryEntry, 'sizeBytes'>;
  readonly busyElsewhere: (than: DatabaseSession) => boolean;
  /** Explains an error in more detail. Called after the work that failed has ended. */
  readonly explain?: (error: unknown) => unknown;
  /** How long work waits for another program's lock; forever if omitted. */
  readonly lockTimeoutMs?: number;
  /** The user is asked before the first write to it. */
  readonly asksBeforeWriting?: (id: DatabaseId) => boolean;
  readonly onChanges: (id: DatabaseId, changes: ChangedTables) => void;
  readonly onStateChanged: (id: DatabaseId, state: DatabaseState) => void;
  /** Keeps the history of what is committed. */
  readonly journal?: (database: DatabaseSession, connection: Connection) => CommitJournal | null;
}

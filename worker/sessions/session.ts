// What operations and readers see of an open database and of the window that asks: the queue, the turn, the events.
import type { LibraryEntry, Progress } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Events } from '#shared/protocol/session.ts';
import type { Connection, TransactionChanges } from '../engines/engine.ts';
import type { WorkOrigin } from './work-origin.ts';

/** A window's session: begins with its port, ends when the port closes. */
export interface WindowSession {
  readonly windowId: string;
  readonly windowTitle: string;
  send<T extends keyof Events>(topic: T, value: Events[T]): void;
}

/**
 * Why a body pauses. `reading`: a statement is half read; other windows' reads may run now, writes may not (they would
 * show in the rest of the rows). `between`: nothing is open; anything may run. `alone`: nobody else may look at this database as it is
 * now; other databases go on.
 */
export type Pause = 'reading' | 'between' | 'alone';

export interface Turn {
  readonly connection: Connection;
  /** `performance.now()` at which the body should pause. Moved on after each pause; far away while nobody waits. */
  readonly deadlineMs: number;
  /** Someone asked to stop this work. Statements fail with `stopped` by themselves; loops between them must look, which also shows how far they are. */
  readonly stopRequested: boolean;
  /** The turns of this work have taken longer than its `limitMs`: what made the running statement fail, unless somebody pressed Stop. */
  readonly isPastLimit: boolean;
  /** Called now and then, also while a statement runs, to show how far the work is; must not use the connection. Null: no longer. */
  measureBy(measure: (() => Progress) | null): void;
  /** Makes the next pause last until `settled` does, for a body that feeds something slower than itself. */
  pauseUntil(settled: Promise<unknown>): void;
  /**
   * After a statement that failed: where another program had the file locked, and SQLite has taken the statement back, pauses before
   * the next try of it. Throws everything else again, and when somebody presses Stop.
   */
  outlastLock(thrown: unknown): Generator<Pause, void>;
}

/**
 * `read` changes nothing. `write` may. `file` reads the bytes of the file: it needs what a write needs (nothing half
 * read, no transaction open elsewhere), yet changes no content.
 */
export type WorkKind = 'read' | 'write' | 'file';

export interface WorkRequest<T> {
  readonly window: WindowSession;
  /** A write is refused with `transaction-elsewhere` while another window holds a transaction. */
  readonly kind: WorkKind;
  /** A read that may pause as `reading`: while a write waits too long for such reads, no new one begins. */
  readonly pausesReading?: boolean;
  /** The next part of a request that has begun: goes before what else this window has waiting. */
  readonly continues?: boolean;
  /** For people: shown in every window once it takes over 150 ms. */
  readonly title: string;
  /** The table or view whose rows it reads for a tab. */
  readonly rowsOf?: string | null;
  /** For the history. Default: the title, a run of its own. */
  readonly origin?: WorkOrigin;
  /** Its turns together may take that long; past it the running statement fails with `stopped`. Null or left out: no limit. */
  readonly limitMs?: number | null;
  /** Runs in one go, or as a generator that pauses so that others get their turn. */
  readonly body: (turn: Turn) => T | Generator<Pause, T, undefined>;
  /** The request it is for (`CallContext.id`): its window's Stop then also reaches a worker that is too busy to hear the cancel. */
  readonly call?: number;
  /** The caller's cancel: set up by `onCancel` of the call context. */
  readonly onCancel?: (listener: () => void) => void;
}

/** One open database. */
export interface DatabaseSession {
  readonly id: DatabaseId;
  readonly entry: LibraryEntry;
  readonly windows: ReadonlySet<WindowSession>;
  /**
   * Runs the work when its turn comes: windows take turns, and within a window work begins in order, except that
   * reads pass a write which has to wait for a half-read statement.
   */
  enqueue<T>(request: WorkRequest<T>): Promise<T>;
  /** After each commit, and after a rollback that took back what other windows had seen. Answers the function that stops listening. */
  onChanged(listener: (changes: TransactionChanges) => void): () => void;
  /** Runs `dispose` once `window` lets go of this database or ends. Answers the function that forgets it. */
  onLeave(window: WindowSession, dispose: () => void): () => void;
  /** It stays open although nobody looks at it, for as long as `needs` says so. Answers the function that forgets it. */
  keepOpenWhile(needs: () => boolean): () => void;
}

/** What operation handlers receive as `context.session`. */
export interface OperationSession {
  readonly window: WindowSession;
  /** @throws AppError `not-found` when this window has not opened it */
  database(id: DatabaseId): DatabaseSession;
}

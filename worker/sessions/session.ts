// The parts of an open database and of the requesting window that operations and readers use: the queue, the turn, the events, and what
// the history says of a piece of work.
import type { LibraryEntry, Progress } from '#shared/protocol/library.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Events } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { PendingTransaction } from './pending-transaction.ts';

/** A window's session: begins with its port, ends when the port closes. */
export interface WindowSession {
  readonly windowId: string;
  readonly windowTitle: string;
  send<T extends keyof Events>(topic: T, value: Events[T]): void;
}

/**
 * Why a body pauses. `reading`: a statement is half read; other windows' reads may run now, writes may not (they would show in the rest of
 * the rows). `between`: nothing is open; anything may run. `alone`: no other work may see this database in its current state; other
 * databases continue.
 */
export type Pause = 'reading' | 'between' | 'alone';

export interface Turn {
  readonly connection: Connection;
  /** `performance.now()` at which the body should pause. Renewed after each pause, and later when no other work waits. */
  readonly deadlineMs: number;
  /**
   * The user asked to stop this work. Statements fail with `stopped` by themselves; loops between them must read this, which also reports
   * their progress.
   */
  readonly stopRequested: boolean;
  /** The turns of this work have taken longer than its `limitMs`. That made the running statement fail, unless the user pressed Stop. */
  readonly isPastLimit: boolean;
  /**
   * Sets a function that is called now and then, also while a statement runs, to report progress. It must not use the connection. Null
   * removes it.
   */
  measureBy(measure: (() => Progress) | null): void;
  /** Makes the next pause last until `settled` settles, for a body that feeds a slower consumer. */
  pauseUntil(settled: Promise<unknown>): void;
  /**
   * Call after a statement failed: if another program had the file locked and SQLite has reverted the statement, pauses before the next
   * try. Rethrows every other error, and throws when the user presses Stop.
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
  /** A write that may run while changes wait to be kept or discarded, because it decides about them. */
  readonly decides?: boolean;
  /** A write that leaves the file as it is, mostly because it rolls back all it does: it may run before the first edit of a file. */
  readonly tries?: boolean;
  /** A read that may pause as `reading`: while a write waits too long for such reads, no new one begins. */
  readonly pausesReading?: boolean;
  /** The next part of a request that has begun: it goes before other waiting work of this window. */
  readonly continues?: boolean;
  /** Shown to the user in every window once the work takes over 150 ms. */
  readonly title: string;
  /** The table or view whose rows the work reads for a tab. */
  readonly rowsOf?: string | null;
  /** Origin for the history. Default: the title, a run of its own, {@link withoutUndo}. */
  readonly origin?: WorkOrigin;
  /** The user has agreed that it cannot be undone. */
  readonly withoutUndo?: boolean;
  /** How long its turns may take together; past that, the running statement fails with `stopped`. Null or omitted: no limit. */
  readonly limitMs?: number | null;
  /** A plain function, which runs without a pause, or a generator that pauses so that other work gets its turn. */
  readonly body: (turn: Turn) => T | Generator<Pause, T, undefined>;
  /**
   * The request it belongs to (`CallContext.id`), so that Stop in its window also reaches a worker that is too busy to receive the cancel
   * message.
   */
  readonly call?: number;
  /** Registers a listener for the caller's cancel, as `onCancel` of the call context does. */
  readonly onCancel?: (listener: () => void) => void;
}

/** An open database. */
export interface DatabaseSession {
  readonly id: DatabaseId;
  readonly entry: LibraryEntry;
  readonly windows: ReadonlySet<WindowSession>;
  /** Writes are refused until the user has been asked: {@link WorkRequest.tries} excepted. */
  readonly asksBeforeWriting: boolean;
  /** State of the open transaction. Code that runs the user's SQL reports statements that control transactions. */
  readonly pending: PendingTransaction;
  /**
   * Runs the work when its turn comes. Windows take turns; within a window, work begins in order, except that reads overtake a write that
   * has to wait for a half-read statement.
   */
  enqueue<T>(request: WorkRequest<T>): Promise<T>;
  /**
   * Calls `listener` after each commit, and after a rollback of rows that other windows had seen. Returns a function that removes the
   * listener.
   */
  onChanged(listener: (changes: TransactionChanges) => void): () => void;
  /** Runs `dispose` when `window` closes this database or ends. Returns a function that removes it. */
  onLeave(window: WindowSession, dispose: () => void): () => void;
  /** Keeps the database open, although no window shows it, as long as `needs` returns true. Returns a function that removes `needs`. */
  keepOpenWhile(needs: () => boolean): () => void;
}

/** The `context.session` of operation handlers. */
export interface OperationSession {
  readonly window: WindowSession;
  /** @throws AppError `not-found` when this window has not opened it */
  database(id: DatabaseId): DatabaseSession;
}

// Runs work for a window outside its own lane: an export must not hold up the window that requested it.

/** Returns a second identity with the window's name: it has its own lane and no part in the window's transaction. */
export function detachedFrom(window: WindowSession): WindowSession {
  return {
    windowId: window.windowId,
    windowTitle: window.windowTitle,
    send: (topic, value) => window.send(topic, value),
  };
}

/** Read when the work commits, so that a script can describe its current statement. */
export interface WorkOrigin {
  /** Short, shown to the user. */
  readonly title: string;
  /** The SQL the user wrote; null for work of the grid. */
  readonly sql: string | null;
  /** Transactions of one run belong together. */
  readonly run: number;
  /** The user has agreed that it cannot be undone. */
  readonly withoutUndo: boolean;
}

// Different from all runs of earlier workers, because the history outlives the worker and has to tell runs apart.
let lastRun = Date.now() * 1000;

export function newRun(): number {
  return ++lastRun;
}

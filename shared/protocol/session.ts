// Operations on a window's session in the worker, the state it stores for the next start, and the events all windows receive.
import type { ExtensionState } from '../extensions.ts';
import type { StandIn, StandInState } from '../stand-ins.ts';
import type { Op } from './envelope.ts';
import type { HistoryEvents } from './history.ts';
import type { Durability, LibraryEntry, Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { EngineCapabilities, EngineName } from './database-kinds.ts';
import type { LiveEvents } from './live.ts';
import type { RemoteEvents } from './remote.ts';
import type { ReaderId } from './rows.ts';
import type { Value } from './values.ts';

/** The worker's first message to a window, inside `hello`. */
export interface HelloInfo {
  readonly engine: EngineInfo;
  readonly crossOriginIsolated: boolean;
}

export interface EngineInfo {
  readonly kind: EngineName;
  readonly sqliteVersion: string;
  readonly sqliteSourceId: string;
  readonly capabilities: EngineCapabilities;
}

/** A transaction that a window began and has not ended. */
export interface OpenTransaction {
  readonly windowId: string;
  readonly windowTitle: string;
  readonly sinceMs: number;
  /** Rows inserted, updated, and deleted in it, those of triggers and cascades included. */
  readonly changes: number;
  /** The oldest first. */
  readonly savepoints: readonly string[];
  /** It waits to be kept or discarded as a whole, and takes no other writes. */
  readonly isUnderReview: boolean;
}

/** A file whose tables SQL of another file reads as `name.table`. Nothing is written to it there. */
export interface AttachedState {
  readonly name: string;
  /** The same file as a database of its own. */
  readonly file: DatabaseId;
  readonly fileName: string;
  /** Why it is not attached at the moment, such as that it is gone; null: it is. */
  readonly why: string | null;
}

export interface DatabaseState {
  readonly entry: LibraryEntry;
  readonly durability: Durability;
  /** The window that holds an open transaction, if any. */
  readonly transaction: OpenTransaction | null;
  readonly journalMode: string;
  readonly pageSize: number;
  /** False if the disk or pool is full or the file is damaged: reading works, writing is refused with `why`. */
  readonly writable: boolean;
  readonly why: string | null;
  /** Writing is not attempted: the file is write-protected, or the user opened it read-only. If missing, writing is attempted and may succeed. */
  readonly readOnly?: true;
  /** Nothing is written to this file in place before the user has been asked once: the first write fails with {@link ASKS_BEFORE_WRITING}. */
  readonly asksBeforeWriting?: true;
  /** Only for files in place, and only if there are any. */
  readonly attached?: readonly AttachedState[];
  /** The extensions in its list, loaded or not; only for files in place, and only if there are any. */
  readonly extensions?: readonly ExtensionState[];
  /** Views, triggers, and indexes may use all functions of the extensions, and not only those declared harmless. */
  readonly trustsSchema?: true;
  /** The functions that the user has written for it, defined or not; only if there are any. */
  readonly standIns?: readonly StandInState[];
}

/** Set in the `detail` of an error: nothing was written, because the user has to be asked first. */
export const ASKS_BEFORE_WRITING = 'asksBeforeWriting';

/** Set in the `detail` of an error: nothing was written, and this is the database into which edits go from now on. */
export const EDITS_GO_TO = 'editsGoTo';

/** What SQLite's own check found. */
export interface FileFindings {
  /** Problems; none when all is well. */
  readonly messages: readonly string[];
  /** Tables that SQLite cannot check here, because they or their indexes need something it does not have. */
  readonly unchecked: readonly { readonly table: string; readonly reason: string }[];
}

export interface SessionOperations {
  /** Introduces the window. The first request on a data port. */
  'session.begin': Op<{ readonly windowTitle: string }, null>;
  /** @throws AppError as opening a file does */
  'database.open': Op<{ readonly database: DatabaseId; readonly standIns?: readonly StandIn[] }, DatabaseState>;
  /**
   * Calls a function once with the values of `values`, which are expressions in JavaScript: the arguments, or for an aggregate one array for
   * each row. Null only compiles it.
   * @throws AppError `sql` with a sentence about the code
   */
  'standIn.try': Op<{ readonly standIn: StandIn; readonly values: string | null }, Value>;
  /**
   * The user has agreed to writes. To a production database: until this moment (`Date.now()`). To a file in place: in all windows, until it
   * is closed. 0: asks again from now on.
   */
  'database.allowWriting': Op<{ readonly database: DatabaseId; readonly untilMs: number }, null>;
  /**
   * Attaches a file in place, which this window has opened, to another, for all windows. Nothing happens if that file is attached already.
   * @throws AppError `invalid` for the name, `unavailable`, and as opening a file does
   */
  'database.attach': Op<{ readonly database: DatabaseId; readonly name: string; readonly file: DatabaseId }, null>;
  'database.detach': Op<{ readonly database: DatabaseId; readonly name: string }, null>;
  /** Closes the database for this window: its open transaction is rolled back; the file is closed when the last window leaves. */
  'database.close': Op<{ readonly database: DatabaseId }, null>;
  /**
   * Sets which of its open databases the window shows from now on. A database that no window shows frees its memory and is closed after a
   * while; the next request for it opens it again.
   */
  'session.show': Op<{ readonly databases: readonly DatabaseId[] }, null>;
  'database.check': Op<{ readonly database: DatabaseId; readonly kind: 'quick' | 'integrity' }, FileFindings, Progress>;
  /** Small JSON texts stored in the catalogue: tabs, unsaved SQL, widths, settings. Durable when answered. */
  'state.get': Op<{ readonly key: string }, string | null>;
  'state.put': Op<{ readonly key: string; readonly value: string | null }, null>;
}

/** Work of the worker that has taken longer than 150 ms. */
export interface Work {
  readonly id: number;
  /** The request of window `windowId` (`CallContext.id`) that it serves; 0 if it cannot be stopped through a request. */
  readonly call: number;
  readonly databaseName: string;
  readonly windowId: string;
  readonly windowTitle: string;
  /** Title to show to the user: “Import of big.db”, “SELECT …”. */
  readonly title: string;
  /** `rowsKey` of the table or view whose rows it reads; null for other work. */
  readonly rowsOf: string | null;
  readonly startedAtMs: number;
  /** Null if unknown. */
  readonly progress: Progress | null;
  /** The other program that has the file locked, as shown to the user (“sqlite3, process 1234”). Null if the file is not locked. */
  readonly waitingFor: string | null;
  /** Time since which it has blocked all other work; null while it lets other work run now and then, or waits for its turn. */
  readonly holdsSinceMs: number | null;
  /** Time when a stop was first requested. */
  readonly stopAskedAtMs: number | null;
}

/** Events, sent on every data port. Their names are in the past tense. */
export interface Events extends LiveEvents, HistoryEvents, RemoteEvents {
  'library.changed': null;
  /** A saved benchmark run was saved, renamed or deleted. */
  'benchmark.changed': { readonly id: string };
  /** A saved query was added, changed, or deleted. */
  'savedQuery.changed': null;
  /** Changes that wait to be saved in this database were added, undone, or saved, or holding them was turned on or off. */
  'held.changed': { readonly database: DatabaseId };
  /** A run of the query history began or ended; null: runs were deleted. */
  'queryLog.changed': { readonly id: number | null };
  /** A transaction was committed. `tables` null: anything may have changed. */
  'database.changed': {
    readonly database: DatabaseId;
    readonly tables: readonly string[] | null;
    readonly schema: boolean;
    /**
     * Set by servers: whether rows changed that are unknown, or more than a few. Rows in an order that cost the whole table then stay where
     * they are.
     */
    readonly manyRows?: boolean;
  };
  'database.stateChanged': { readonly database: DatabaseId; readonly state: DatabaseState };
  /** Rows of a reader of this window may differ from those read; read the page again. */
  'rows.changed': { readonly reader: ReaderId };
  /** The extent of a reader of this window is known more precisely. */
  'rows.extentChanged': { readonly reader: ReaderId; readonly rows: number; readonly exact: boolean };
}

/** Served by the host page, which stays free while the worker is busy. */
export interface ControlOperations {
  /**
   * Asks work `id` to stop, in whichever window it was started; work that has already ended is not affected. Returns false if no worker is
   * running.
   */
  'work.stop': Op<{ readonly id: number }, { readonly stopping: boolean }>;
  /** Asks all work for request `call` of this window to stop. Complements the cancel on the data port, which a busy worker does not receive. */
  'call.stop': Op<{ readonly call: number }, null>;
  /** Restarts a worker that does not react to `work.stop`. Committed data is kept. The worker may end before the reply. */
  'host.restart': Op<Record<string, never>, null>;
}

/** Sent on every control port: the worker itself may be inside one long SQLite call. */
export interface ControlEvents {
  /** Work over 150 ms began, made progress or ended. Lists all of it, oldest first. */
  'work.changed': { readonly works: readonly Work[] };
}

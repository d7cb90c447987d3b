// Operations on a window's session in the worker, what it keeps for the next start, and the events every window hears.
import type { Op } from './envelope.ts';
import type { HistoryEvents } from './history.ts';
import type { Durability, LibraryEntry, Progress } from './library.ts';
import type { DatabaseId } from './database-id.ts';
import type { LiveEvents } from './live.ts';
import type { ReaderId } from './rows.ts';

/** First message of the worker to a window, inside `hello`. */
export interface HelloInfo {
  readonly engine: EngineInfo;
  readonly crossOriginIsolated: boolean;
}

export interface EngineInfo {
  readonly kind: 'wasm' | 'native';
  readonly sqliteVersion: string;
  readonly sqliteSourceId: string;
  readonly capabilities: EngineCapabilities;
}

export interface EngineCapabilities {
  /** A running statement can be stopped and the connection lives on. */
  readonly stop: boolean;
  /** Table changes are reported by hooks. */
  readonly changes: boolean;
  readonly undo: boolean;
  /** Opens files where they lie. */
  readonly inPlace: boolean;
}

export interface DatabaseState {
  readonly entry: LibraryEntry;
  readonly durability: Durability;
  /** Window that holds an open transaction, if any. */
  readonly transaction: { readonly windowId: string; readonly windowTitle: string } | null;
  readonly journalMode: string;
  readonly pageSize: number;
  /** False when the disk or pool is full or the file is damaged: reading works, writing is refused with `why`. */
  readonly writable: boolean;
  readonly why: string | null;
  /** Writing is not even tried: the file does not allow it, or the person asked for that. Missing: it is, and may succeed. */
  readonly readOnly?: true;
}

export interface SessionOperations {
  /** Introduces the window. The first request on a data port. */
  'session.begin': Op<{ readonly windowTitle: string }, null>;
  'database.open': Op<{ readonly database: DatabaseId }, DatabaseState>;
  /** Lets go: an open transaction of this window is rolled back; the last window to leave closes the file. */
  'database.close': Op<{ readonly database: DatabaseId }, null>;
  /**
   * What the window shows from now on, of what it has opened. What no window shows gives its memory back and is closed after a while, and is
   * opened again by whatever asks for something of it.
   */
  'session.show': Op<{ readonly databases: readonly DatabaseId[] }, null>;
  'database.check': Op<
    { readonly database: DatabaseId; readonly kind: 'quick' | 'integrity' },
    { readonly messages: readonly string[] },
    Progress
  >;
  /** Small JSON texts kept in the catalogue: tabs, unsaved SQL, widths, settings. Durable when answered. */
  'state.get': Op<{ readonly key: string }, string | null>;
  'state.put': Op<{ readonly key: string; readonly value: string | null }, null>;
}

/** What the worker is busy with, for longer than 150 ms. */
export interface Work {
  readonly id: number;
  /** The request of window `windowId` (`CallContext.id`) it is done for; 0 when no request can be stopped by itself. */
  readonly call: number;
  readonly databaseName: string;
  readonly windowId: string;
  readonly windowTitle: string;
  /** For people: “Import of big.db”, “SELECT …”. */
  readonly title: string;
  /** `rowsKey` of the table or view whose rows it reads; null for other work. */
  readonly rowsOf: string | null;
  readonly startedAtMs: number;
  /** Null when nobody can know. */
  readonly progress: Progress | null;
  /** Another program has the file locked: who, for people (“sqlite3, process 1234”). Null when nobody is in the way. */
  readonly waitingFor: string | null;
  /** Since when it has let nothing else run; null while it does so now and then, or waits for its turn. */
  readonly holdsSinceMs: number | null;
  /** When somebody first asked it to stop. */
  readonly stopAskedAtMs: number | null;
}

/** Events, sent on every data port. Past tense. */
export interface Events extends LiveEvents, HistoryEvents {
  'library.changed': null;
  /** A kept run of the benchmark was saved, renamed or deleted. */
  'benchmark.changed': { readonly id: string };
  /** A transaction was committed. `tables` null: anything may have changed. */
  'database.changed': {
    readonly database: DatabaseId;
    readonly tables: readonly string[] | null;
    readonly schema: boolean;
  };
  'database.stateChanged': { readonly database: DatabaseId; readonly state: DatabaseState };
  /** Rows of a reader of this window may differ from what was read; page again. */
  'rows.changed': { readonly reader: ReaderId };
  /** The extent of a reader of this window became better known. */
  'rows.extentChanged': { readonly reader: ReaderId; readonly rows: number; readonly exact: boolean };
}

/** Served by the host page, which stays free while the worker is busy. */
export interface ControlOperations {
  /** Asks work `id` to stop, wherever it was started; what has already ended is not changed by it. Answers false when no worker runs. */
  'work.stop': Op<{ readonly id: number }, { readonly stopping: boolean }>;
  /** Asks everything to stop that is done for request `call` of this window: beside the cancel on the data port, which a busy worker does not hear. */
  'call.stop': Op<{ readonly call: number }, null>;
  /** Restarts the worker: the answer to one that does not react to `work.stop`. Committed data stays. Its end may come before the reply. */
  'host.restart': Op<Record<string, never>, null>;
}

/** Sent on every control port: the worker itself may be inside one long call of SQLite. */
export interface ControlEvents {
  /** Work over 150 ms began, went on or ended. All of it, oldest first. */
  'work.changed': { readonly works: readonly Work[] };
}

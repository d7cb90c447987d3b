// Watches one database on a server: counts the rows that the server says it has read and written, and notices other people's commits.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { Listening } from '../engines/remote/network/blocking-http.ts';
import type { Clock } from '../sessions/clock.ts';

const LOOK_EVERY_MS = 250;
/** Interval between reports of what was written: each is written to a file. */
export const REPORT_EVERY_MS = 1_000;
/** Each check is a round trip, and some servers bill them: where nothing changes, the pauses double. */
export const POLL_MS = { least: 2_000, most: 60_000 };
/** An edit waits for a check that has begun: far from a server, the pauses between two are as many times as long as the last one took. */
export const PAUSE_PER_TRIP = 4;

/** Properties of a remote connection beyond the interface of all engines. */
export interface CountingConnection extends Connection {
  /** Rows the server has read and written for this connection. */
  readonly rowsTouched?: { readonly read: number; readonly written: number };
  /** Version as of the last reply. A different one means that the schema may have changed. */
  readonly schemaVersion?: number;
  /** Why the last transaction was lost; null if it was not. */
  readonly whyLost?: AppError | null;
  /** The reason why nothing can be written. */
  readonly whyReadOnly?: string | null;
  /** The state after the last write of this connection. */
  readonly writtenIndex?: string | null;
  /** Hears of changes to rows of a table. */
  listen(table: string): Listening;
}

interface WatchEvents {
  /** Whether it may be checked for changes now: a window shows it, and nothing runs. */
  isFree(): boolean;
  /** The tables that windows show now. */
  shownTables(): readonly string[];
  /** Someone else has committed. */
  changed(schema: boolean): void;
  counted(rows: { readonly read: number; readonly written: number }): void;
  held(why: string | null): void;
  wrote(index: string): void;
}

export class ServerWatch {
  readonly #connection: CountingConnection;
  readonly #clock: Clock;
  readonly #events: WatchEvents;
  readonly #listeners: TableListeners;
  #counted = '';
  #version: number | null = null;
  #schema: number | undefined;
  #pauseMs = POLL_MS.least;
  #tripMs = 0;
  #dueMs: number;
  #askedMs = -Infinity;
  #written: string | null = null;
  #reportedMs = -Infinity;
  #callOff: () => void;

  constructor(connection: CountingConnection, clock: Clock, events: WatchEvents) {
    this.#connection = connection;
    this.#clock = clock;
    this.#events = events;
    this.#listeners = new TableListeners((table) => connection.listen(table), clock);
    this.#dueMs = clock.now();
    this.#callOff = clock.after(0, () => this.#look());
  }

  end(): void {
    this.#callOff();
    this.#listeners.end();
    this.#report();
  }

  /** Another token may allow what was refused, and refuse what was allowed. */
  tokenChanged(): void {
    this.#listeners.end();
    this.hurry();
  }

  /** Call when someone works with it: others' changes matter soon. */
  hurry(): void {
    this.#hurryTo(this.#clock.now() + this.#leastMs);
  }

  get #leastMs(): number {
    return Math.max(POLL_MS.least, PAUSE_PER_TRIP * this.#tripMs);
  }

  /** A moment that has passed means the next look. */
  #hurryTo(atMs: number): void {
    this.#pauseMs = this.#leastMs;
    this.#dueMs = Math.min(this.#dueMs, atMs);
  }

  #look(): void {
    this.count();
    this.#events.held(this.#connection.whyReadOnly ?? null);
    if (this.#clock.now() >= this.#reportedMs + REPORT_EVERY_MS) this.#report();
    if (this.#listeners.look(this.#events.shownTables())) this.#hurryTo(this.#askedMs + this.#leastMs);
    if (this.#clock.now() >= this.#dueMs && this.#events.isFree()) this.#poll();
    this.#callOff = this.#clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** Tells what the requests have touched since it was last told. */
  count(): void {
    const rows = this.#connection.rowsTouched;
    const counted = rows ? `${rows.read} ${rows.written}` : '';
    if (!rows || counted === this.#counted) return;
    this.#counted = counted;
    this.#events.counted(rows);
  }

  #report(): void {
    const written = this.#connection.writtenIndex ?? null;
    if (written === null || written === this.#written) return;
    this.#written = written;
    this.#reportedMs = this.#clock.now();
    this.#events.wrote(written);
  }

  #poll(): void {
    const [before, schemaBefore] = [this.#version, this.#schema];
    this.#askedMs = this.#clock.now();
    try {
      this.#version = this.#connection.dataVersion;
      this.#schema = this.#connection.schemaVersion;
    } catch {
      // The next request says what is wrong. When the server is back, whatever was committed in the meantime counts as a change.
    }
    this.#tripMs = this.#clock.now() - this.#askedMs;
    const hasChanged = before !== null && this.#version !== before;
    const leastMs = this.#leastMs;
    this.#pauseMs = hasChanged ? leastMs : Math.max(leastMs, Math.min(this.#pauseMs * 2, POLL_MS.most));
    this.#dueMs = this.#clock.now() + this.#pauseMs;
    if (hasChanged) this.#events.changed(this.#schema !== schemaBefore);
  }
}

/** Each is a connection to the server that stays open. */
const MAX_TABLES = 6;
/** Delay before the next attempt, doubled each time; after a refusal, the longest one at once. */
export const RETRY_MS = { least: 5_000, most: 600_000 };
/** A stream that has lasted this long works; when it ends, the next one begins soon. */
const LASTING_MS = 60_000;

type Begin = (table: string) => Listening;

interface Listener {
  readonly listening: Listening;
  readonly beganMs: number;
  isOn: boolean;
  heard: number;
}

/**
 * Listens to the tables that windows show, where the server offers that: it then says at once that rows have changed. It does not say which,
 * nor by whom, and not every kind of change, so others' changes are still asked about, only sooner.
 */
class TableListeners {
  readonly #begin: Begin;
  readonly #clock: Clock;
  readonly #listeners = new Map<string, Listener>();
  #retryMs = RETRY_MS.least;
  #dueMs = -Infinity;

  constructor(begin: Begin, clock: Clock) {
    this.#begin = begin;
    this.#clock = clock;
  }

  /** Listens to these tables from now on. Returns whether anything may have changed since the last look. */
  look(tables: readonly string[]): boolean {
    const wanted = new Set(tables.slice(0, MAX_TABLES));
    for (const table of this.#listeners.keys()) if (!wanted.has(table)) this.#end(table);
    let mayHaveChanged = false;
    for (const [table, listener] of this.#listeners) mayHaveChanged = this.#hear(table, listener) || mayHaveChanged;
    if (this.#clock.now() >= this.#dueMs) for (const table of wanted) this.#listenTo(table);
    return mayHaveChanged;
  }

  /** The next look starts over, whatever the server said before: the token has changed. */
  end(): void {
    for (const table of this.#listeners.keys()) this.#end(table);
    this.#retryMs = RETRY_MS.least;
    this.#dueMs = -Infinity;
  }

  #listenTo(table: string): void {
    if (this.#listeners.has(table)) return;
    const listener = { listening: this.#begin(table), beganMs: this.#clock.now(), isOn: false, heard: 0 };
    this.#listeners.set(table, listener);
  }

  #hear(table: string, listener: Listener): boolean {
    const { state, heard } = listener.listening;
    if (state === 'ended' || state === 'refused') this.#lost(table, listener, state);
    // Changes between reading the rows and the beginning of the stream are not reported.
    const begins = state === 'on' && !listener.isOn;
    const hasHeard = heard !== listener.heard;
    listener.isOn = state === 'on';
    listener.heard = heard;
    return begins || hasHeard;
  }

  #lost(table: string, { beganMs }: Listener, state: 'ended' | 'refused'): void {
    const now = this.#clock.now();
    this.#end(table);
    if (now - beganMs >= LASTING_MS) this.#retryMs = RETRY_MS.least;
    if (state === 'refused') this.#retryMs = RETRY_MS.most;
    this.#dueMs = Math.max(this.#dueMs, now + this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MS.most);
  }

  #end(table: string): void {
    this.#listeners.get(table)?.listening.end();
    this.#listeners.delete(table);
  }
}

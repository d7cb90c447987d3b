// Listens to the tables that windows show, where the server offers that: it then says at once that rows have changed. It does not say which,
// nor by whom, and not every kind of change, so others' changes are still asked about, only sooner.
import type { Listening } from '../engines/remote/network/blocking-http.ts';
import type { Clock } from '../sessions/clock.ts';

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

export class TableListeners {
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

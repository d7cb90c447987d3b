// Tells windows and readers that data changed: readers at once, windows at most once per frame.
import type { TransactionChanges } from '../engines/transaction-changes.ts';
import type { Clock } from './clock.ts';

const FRAME_MS = 16;
/** Rows that a reader looks up one by one, each at about a millisecond in a list of a million. Beyond this many, the list is sorted again. */
export const FEW_ROWS = 24;

/** Windows get no more than this; they request rows again through their readers. */
export interface ChangedTables {
  /** Null: anything may have changed. */
  readonly tables: readonly string[] | null;
  readonly schema: boolean;
  /** Whether rows changed that are unknown, or not few. */
  readonly manyRows: boolean;
}

export class ChangeFeed {
  readonly #clock: Clock;
  readonly #broadcast: (changes: ChangedTables) => void;
  readonly #listeners = new Set<(changes: TransactionChanges) => void>();
  #pending: ChangedTables | null = null;
  #lastSentMs = -Infinity;
  #callOff: (() => void) | null = null;

  constructor(clock: Clock, broadcast: (changes: ChangedTables) => void) {
    this.#clock = clock;
    this.#broadcast = broadcast;
  }

  listen(listener: (changes: TransactionChanges) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  publish(changes: TransactionChanges): void {
    for (const listener of this.#listeners) listener(changes);
    // Windows have an attached file open as a database of its own, which tells them.
    if (changes.attached !== undefined) return;
    const { tables, schema } = changes;
    const named = { tables: tables && [...tables.keys()], schema, manyRows: hasMany(changes) };
    this.#pending = this.#pending ? merge(this.#pending, named) : named;
    const wait = this.#lastSentMs + FRAME_MS - this.#clock.now();
    if (wait <= 0) this.#send();
    else this.#callOff ??= this.#clock.after(wait, () => this.#send());
  }

  dispose(): void {
    this.#callOff?.();
    this.#listeners.clear();
    this.#pending = null;
  }

  #send(): void {
    this.#callOff?.();
    this.#callOff = null;
    this.#lastSentMs = this.#clock.now();
    const changes = this.#pending;
    this.#pending = null;
    if (changes) this.#broadcast(changes);
  }
}

function merge(a: ChangedTables, b: ChangedTables): ChangedTables {
  return {
    tables: a.tables && b.tables ? [...new Set([...a.tables, ...b.tables])] : null,
    schema: a.schema || b.schema,
    manyRows: a.manyRows || b.manyRows,
  };
}

const hasMany = ({ tables }: TransactionChanges): boolean =>
  tables === null || [...tables.values()].some(({ keys }) => keys?.kind !== 'rowid' || keys.rowids.length > FEW_ROWS);

// The open databases: the first window that requests one opens it, and it is closed when the last window leaves. To save memory, a database
// that no window shows is also closed after a while and reopened by the next request.
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../engines/engine.ts';
import { OpenDatabase, type DatabaseContext } from './database-session.ts';
import { isOutOfMemory, withAdvice, type MadeRoom, type MemoryHolder } from './out-of-memory.ts';
import { RestingConnection } from './resting-connection.ts';
import type { WindowSession } from './session.ts';

interface KeepingOpen {
  /** A database that no window shows gives its page cache back after this long without use, */
  readonly cacheMs: number;
  /** and is closed after this long. */
  readonly openMs: number;
  /** Beyond this many, the longest unused are closed at once. */
  readonly atMost: number;
}

/** Switching back and forth between two databases needs no reopening; eight open files and their logs take a few MB. */
export const KEEPING_OPEN: KeepingOpen = { cacheMs: 10_000, openMs: 60_000, atMost: 8 };

type Context = Omit<DatabaseContext, 'busyElsewhere' | 'explain'> & {
  /** A database under measurement must stay as it is. */
  readonly staysOpen?: (id: DatabaseId) => boolean;
};

/** `isStopped`: the work that needs the database should end. */
type Connect = (id: DatabaseId, isStopped: () => boolean) => Connection;

export class OpenDatabases {
  readonly #context: Context;
  readonly #connect: Connect;
  readonly #keeping: KeepingOpen;
  readonly #open = new Map<DatabaseId, OpenDatabase>();
  readonly #shown = new Map<WindowSession, ReadonlySet<DatabaseId>>();
  #callOff: (() => void) | null = null;

  constructor(context: Context, connect: Connect, keeping: KeepingOpen = KEEPING_OPEN) {
    this.#context = context;
    this.#connect = connect;
    this.#keeping = keeping;
  }

  find(id: DatabaseId): OpenDatabase | null {
    // The caller may be about to reopen it.
    if (!this.#callOff) this.#tidyLater(this.#keeping.cacheMs);
    return this.#open.get(id) ?? null;
  }

  /** @throws AppError `not-found` when this window has not opened it */
  of(window: WindowSession, id: DatabaseId): OpenDatabase {
    const database = this.find(id);
    if (!database?.windows.has(window))
      throw AppError.notFound('This database is not open in this window. Open it from the library.');
    database.use();
    return database;
  }

  join(window: WindowSession, id: DatabaseId): OpenDatabase {
    const database = this.#open.get(id) ?? this.#createInRoom(id);
    database.windows.add(window);
    database.use();
    this.#tidyLater(0);
    return database;
  }

  /** Notes that `window` shows exactly these from now on, and reopens those that rest. @throws AppError as opening them does */
  async show(window: WindowSession, ids: readonly DatabaseId[]): Promise<void> {
    const shown = ids.flatMap((id) => this.#open.get(id) ?? []).filter(({ windows }) => windows.has(window));
    this.#shown.set(window, new Set(shown.map(({ id }) => id)));
    this.#tidyLater(0);
    await Promise.all(shown.map((database) => database.wake(window)));
  }

  leave(window: WindowSession, id: DatabaseId): void {
    const database = this.#open.get(id);
    if (!database) return;
    try {
      database.leave(window);
    } finally {
      if (database.windows.size === 0) {
        this.#open.delete(id);
        database.close();
      }
    }
  }

  leaveAll(window: WindowSession): void {
    this.#shown.delete(window);
    for (const id of [...this.#open.keys()]) this.leave(window, id);
    this.#tidyLater(0);
  }

  closeAll(): void {
    this.#callOff?.();
    this.#callOff = null;
    for (const [id, database] of this.#open) {
      this.#open.delete(id);
      database.close();
    }
  }

  /** If memory is used up, all databases release the memory they do not need right now, and the error says what to close. */
  explain(error: unknown): unknown {
    return isOutOfMemory(error) ? withAdvice(error, this.#makeRoom()) : error;
  }

  #createInRoom(id: DatabaseId): OpenDatabase {
    try {
      return this.#create(id);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      const room = this.#makeRoom();
      try {
        return this.#create(id);
      } catch (again) {
        throw isOutOfMemory(again) ? withAdvice(again, room) : again;
      }
    }
  }

  #makeRoom(): MadeRoom {
    const holders: MemoryHolder[] = [];
    let freedBytes = 0;
    for (const database of this.#open.values()) {
      const before = database.memoryBytes ?? 0;
      const isShown = this.#isShown(database.id);
      if (!isShown && !this.#context.staysOpen?.(database.id) && database.rest()) {
        freedBytes += before;
        continue;
      }
      database.useCache(false);
      freedBytes += before - (database.memoryBytes ?? 0);
      const use = database.whyOpen ?? (isShown ? 'shown' : 'own');
      holders.push({ name: database.entry.name, use, bytes: database.memoryBytes });
    }
    this.#tidyLater(0);
    return { freedBytes, holders };
  }

  #create(id: DatabaseId): OpenDatabase {
    const connection = new RestingConnection(
      (isStopped) => this.#connect(id, isStopped),
      (changed) => this.#noteReopened(id, changed),
    );
    try {
      const database = new OpenDatabase(id, connection, {
        ...this.#context,
        explain: (error) => this.explain(error),
        busyElsewhere: (than) => [...this.#open.values()].some((other) => other !== than && other.busy),
      });
      this.#open.set(id, database);
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** @param changed another program has committed to it while it was closed */
  #noteReopened(id: DatabaseId, changed: boolean): void {
    if (changed) this.find(id)?.noteForeignChange(true);
    // Deferred, because the database is in the middle of a turn.
    this.#tidyLater(0);
  }

  #isShown(id: DatabaseId): boolean {
    return [...this.#shown.values()].some((ids) => ids.has(id));
  }

  #tidyLater(delayMs: number): void {
    this.#callOff?.();
    this.#callOff = this.#context.clock.after(delayMs, () => {
      this.#callOff = null;
      this.#tidy();
    });
  }

  /** Closes databases that no window shows and that may be closed, and runs again when the next one is due. */
  #tidy(): void {
    const now = this.#context.clock.now();
    const { cacheMs, openMs, atMost } = this.#keeping;
    const { staysOpen } = this.#context;
    const awake = [...this.#open.values()].filter(({ id, isResting }) => !isResting && !staysOpen?.(id));
    const unseen = awake.filter(({ id }) => !this.#isShown(id)).sort((a, b) => a.usedAtMs - b.usedAtMs);
    let surplus = unseen.length - atMost;
    let dueMs = Infinity;
    for (const database of unseen) {
      const idleMs = now - database.usedAtMs;
      if ((surplus > 0 || idleMs >= openMs) && database.rest()) {
        surplus--;
        continue;
      }
      database.useCache(idleMs < cacheMs);
      // A database that has to stay open for now is checked again at the interval of the page cache.
      dueMs = Math.min(dueMs, idleMs < cacheMs || idleMs >= openMs ? cacheMs : openMs - idleMs);
    }
    for (const database of awake) if (this.#isShown(database.id)) database.useCache(true);
    if (dueMs < Infinity) this.#tidyLater(dueMs);
  }
}

// The databases that are open now: opened by the first window that asks, closed when the last one leaves.
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import { OpenDatabase } from './database-session.ts';
import type { DatabaseSurroundings } from './database-session.ts';
import type { WindowSession } from './session.ts';

export class OpenDatabases {
  readonly #around: Omit<DatabaseSurroundings, 'busyElsewhere'>;
  readonly #connect: (id: DatabaseId) => Connection;
  readonly #open = new Map<DatabaseId, OpenDatabase>();

  constructor(around: Omit<DatabaseSurroundings, 'busyElsewhere'>, connect: (id: DatabaseId) => Connection) {
    this.#around = around;
    this.#connect = connect;
  }

  find(id: DatabaseId): OpenDatabase | null {
    return this.#open.get(id) ?? null;
  }

  /** @throws AppError `not-found` when this window has not opened it */
  of(window: WindowSession, id: DatabaseId): OpenDatabase {
    const database = this.#open.get(id);
    if (database?.windows.has(window)) return database;
    throw new AppError({
      code: 'not-found',
      message: 'This database is not open in this window. Open it from the library.',
    });
  }

  join(window: WindowSession, id: DatabaseId): OpenDatabase {
    const database = this.#open.get(id) ?? this.#create(id);
    database.windows.add(window);
    return database;
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
    for (const id of [...this.#open.keys()]) this.leave(window, id);
  }

  closeAll(): void {
    for (const [id, database] of this.#open) {
      this.#open.delete(id);
      database.close();
    }
  }

  #create(id: DatabaseId): OpenDatabase {
    const connection = this.#connect(id);
    try {
      const database = new OpenDatabase(id, connection, {
        ...this.#around,
        busyElsewhere: (than) => [...this.#open.values()].some((other) => other !== than && other.busy),
      });
      this.#open.set(id, database);
      return database;
    } catch (error) {
      connection.close();
      throw error;
    }
  }
}

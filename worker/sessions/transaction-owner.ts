// Whose hand-made transaction is open on a database, and what its steps mean for those who look on.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { WindowSession } from './session.ts';

export class TransactionOwner {
  readonly #connection: Connection;
  #owner: WindowSession | null = null;
  #changesSeen: number;
  #rollbacksSeen: number;
  #schemaSeen = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#changesSeen = connection.totalChanges;
    this.#rollbacksSeen = connection.rollbacks;
  }

  get window(): WindowSession | null {
    return this.#owner;
  }

  /** Why `window` may not write or copy the file now, or null. */
  refusal(window: WindowSession, kind: 'write' | 'file'): AppError | null {
    const owner = this.#owner;
    if (!owner || owner === window) return null;
    const consequence = kind === 'write' ? 'nothing was written' : 'its file cannot be copied or rebuilt now';
    return new AppError({
      code: 'transaction-elsewhere',
      message: `${owner.windowTitle} has an open transaction on this database, so ${consequence}. Commit or roll it back there first.`,
      detail: { windowId: owner.windowId, windowTitle: owner.windowTitle },
    });
  }

  /**
   * To be called after each piece of work. SQLite knows no owners: whoever worked when autocommit went off opened it.
   * `shown` tells what the eye may see differently although no commit was reported: changes inside the open
   * transaction (all windows share the connection) and their disappearance by a rollback.
   * @param wasSeenOpen the work paused inside a transaction of its own, and others may have read what was in it
   */
  afterWork(
    window: WindowSession,
    committed: boolean,
    wasSeenOpen: boolean,
  ): { readonly ownerChanged: boolean; readonly shown: 'rows' | 'schema' | null } {
    const before = this.#owner;
    const open = !this.#connection.autocommit;
    const changes = this.#connection.totalChanges;
    const rolledBack = this.#connection.rollbacks !== this.#rollbacksSeen;
    this.#rollbacksSeen = this.#connection.rollbacks;
    if (!open && !before) {
      this.#changesSeen = changes;
      return { ownerChanged: false, shown: wasSeenOpen && rolledBack ? 'schema' : null };
    }
    this.#owner = open ? (before ?? window) : null;
    const schema = this.#schemaVersion();
    const [rowsMoved, schemaMoved] = [rolledBack || changes !== this.#changesSeen, schema !== this.#schemaSeen];
    this.#changesSeen = changes;
    this.#schemaSeen = schema;
    const ownerChanged = before !== this.#owner;
    // Rows that were seen may have been taken back before the rest was committed.
    if (!open) return { ownerChanged, shown: committed && !rolledBack ? null : 'schema' };
    if (!before) return { ownerChanged, shown: rowsMoved ? 'schema' : null };
    return { ownerChanged, shown: schemaMoved ? 'schema' : rowsMoved ? 'rows' : null };
  }

  /** NaN, which differs from any, when it cannot be read: this must not turn the work that went before into a failure. */
  #schemaVersion(): number {
    try {
      return Number(this.#connection.one('PRAGMA schema_version')?.[0] ?? 0);
    } catch {
      return NaN;
    }
  }
}

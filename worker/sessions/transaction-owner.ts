// Tracks which window has a transaction of its own open on a database, and what its statements mean for the other windows.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pending, PendingTransaction } from './pending-transaction.ts';
import type { WindowSession } from './session.ts';

export class TransactionOwner {
  readonly #database: DatabaseId;
  readonly #connection: Connection;
  readonly #pending: PendingTransaction;
  /** State known to windows. */
  #pendingSeen: Pending | null = null;
  #owner: WindowSession | null = null;
  #changesSeen: number;
  #rollbacksSeen: number;
  #schemaSeen = 0;

  constructor(database: DatabaseId, connection: Connection, pending: PendingTransaction) {
    this.#database = database;
    this.#connection = connection;
    this.#pending = pending;
    this.#changesSeen = connection.totalChanges;
    this.#rollbacksSeen = connection.rollbacks;
  }

  get window(): WindowSession | null {
    return this.#owner;
  }

  /** Why `window` may not write or copy the file now, or null. */
  refusal(window: WindowSession, kind: 'write' | 'file'): AppError | null {
    const owner = this.#owner;
    if (!owner) return null;
    if (owner === window) return this.#pending.isUnderReview ? underReview(this.#database) : null;
    const consequence = kind === 'write' ? 'nothing was written' : 'its file cannot be copied or rebuilt now';
    return new AppError({
      code: 'transaction-elsewhere',
      message: `${owner.windowTitle} has an open transaction on this database, so ${consequence}. Commit or roll it back there first.`,
      detail: { windowId: owner.windowId, windowTitle: owner.windowTitle },
    });
  }

  /**
   * Call after each piece of work. SQLite knows no owners: the window whose work turned autocommit off owns the transaction.
   * `shown` says what windows may see changed although no commit was reported: changes inside the open transaction (all windows share the
   * connection) and their disappearance by a rollback.
   * @param wasSeenOpen the work paused inside its own transaction, and other work may have read uncommitted rows
   */
  afterWork(
    window: WindowSession,
    committed: boolean,
    wasSeenOpen: boolean,
  ): { readonly hasChanged: boolean; readonly shown: 'rows' | 'schema' | null } {
    const before = this.#owner;
    const open = !this.#connection.autocommit;
    const changes = this.#connection.totalChanges;
    const rolledBack = this.#connection.rollbacks !== this.#rollbacksSeen;
    this.#rollbacksSeen = this.#connection.rollbacks;
    if (!open && !before) {
      this.#changesSeen = changes;
      this.#pending.end();
      return { hasChanged: false, shown: wasSeenOpen && rolledBack ? 'schema' : null };
    }
    this.#owner = open ? (before ?? window) : null;
    if (open) this.#pending.begin(this.#changesSeen);
    else this.#pending.end();
    const schema = this.#schemaVersion();
    const rowsMoved = rolledBack || changes !== this.#changesSeen;
    const schemaMoved = schema !== this.#schemaSeen;
    this.#changesSeen = changes;
    this.#schemaSeen = schema;
    const hasChanged = before !== this.#owner || this.#hasPendingChanged();
    // Rows that other windows saw may have been rolled back before the rest was committed.
    if (!open) return { hasChanged, shown: committed && !rolledBack ? null : 'schema' };
    if (!before) return { hasChanged, shown: rowsMoved ? 'schema' : null };
    return { hasChanged, shown: schemaMoved ? 'schema' : rowsMoved ? 'rows' : null };
  }

  #hasPendingChanged(): boolean {
    const [before, now] = [this.#pendingSeen, this.#pending.state];
    this.#pendingSeen = now;
    return JSON.stringify(before) !== JSON.stringify(now);
  }

  /** NaN, which differs from every version, when it cannot be read: an error here must not make the preceding work fail. */
  #schemaVersion(): number {
    try {
      return Number(this.#connection.one('PRAGMA schema_version')?.[0] ?? 0);
    } catch {
      return NaN;
    }
  }
}

function underReview(database: DatabaseId): AppError {
  return AppError.refused(
    inParts(
      'Changes to this database are waiting in this window to be kept or discarded, and nothing else can be written before that.',
      'Nothing was changed.',
    ),
    { detail: { underReview: database } },
  );
}

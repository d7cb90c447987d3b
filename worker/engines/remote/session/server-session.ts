// The session below a connection, whichever protocol the server speaks.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { GuardedOutcome, GuardedWrite } from '../../guarded-write.ts';
import type { CursorReply, Outcome } from '../hrana/hrana-client.ts';
import type { BatchResult, RemoteSql, ReplicationIndex, StatementResult } from '../hrana/messages.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';

/**
 * `read` may be repeated; `write` gets a transaction of its own where none is open; `release` commits one that a savepoint has begun; `other`
 * is sent as it is.
 */
export type Effect = 'read' | 'write' | 'other' | 'begin' | 'commit' | 'rollback' | 'release';

export interface RowsTouched {
  readonly read: number;
  readonly written: number;
}

export interface TogetherParts {
  /** @throws AppError for a statement that cannot be understood */
  readonly prepare: (sql: string) => RemoteStatement;
  /** Called once it is known that the writes fit. @throws AppError when they may not be made */
  readonly mayWrite: () => void;
  /** Throws when the person has asked to stop. */
  readonly look: () => void;
}

export interface ServerSession {
  readonly autocommit: boolean;
  /** A change means that the schema may have changed. */
  readonly schemaVersion: number;
  /** Reads the schema: the type, name, table, and definition of each object. */
  readonly schemaQuery: string;
  /** The session's open transaction; null outside of one. A version of the schema that was read in it means nothing once it is over. */
  readonly transaction: number | null;
  /** Counts replies that showed commits of others. */
  readonly otherCommits: number;
  /** Transactions that the server, or the loss of the connection, has ended. */
  readonly lostTransactions: number;
  /** Why the last transaction was lost; null if it was not. */
  readonly whyLost: AppError | null;
  /** The state that reads must not be older than; null where the server names none. */
  readonly index: ReplicationIndex | null;
  /** The state after the last write of this session; null before one. */
  readonly written: ReplicationIndex | null;
  /** Sum over all replies so far, as counted by the server. */
  readonly touched: RowsTouched;
  /** Several statements can be one transaction and one round trip now. */
  readonly canRunTogether: boolean;
  readonly canUseCursor: boolean;
  /** The statement with its values, as {@link run} takes it. @throws AppError `invalid`, `too-big` */
  bind(statement: RemoteStatement, params: readonly Value[]): RemoteSql;
  /** @throws AppError of the server, of the network, `stopped` */
  run(statement: RemoteSql, effect: Effect): StatementResult;
  /** The statements take effect with the first one that follows. */
  beginWith(statements: readonly string[]): void;
  /** @throws AppError; nothing was changed then, or `detail.kind` is `unknown-outcome` */
  writeTogether(parts: TogetherParts, writes: readonly GuardedWrite[]): GuardedOutcome;
  /**
   * Runs statements of the open transaction in one round trip, with the outcome of each: after one that fails, none of the others is run,
   * unless `goOn`.
   * @throws AppError when the transaction is over
   */
  runInTransaction(statements: readonly RemoteSql[], goOn: boolean): BatchResult;
  /** Rows of any number, as they arrive. Only where {@link canUseCursor}. */
  cursor(statement: RemoteSql): CursorReply;
  /** Tells whether others have committed, and whether the schema has changed, where the server says so. */
  refresh(): void;
  /** Same as {@link refresh}, but not urgent; where the server does not say, the schema must be read again. */
  refreshSchema(): void;
  /** Describes a statement; null where the server does not say, and the schema must be read again. */
  describe(sql: string): Outcome | null;
  close(): void;
}

// The interface of a database engine. Both engines implement it and pass `contract.test-suite.ts`; everything above it (sessions, readers,
// operations) is the same code for both. All calls are synchronous, because an engine owns its thread.
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { AddedFunction, ExtensionFile, ExtensionState } from '#shared/extensions.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { StandInState } from '#shared/stand-ins.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { BoundSql, GuardedOutcome, GuardedWrite, StatementOutcome } from './guarded-write.ts';
import type { RecordInsert, RecordSql } from './record-insert.ts';
import type { RecordBinding } from './record-values.ts';
import type { ChangeGuard, RowLog } from './row-log/row-log.ts';
import type { PreparedStandIn } from './stand-ins/define.ts';
import type { TransactionChanges } from './transaction-changes.ts';

export interface Engine {
  readonly info: EngineInfo;
  /** Every database that it opens on disk is encrypted with one key, so it cannot open others. */
  readonly isEncrypted?: boolean;
  /** Only where it has a key: reads the file, which must not be open, and writes nothing. @throws AppError `not-a-database`, `corrupt`, `invalid` */
  assertKeyFits?(location: string): void;
  /** @throws AppError `not-found`, `not-a-database`, `corrupt`, `too-new`, `full`, `io` */
  open(location: string, options: OpenOptions): Connection;
}

export interface OpenOptions {
  readonly durability: Durability;
  /** A database that Sidelite did not create: defensive mode on, trusted_schema off (sqlite.org/security.html). Default true. */
  readonly untrusted?: boolean;
  readonly create?: boolean;
  /** A file that was just copied from elsewhere: refused if its schema takes long to load. One that the library has can grow into that, and is opened. */
  readonly isOfOthers?: boolean;
  /** Nothing can write to the file, because the user asked for that. Supported only by the native engine. */
  readonly readOnly?: boolean;
  /** Explanation for those who want to write; otherwise that it was opened so. */
  readonly whyReadOnly?: string;
  /**
   * Set for salvage: SQLite skips errors in the schema and ignores a wrong page count (`writable_schema`). Defensive mode would undo that,
   * so the connection is made unable to write instead (`query_only`).
   */
  readonly tolerant?: boolean;
  /**
   * A private file that is thrown away unless it is completed: shadow tables of virtual tables can be written to, and no write waits for
   * the disk. Defensive mode is off, so only such a file may be opened this way.
   */
  readonly scratch?: boolean;
  /** Upper limit of the page cache. Default `MEMORY_BUDGET.pageCache`; less when many connections share the budget. */
  readonly cacheBytes?: number;
  /** Loaded one after the other; {@link Connection.extensions} says what became of each. Supported only by the native engine. */
  readonly extensions?: readonly ExtensionFile[];
  /** Views, triggers, and indexes may use all of their functions (`trusted_schema` is on), and not only those that they declare innocuous. */
  readonly trustsSchema?: true;
  /** Defined as far as the engine can; {@link Connection.standIns} says what became of each. */
  readonly standIns?: readonly PreparedStandIn[];
}

/** An extension, and what it added to the connection. */
export interface LoadedExtension {
  readonly state: ExtensionState;
  readonly added: readonly AddedFunction[];
}

/** Another file, whose tables SQL reads as `name.table`. */
export interface AttachedFile {
  readonly name: string;
  /** An absolute path. */
  readonly location: string;
  /** Without this, each statement that would write to it is refused. What is written to it is in no history. */
  readonly isWritable: boolean;
}

export interface DefinedObject {
  readonly kind: 'table' | 'virtual' | 'index' | 'view' | 'trigger';
  readonly name: string;
}

/** One connection; the only one on its file. */
export interface Connection {
  readonly location: string;
  /** Why nothing can be written, in words; null where it can be, undefined in the library. */
  readonly whyReadOnly?: string | null;
  /** Missing where there are none. */
  readonly extensions?: readonly LoadedExtension[];
  /** Missing where there are none. */
  readonly standIns?: readonly StandInState[];
  /** Each statement is a round trip, and each row that is read is paid for: nothing is read without being asked for. */
  readonly isMetered?: true;
  /** Settings and TEMP objects last no longer than one request, or a transaction, so none are kept. */
  readonly forgetsSettings?: true;
  /**
   * Prepares the first statement of `sql`. Statements are cached by text; `finalize` returns one to the cache. Text after the statement is
   * refused.
   * @throws AppError `sql` with the UTF-16 offset of the error
   */
  prepare(sql: string): Statement;
  /**
   * Checks whether SQLite accepts `sql`. Nothing takes effect, not even a PRAGMA that otherwise acts while it is prepared. @throws as
   * {@link prepare}
   * @param namesOnly a text in double quotes is an error in views and triggers, too: it may be a column that is missing
   */
  check(sql: string, namesOnly?: boolean): void;
  /**
   * Checks, for a definition from an untrusted file, that `sql` is the CREATE of this object in `main` and nothing else. SQLite reports
   * that while it prepares the text; nothing runs. Undefined where the engine cannot tell.
   * @throws AppError `invalid`, `unavailable` when it is something else, otherwise as {@link prepare}
   */
  assertDefines?(sql: string, object: DefinedObject): void;
  /**
   * Walks the statements of a script, preparing one at a time, in linear time.
   *
   * @param parameters `refused`, the default: a statement with parameters is an error, because they would have no values. `bound`: the
   *   caller binds them.
   */
  script(sql: string, parameters?: ScriptParameters): Script;
  /**
   * Reads all rows of a table in less time than {@link prepare} and {@link Statement.pack}; null where that is not possible for this table,
   * undefined where the engine has no such way.
   */
  scan?(rows: TableRows): RowScan | null;
  /**
   * Lets statements of this connection read the file of another one, too, which stays open: for our own statements, as no SQL of a person
   * can attach a file. Null where that is not possible for the two, undefined where the engine cannot.
   */
  readBeside?(other: Connection): ReadBeside | null;
  /** Runs a statement that returns no rows (or whose rows do not matter). Returns the rows it changed. */
  run(sql: string, params?: readonly Value[]): number;
  /** First row of a query, or null. For small internal reads; bulk rows go through {@link Statement.pack}. */
  one(sql: string, params?: readonly Value[]): readonly Value[] | null;
  all(sql: string, params?: readonly Value[]): readonly (readonly Value[])[];
  /**
   * Runs an INSERT once for each record of a file, the fastest way the engine has. Inside a transaction only; close it before that ends.
   * @throws as {@link prepare}
   */
  insertRecords(sql: RecordSql, binding: RecordBinding): RecordInsert;
  /**
   * Returns what runs INSERT statements that begin with `into`, each of one row of literals, without preparing one that is used again: for a
   * few rows that less time is needed for. Inside a transaction only. Undefined where preparing takes little.
   * @throws as {@link prepare}, and what it returns as {@link run}
   */
  insertTexts?(into: string): (sql: string) => void;
  /**
   * All of them or none, in one transaction and one round trip, for engines where each statement is one. Not inside a transaction. If the
   * reply is lost, the rows are read again; if that does not tell, `detail.kind` of the error is `unknown-outcome`.
   * @throws AppError as {@link Statement.step}; nothing was changed then
   */
  writeTogether?(writes: readonly GuardedWrite[]): GuardedOutcome;
  /**
   * Runs statements one after the other in the open transaction, in one round trip, without looking at what they mean: anything may have
   * changed afterwards. After one that fails, none of the others is run, unless `goOn`. For engines where each statement is a round trip.
   * @throws AppError when the transaction is over
   */
  runInTransaction?(statements: readonly BoundSql[], goOn: boolean): readonly StatementOutcome[];
  /**
   * Opens, for a database whose rows are far away, a new connection on this computer to an empty database with the same schema, where
   * statements are tried that no one else should wait for. The caller closes it.
   */
  openNear?(): Connection;
  /** False between BEGIN and COMMIT (`sqlite3_get_autocommit`). */
  readonly autocommit: boolean;
  /** Rows changed by all statements since open, triggers included (`sqlite3_total_changes64`). */
  readonly totalChanges: number;
  /**
   * Rollbacks since open, including those of savepoints: rows that a reader has seen may be gone, which {@link totalChanges} does not show.
   */
  readonly rollbacks: number;
  readonly lastInsertRowid: number | bigint;
  setDurability(durability: Durability): void;
  /**
   * Attaches a file until {@link detach}, or until the connection is closed. Not inside a transaction. For files in place only.
   * @throws AppError `not-found`, `not-a-database`, `corrupt`, `too-new`, `locked`, `unavailable`
   */
  attach?(file: AttachedFile): void;
  detach?(name: string): void;
  /** The names of the attached files, but not of what SQL attached. */
  readonly attached?: readonly string[];
  /** SQLite refuses each write until this is called with false (sqlite.org/pragma.html#pragma_query_only). For files in place only. */
  refuseWrites?(refuses: boolean): void;
  /** False while the connection is not in use: frees its page cache for others. True, as after opening: gives it its share again. */
  useCache(isUsed: boolean): void;
  /** True for work that writes page after page and comes back to none: it needs no cache. Until it is called with false. */
  passCache(isPassed: boolean): void;
  /** Bytes of memory that its pages, schema and statements use; null where the engine cannot tell. */
  readonly memoryBytes: number | null;
  /**
   * Called between virtual machine steps (about every 1,000). If the handler returns true, the running statement is interrupted and fails
   * with `stopped`.
   */
  onProgress(handler: (() => boolean) | null): void;
  /**
   * Sets the only listener. It is never called from inside a SQLite callback: the engine publishes only after the statement has returned.
   */
  onCommit(listener: ((changes: TransactionChanges) => void) | null): void;
  /**
   * Records the row log of each transaction from the next one on, up to `budgetBytes`; null stops recording. {@link TransactionChanges.log}
   * delivers it with the commit.
   */
  record(options: { readonly budgetBytes: number; readonly guard: ChangeGuard } | null): void;
  /**
   * The log of the open transaction so far, without what savepoints and failed statements rolled back; null without {@link record} or past
   * the budget.
   */
  readonly openLog: RowLog | null;
  /**
   * Runs `body` in a transaction of its own, rolled back when it throws, with triggers, foreign key actions and CHECK off and shadow tables
   * writable: the changes of a row log already include everything that followed from them. Virtual tables drop their caches afterwards. Not
   * inside a transaction.
   * @throws AppError `locked` too
   */
  replay<T>(body: () => T): T;
  /**
   * Begins (IMMEDIATE) a transaction in which foreign keys are neither enforced nor act, so that a table can be dropped and created again
   * without deleting the rows that refer to it. They are restored however the transaction ends; if that fails, the connection runs nothing
   * more.
   * @throws AppError `invalid` inside a transaction, `locked`
   */
  beginWithoutForeignKeys(): void;
  /**
   * Runs statements that move rows of stored tables and indexes out of the schema table, or back unchanged. For scratch databases only:
   * defensive mode would forbid it. Undefined where the database is not ours.
   */
  moveSchemaRows?(statements: readonly string[]): void;
  /**
   * Reads the last committed state in order, as bytes of a file and of its WAL, even while a transaction is open. A database made of both
   * parts opens in that state. Between two pieces other work may read, but nothing may be committed or checkpointed.
   * @throws AppError `unavailable` for a database in memory while a transaction is open
   */
  copyCommitted(): Generator<CommittedPiece, void>;
  /** Why {@link restoreFrom} always fails; missing where it does not. */
  readonly whyNotRestored?: string;
  /**
   * Replaces the content with that of the database at `location`, in one transaction; this connection and its TEMP tables stay
   * (sqlite.org/backup.html). Publishes that anything may have changed. `onProgress` can stop it like a statement.
   * @throws AppError `full`, `io`, `stopped`, `not-found`; `unavailable` inside a transaction, while something is half read, or when the
   *   page sizes differ. The content is then unchanged
   * @param watch called now and then with the share that is done, where the engine can tell
   * @param assertStill called once no other connection can commit; if it throws, nothing is changed
   */
  restoreFrom(location: string, watch?: (share: number) => void, assertStill?: () => void): void;
  /**
   * Identifies the last committed state: it is the same after closing and reopening exactly when nothing was committed or lost in between.
   * Every commit changes it; checkpoints, rollbacks, closing, kills and power cuts by themselves never do. Compare it only with a mark of
   * the same file that was kept after the commit it identifies. Takes a few µs. For a file in place, checkpoints change it too.
   */
  readonly commitMark: string;
  /**
   * Whether two different marks, read before and after work of this connection while no other program has committed, name one state: a
   * transaction too large for its page cache writes to the file before it commits, and once more when it is rolled back. Undefined where
   * that does not change the mark.
   */
  isSameCommit?(before: string, after: string): boolean;
  /**
   * Changes whenever another program commits to the file, never by commits of this connection; 0 where no other program can.
   * @throws AppError `locked`
   */
  readonly dataVersion: number;
  /**
   * Some engines notice a schema that others have changed only with the next reply: finds out now, for work that goes through all tables.
   */
  refreshSchema?(): void;
  /**
   * For files that other programs can lock: tells which program prevents this connection from reading or writing now, in words ('' when the
   * system does not say); null when none does. Takes at most 10 ms. Always null inside a transaction.
   */
  lockedBy?(work: 'read' | 'write'): string | null;
  /** The other programs that hold a lock on the file now, in words; null when none is known. */
  lockHolders?(): string | null;
  /**
   * Commits, and then makes the checkpoint that the size of the WAL calls for, in pieces of `pieceMs` where one piece would take seconds;
   * undefined where COMMIT does not take that long. Between pieces any other work may run. If the checkpoint fails, or is not made to its
   * end, the commit stays in the WAL.
   * @param commit runs COMMIT @throws what `commit` throws; nothing else
   */
  commitInPieces?(commit: () => void, pieceMs: number): Generator<LogMoved, void>;
  /** Moves WAL content into the file and empties the WAL. */
  checkpoint(): void;
  /** Reads `length` bytes of the database file at `offset`, fewer at its end. After {@link checkpoint} that is the committed state. */
  readFile(offset: number, length: number): Uint8Array;
  /** Copies what the open read transaction sees into a new file at `location`, some pages at a time: nothing is written beside the own file. */
  copyPages?(location: string): Generator<void, void>;
  readonly fileSizeBytes: number;
  /** The content as a file that is not encrypted; null if {@link readFile} reads one. @throws AppError `too-big` */
  plainContent?(): Uint8Array | null;
  close(): void;
}

export interface ReadBeside {
  /** Its name in statements. */
  readonly schema: string;
  /** When no statement is half read. */
  end(): void;
}

/** All rows of a table, as SQL. */
export interface TableRows {
  readonly from: string;
  readonly columns: readonly string[];
  /** The order of its key; null for the order in which SQLite finds them. */
  readonly orderBy: string | null;
}

/** A statement that reads its rows from the first to the last. */
export type RowScan = Pick<Statement, 'columnCount' | 'pack' | 'finalize'>;

/** A table or view that a statement reads from. */
export interface TableRead {
  readonly table: string;
  /** Empty when only the existence of rows matters, as for `count(*)`. */
  readonly columns: ReadonlySet<string>;
}

/**
 * The values of all parameters of a script; without values, a script with a parameter is refused. `bound`: the caller that walks the script
 * binds them.
 */
export type ScriptParameters = ParameterValues | 'bound';

export interface Script {
  /**
   * Finalizes the previous statement and returns the next, or null at the end. Skips comments and white space.
   *
   * @throws AppError `sql`; `invalid` for a statement with a parameter that has no value
   */
  next(): ScriptStatement | null;
  /** UTF-16 offset up to which the text has been prepared. */
  readonly position: number;
  dispose(): void;
}

export interface ScriptStatement extends Statement {
  /** UTF-16 range of this statement in the script. */
  readonly from: number;
  readonly to: number;
}

/** Effect of a statement on the connection instead of rows; `savepoint` stands for RELEASE and ROLLBACK TO as well, `attach` for DETACH. */
export type Control = 'transaction' | 'savepoint' | 'attach' | 'vacuum';

export interface Statement {
  /**
   * Null for a statement that reads or writes rows, defines an object, or is a PRAGMA. SQLite reports it; it is not guessed from the text.
   */
  readonly control: Control | null;
  readonly columnCount: number;
  readonly columns: readonly ResultColumn[];
  /** `sqlite3_stmt_readonly`: makes no direct change to the database file. */
  readonly readonly: boolean;
  /** Tables and views it reads, from the authorizer: correct for views, virtual tables and covering indexes. */
  readonly readTables: readonly string[];
  /** The same, with the columns. */
  readonly reads: readonly TableRead[];
  readonly parameterCount: number;
  /** Binds `params` to parameters 1, 2, … and clears earlier bindings. */
  bind(params: readonly Value[]): void;
  /** True: there is a row. False: done. @throws AppError; the statement is then reset */
  step(): boolean;
  /**
   * Rows of tables and indexes visited since the statement began, also readable during {@link step}; undefined where the engine cannot
   * tell.
   */
  readonly rowsVisited?: number | undefined;
  /** Tables whose rows the statement changes, triggers included; undefined where the engine cannot tell. */
  readonly writtenTables?: readonly string[] | undefined;
  /** One complete value of the current row. */
  value(column: number): Value;
  /**
   * Steps and packs until `maxRows` rows or `maxBytes` bytes are in `writer` or `deadlineMs` (performance.now) passes, whichever is first.
   * True: there may be more. The hot path of the product.
   */
  pack(writer: PackedRowsWriter, limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean;
  reset(): void;
  finalize(): void;
}

/** A part of the last committed state. */
export interface CommittedPiece {
  readonly part: 'file' | 'wal';
  readonly bytes: Uint8Array;
}

/** How much of a WAL is in the file by now. */
export interface LogMoved {
  readonly doneBytes: number;
  readonly totalBytes: number;
  /** Another thread moves the content, and there is nothing to do until it has. */
  readonly until?: Promise<unknown>;
}

// What Sidelite asks of a database engine. Both engines implement this and pass `contract.test-suite.ts`; everything above
// it (sessions, readers, operations) is the same code for both. All calls are synchronous: an engine owns its thread.
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { EngineInfo } from '#shared/protocol/session.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { RecordInsert, RecordSql } from './record-insert.ts';
import type { RecordBinding } from './record-values.ts';
import type { ChangeGuard, RowLog } from './row-log/row-log.ts';

export interface Engine {
  readonly info: EngineInfo;
  /** @throws AppError `not-found`, `not-a-database`, `corrupt`, `too-new`, `full`, `io` */
  open(location: string, options: OpenOptions): Connection;
}

export interface OpenOptions {
  readonly durability: Durability;
  /** A database that is not ours: defensive mode on, trusted_schema off (sqlite.org/security.html). Default true. */
  readonly untrusted?: boolean;
  readonly create?: boolean;
  /** Nothing can write to the file, because the person asked for it. Only the native engine knows it. */
  readonly readOnly?: boolean;
  /**
   * For salvage: errors in the schema are passed over and a wrong page count is not believed (`writable_schema`). Defensive mode would take
   * that away again, so nothing can be written instead (`query_only`).
   */
  readonly tolerant?: boolean;
  /**
   * A file that nobody else knows and that is thrown away unless it is filled to its end: what virtual tables keep their content in can be
   * written to, and nothing waits for the disk. Defensive mode is off, so nothing but such a file is opened this way.
   */
  readonly scratch?: boolean;
  /** At most for its page cache. Default `MEMORY_BUDGET.pageCache`; less where many connections share the budget. */
  readonly cacheBytes?: number;
}

export interface DefinedObject {
  readonly kind: 'table' | 'virtual' | 'index' | 'view' | 'trigger';
  readonly name: string;
}

/** One connection; the only one on its file. */
export interface Connection {
  readonly location: string;
  /**
   * Prepares the first statement of `sql`. Cached by text: `finalize` gives it back. Text after it is refused.
   * @throws AppError `sql` with the UTF-16 offset of the error
   */
  prepare(sql: string): Statement;
  /** Prepares and forgets: whether SQLite takes `sql`. Nothing acts, not even a PRAGMA, which otherwise does while it is prepared. @throws as {@link prepare} */
  check(sql: string): void;
  /**
   * For a definition from a file that nobody vouches for: whether `sql` is the CREATE of this object in `main` and nothing else. SQLite
   * says so while it prepares it; nothing is run. Undefined where the engine cannot tell.
   * @throws AppError `invalid`, `unavailable` when it is something else, otherwise as {@link prepare}
   */
  assertDefines?(sql: string, object: DefinedObject): void;
  /**
   * Walks the statements of a script, one prepared at a time, in linear time whatever its length.
   *
   * @param parameters `refused`, as by default: a statement with parameters is an error, for nobody gives them values. `bound`: the
   *   caller binds them.
   */
  script(sql: string, parameters?: ScriptParameters): Script;
  /** Runs a statement that returns no rows (or whose rows do not matter). Answers the rows it changed. */
  run(sql: string, params?: readonly Value[]): number;
  /** First row of a query, or null. For small internal reads; bulk rows go through {@link Statement.pack}. */
  one(sql: string, params?: readonly Value[]): readonly Value[] | null;
  all(sql: string, params?: readonly Value[]): readonly (readonly Value[])[];
  /**
   * Runs an INSERT once for each record of a file, the fastest way the engine has. Inside a transaction only; close it before that ends.
   * @throws as {@link prepare}
   */
  insertRecords(sql: RecordSql, binding: RecordBinding): RecordInsert;
  /** False between BEGIN and COMMIT (`sqlite3_get_autocommit`). */
  readonly autocommit: boolean;
  /** Rows changed by all statements since open, triggers included (`sqlite3_total_changes64`). */
  readonly totalChanges: number;
  /** Rollbacks since open, of savepoints too: rows that were seen may be gone, and {@link totalChanges} does not tell. */
  readonly rollbacks: number;
  readonly lastInsertRowid: number | bigint;
  setDurability(durability: Durability): void;
  /** False: nobody uses it for the time being, so its page cache is given back, for others. True, as after opening: it gets its share again. */
  useCache(isUsed: boolean): void;
  /** Bytes of memory that its pages, its schema and its statements hold; null where the engine cannot tell. */
  readonly memoryBytes: number | null;
  /** Called between virtual machine steps (about every 1,000). Answering true interrupts the running statement: it fails with `stopped`. */
  onProgress(handler: (() => boolean) | null): void;
  /** At most one. Never called inside a statement's callbacks into SQLite: publish only after the statement returned. */
  onCommit(listener: ((changes: TransactionChanges) => void) | null): void;
  /**
   * Keeps the row log of each transaction from the next one on, up to `budgetBytes`; null: no longer. {@link TransactionChanges.log}
   * brings it with the commit.
   */
  record(options: { readonly budgetBytes: number; readonly guard: ChangeGuard } | null): void;
  /** What the open transaction has logged so far, savepoints and failed statements taken into account; null without {@link record} or past the budget. */
  readonly openLog: RowLog | null;
  /**
   * Runs `body` in a transaction of its own, rolled back when it throws, with triggers, foreign key actions and CHECK off and shadow tables
   * writable: changes of a row log are replayed as they were, with all that followed from them. Virtual tables forget what they had
   * cached afterwards. Not inside a transaction.
   * @throws AppError `locked` too
   */
  replay<T>(body: () => T): T;
  /**
   * BEGIN IMMEDIATE of a transaction in which foreign keys neither hold nor act, so that a table can be dropped and made again without its
   * rows taking others along. They are as they were once it is over, however it ends; where they are not, nothing more runs.
   * @throws AppError `invalid` inside a transaction, `locked`
   */
  beginWithoutForeignKeys(): void;
  /**
   * The last committed state in order, as bytes of a file and of its WAL, even while a transaction is open. Opening a database
   * made of both parts gives that state. Between two pieces others may read; nothing may be committed or checkpointed.
   * @throws AppError `unavailable` for a database in memory while a transaction is open
   */
  copyCommitted(): Generator<CommittedPiece, void>;
  /**
   * Makes the content that of the database at `location`, in one transaction; this connection and its TEMP tables stay (sqlite.org/backup.html).
   * Publishes that anything may have changed. Stopped like a statement (`onProgress`).
   * @throws AppError `full`, `io`, `stopped`, `not-found`; `unavailable` inside a transaction, while something is half read, or when the
   * pages there have another size. The content is as before then
   * @param watch told now and then how much is done, where the engine can tell
   * @param assertStill called when nobody else can commit any more; what it throws leaves everything as it is
   */
  restoreFrom(location: string, watch?: (share: number) => void, assertStill?: () => void): void;
  /**
   * Names the last committed state: the same after closing and opening exactly when nothing was committed in between and nothing was lost.
   * Every commit gives another one; checkpoints, rollbacks, closing, kills and power cuts never do by themselves. To be compared only:
   * with a mark of the same file, kept after the commit it names. Costs some µs. Of a file in place checkpoints make another one too.
   */
  readonly commitMark: string;
  /**
   * Another one whenever another program has committed to the file, never by commits of this connection; 0 where there are no others.
   * @throws AppError `locked`
   */
  readonly dataVersion: number;
  /**
   * Where other programs may have the file locked: who keeps this connection from reading or writing now, in words ('' when the system
   * does not say); null when nobody does. Takes 10 ms at most. Inside a transaction always null.
   */
  lockedBy?(work: 'read' | 'write'): string | null;
  /** Other programs that hold a lock on the file now, in words; null when none is known. */
  lockHolders?(): string | null;
  /** Moves WAL content into the file and empties the WAL. */
  checkpoint(): void;
  /** The database file as it is committed, after {@link checkpoint}: `length` bytes at `offset`, fewer at the end. */
  readFile(offset: number, length: number): Uint8Array;
  readonly fileSizeBytes: number;
  close(): void;
}

export interface CommittedPiece {
  readonly part: 'file' | 'wal';
  readonly bytes: Uint8Array;
}

/** What one committed transaction changed; TRUTH-TABLE.md says what is published when. */
export interface TransactionChanges {
  /** By name, in the order they were first changed: tables of `main`, owners instead of shadow tables. Null: anything may have changed. */
  readonly tables: ReadonlyMap<string, TableChanges> | null;
  readonly schema: boolean;
  /** Null when nothing is recorded or no row changed. `dropped`: it passed the budget. */
  readonly log: RowLog | 'dropped' | null;
}

export interface TableChanges {
  readonly inserted: boolean;
  /** Only when some row got another value. */
  readonly updated: boolean;
  readonly deleted: boolean;
  /** An update gave a row another row id or primary key: rows may stand in another order. */
  readonly moved: boolean;
  /** Columns that updates gave another value, generated ones always among them. Null: any column. */
  readonly columns: ReadonlySet<string> | null;
  /** Rows that were touched, by their keys before and after; some may be there twice. Null: any row. */
  readonly keys: ChangedKeys | null;
}

export type ChangedKeys =
  | { readonly kind: 'rowid'; readonly rowids: BigInt64Array }
  | { readonly kind: 'primary-key'; readonly keys: readonly (readonly Value[])[] };

/** A table or view that a statement reads from. */
export interface TableRead {
  readonly table: string;
  /** Empty when only rows count, as for `count(*)`. */
  readonly columns: ReadonlySet<string>;
}

/** The values of all parameters of a script; without any, one with a parameter is refused. `bound`: who walks it binds them. */
export type ScriptParameters = ParameterValues | 'bound';

export interface Script {
  /**
   * The next statement, or null at the end. The one before is finalized. Comments and white space are skipped.
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

/** What a statement does to the connection instead of to rows; `savepoint` stands for RELEASE and ROLLBACK TO as well, `attach` for DETACH. */
export type Control = 'transaction' | 'savepoint' | 'attach' | 'vacuum';

export interface Statement {
  /** Null for what reads or writes rows, defines something, or asks and sets (PRAGMA). SQLite's own word, not that of the text. */
  readonly control: Control | null;
  readonly columnCount: number;
  readonly columns: readonly ResultColumn[];
  /** `sqlite3_stmt_readonly`: makes no direct change to the database file. */
  readonly readonly: boolean;
  /** Tables and views it reads, from the authorizer: right for views, virtual tables and covering indexes. */
  readonly readTables: readonly string[];
  /** The same with the columns. */
  readonly reads: readonly TableRead[];
  readonly parameterCount: number;
  /** Binds from 1 on and forgets earlier values. */
  bind(params: readonly Value[]): void;
  /** True: a row is there. False: done. @throws AppError; the statement is reset then */
  step(): boolean;
  /** Rows of tables and indexes it has visited since it began, also while it is inside {@link step}; undefined where the engine cannot tell. */
  readonly rowsVisited?: number;
  /** Tables whose rows it changes, triggers included; undefined where the engine cannot tell. */
  readonly writtenTables?: readonly string[];
  /** One value of the current row, whole. */
  value(column: number): Value;
  /**
   * Steps and packs until `maxRows` rows or `maxBytes` bytes are in `writer` or `deadlineMs` (performance.now) passes, whichever is first.
   * True: there may be more. The hot path of the product.
   */
  pack(writer: PackedRowsWriter, limits: { maxRows: number; maxBytes?: number; deadlineMs?: number }): boolean;
  reset(): void;
  finalize(): void;
}

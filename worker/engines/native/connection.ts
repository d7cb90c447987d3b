// One open file: its statements, its transaction state, the changes it publishes and its bytes.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StandInState } from '#shared/stand-ins.ts';
import type {
  AttachedFile,
  Connection,
  LoadedExtension,
  ReadBeside,
  RowScan,
  Script,
  ScriptParameters,
  TableRead,
  TableRows,
  CommittedPiece,
  LogMoved,
} from '../engine.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { FileConnection, ConnectionSettings } from '../file-connection.ts';
import { assertNoTransaction } from '../transaction.ts';
import { stillReading } from '../engine-errors.ts';
import { assertInTransaction, type RecordInsert, type RecordSql } from '../record-insert.ts';
import type { RecordBinding } from '../record-values.ts';
import { AttachedFiles } from './statements/attached-files.ts';
import type { NativeArguments } from './statements/binding.ts';
import { ChangeWatch, type Watched } from './changes/change-watch.ts';
import { Compiler } from './statements/compiler.ts';
import { definitionOf, isOneStatement, readStatement } from './statements/statement-shape.ts';
import type { Definition, StatementShape, Verb } from './statements/statement-shape.ts';
import { commitInPieces } from './storage/commit-in-pieces.ts';
import { copyPages, copyPieces } from './storage/copy-database.ts';
import type { DatabaseFile } from './storage/database-file.ts';
import { nativeError } from './runtime/errors.ts';
import { Internals } from './runtime/internals.ts';
import type { Database, PreparedStatement } from './runtime/load.ts';
import { lockHolderNames } from './storage/lock-holders.ts';
import { Pulse } from './runtime/pulse.ts';
import { replay } from './changes/replay.ts';
import type { PreparedStandIn } from '../stand-ins/define.ts';
import { defineInNative } from './statements/stand-in-functions.ts';
import { registerTextFunctions } from './statements/text-functions.ts';
import { ReadNames } from './statements/read-names.ts';
import { NativeRecordInsert } from './statements/record-insert.ts';
import { nativeScript } from './statements/script.ts';
import { StatementCache, type Preparer } from './statements/statement-cache.ts';
import type { StatementToRun } from './statements/statement-plans.ts';
import type { NativeStatement } from './statements/statement.ts';
import { TableScans } from './statements/table-scan.ts';

export interface FileLocation {
  readonly location: string;
  /** Closed by {@link closed}. */
  readonly file: DatabaseFile;
  /** Why nothing can be written, in words; null when writing works as far as is known. */
  readonly whyReadOnly: string | null;
  readonly extensions: readonly LoadedExtension[];
  readonly standIns: readonly PreparedStandIn[];
  readonly isEncrypted: boolean;
  /** Replaces the content of the file at `to` with that of the one at `from`, in one transaction. */
  copyDatabase(from: string, to: string, assertStill?: () => void): void;
  /** Moves the WAL beside another file, which nobody has open, into it. */
  moveWalOf(location: string): void;
  attach(db: Database, file: AttachedFile): void;
  detach(db: Database, name: string): void;
  /** Call once SQLite has closed the file. */
  closed(): void;
}

/** SQLite's backup opens the file that it writes to without a key. */
const NOT_RESTORED = 'an encrypted database cannot be replaced by a copy here.';
/** The name of a second file in our own statements. */
const BESIDE = 'sidelite_beside';
/** SQLite gives the content in one piece of memory. */
const MOST_PLAIN_BYTES = 2 ** 31 - 2 ** 20;

export class NativeConnection extends FileConnection implements Connection, Preparer {
  readonly location: string;
  readonly whyNotRestored?: string;
  readonly reading = new Set<NativeStatement>();
  readonly whyReadOnly: string | null;
  readonly extensions?: readonly LoadedExtension[];
  readonly standIns?: readonly StandInState[];
  readonly pulse = new Pulse();
  /** Cached, because reading it from better-sqlite3 before each row took nearly as long as reading the row. */
  isOpen = true;
  readonly #db: Database;
  readonly #location: FileLocation;
  readonly #internals: Internals;
  readonly #attached: AttachedFiles;
  protected readonly watch: ChangeWatch;
  readonly #cache: StatementCache;
  readonly #file: DatabaseFile;
  readonly #compiler: Compiler;
  readonly #scans: TableScans;
  readonly settings = new ConnectionSettings({
    autocommit: () => this.autocommit,
    set: (pragma) => this.#internals.run(`PRAGMA ${pragma}`),
    setQuietly: (pragma) => this.#internals.setQuietly(pragma),
  });
  #reads: ReadNames | null = null;
  #seenRollbacks = 0;
  #seenVersion = 0;

  constructor(db: Database, index: FileLocation) {
    super();
    this.#db = db;
    this.#location = index;
    this.location = index.location;
    this.whyReadOnly = index.whyReadOnly;
    if (index.extensions.length > 0) this.extensions = index.extensions;
    this.#internals = new Internals(db, this.reading);
    this.#attached = new AttachedFiles(this.#internals, index.whyReadOnly === null);
    this.#cache = new StatementCache(this);
    this.watch = new ChangeWatch(this, this.#internals, this.pulse);
    registerTextFunctions(db, this.pulse);
    if (index.standIns.length > 0) this.standIns = defineInNative(db, this.pulse, index.standIns);
    this.#scans = new TableScans(this, db);
    this.#file = index.file;
    const refreshSchema = (): boolean => this.watch.refreshSchema() && (this.forgetSchema(), true);
    const assertLight = (sql: string): void => {
      this.#attached.assertNotLocking(sql);
      this.#assertLight(sql);
    };
    const { isEncrypted } = index;
    if (isEncrypted) this.whyNotRestored = NOT_RESTORED;
    const assertKept = (sql: string): void => this.#attached.assertNotOptimizing(sql);
    this.#compiler = new Compiler(db, { refreshSchema, assertLight, assertKept, isEncrypted, ...this.#holders });
  }

  prepare(sql: string): NativeStatement {
    this.assertReady();
    return this.explaining(sql, () => this.#cache.take(sql));
  }

  check(sql: string): void {
    this.assertReady();
    this.#cache.check(sql);
  }

  script(sql: string, parameters: ScriptParameters = {}): Script {
    this.assertReady();
    return nativeScript(this, sql, parameters);
  }

  insertRecords(sql: RecordSql, binding: RecordBinding): RecordInsert {
    this.assertReady();
    return new NativeRecordInsert(this, sql, binding);
  }

  insertTexts(into: string): (sql: string) => void {
    this.assertReady();
    assertInTransaction(this.autocommit);
    const head = `${into} VALUES (NULL)`;
    const shape = readStatement(head)!;
    this.#assertLight(head);
    return (sql) => {
      if (!isOneStatement(sql) || this.reading.size > 0) return void this.runOnce(sql, []);
      const failure = this.#runText(sql, shape, true);
      if (failure !== null) throw failure;
    };
  }

  scan(rows: TableRows): RowScan | null {
    this.assertReady();
    return this.#scans.begin(rows);
  }

  readBeside(other: Connection): ReadBeside | null {
    this.assertReady();
    if (this.#location.isEncrypted) return null;
    try {
      this.#db.prepare(`ATTACH ? AS ${BESIDE}`).run(other.location);
    } catch {
      return null; // UTF-16 beside UTF-8, for example
    }
    return { schema: BESIDE, end: () => (this.#cache.clear(), this.#internals.run(`DETACH ${BESIDE}`)) };
  }

  protected override runOnce(sql: string, params: readonly Value[]): number {
    this.assertReady();
    const definition = params.length === 0 && this.reading.size === 0 ? definitionOf(sql) : null;
    if (definition !== null && this.#define(definition)) return 0;
    const statement = this.#cache.take(sql);
    try {
      const before = statement.columnCount === 0 ? 0 : this.#internals.totalChanges;
      statement.bind(params);
      while (statement.step());
      return statement.columnCount === 0 ? statement.changes : this.#internals.totalChanges - before;
    } finally {
      statement.finalize();
    }
  }

  /** False: it is to be prepared as any other statement, which tells where the error is. */
  #define({ sql, shape }: Definition): boolean {
    this.#assertLight(sql);
    const { autocommit } = this;
    const failure = this.#runText(sql, shape, false);
    if (failure !== null && (failure.code !== 'sql' || this.autocommit !== autocommit)) throw failure;
    return failure === null;
  }

  /** Prepares, runs, and frees it in one call, while nothing is being read. Returns why it failed. */
  #runText(sql: string, shape: StatementShape, isOfRecords: boolean): AppError | null {
    let watched: Watched | null = null;
    let failure: AppError | null = null;
    try {
      watched = this.begin({ sql, shape, readonly: false, returnsRows: false, isOfRecords });
      this.#internals.executeText(sql);
      this.watch.succeeded(watched);
    } catch (error) {
      failure = this.failed(error, watched);
    }
    this.settled();
    return failure;
  }

  get autocommit(): boolean {
    return !this.#internals.inTransaction;
  }

  get totalChanges(): number {
    this.assertOpen();
    return this.#internals.totalChanges;
  }

  get lastInsertRowid(): number | bigint {
    this.assertOpen();
    const rowid = this.#internals.lastInsertRowid;
    return Number.isSafeInteger(Number(rowid)) ? Number(rowid) : rowid;
  }

  attach(file: AttachedFile): void {
    this.assertOpen();
    assertNoTransaction(this.autocommit);
    if (this.reading.size > 0) throw stillReading();
    this.#attached.assertNoneOptimizes((name) => this.watch.isOurTrigger(name));
    try {
      this.#location.attach(this.#db, file);
    } catch (error) {
      throw nativeError(error, { holders: () => lockHolderNames(file.location) });
    }
    this.#attached.add(file);
    this.#setSchemas();
  }

  detach(name: string): void {
    this.assertOpen();
    assertNoTransaction(this.autocommit);
    if (this.reading.size > 0) throw stillReading();
    this.#location.detach(this.#db, name);
    this.#attached.remove(name);
    this.#setSchemas();
  }

  get attached(): readonly string[] {
    return this.#attached.names;
  }

  /** A name in a statement may be that of another table now. */
  #setSchemas(): void {
    this.heavyGuard.setSchemas(['main', ...this.#attached.names]);
    this.forgetSchema();
  }

  refuseWrites(refuses: boolean): void {
    this.assertOpen();
    this.#internals.run(`PRAGMA query_only = ${refuses ? 'ON' : 'OFF'}`);
  }

  /** better-sqlite3 has no API for this. */
  readonly memoryBytes = null;

  /** Called between rows only: `capabilities.stop` says that one step cannot be stopped. */
  onProgress(handler: (() => boolean) | null): void {
    this.pulse.handler = handler;
  }

  onCommit(listener: ((changes: TransactionChanges) => void) | null): void {
    this.commitListener = listener;
    this.watch.turn(listener !== null);
  }

  replay<T>(body: () => T): T {
    assertNoTransaction(this.autocommit);
    const forgetStatements = (): void => this.forgetSchema();
    const parts = { internals: this.#internals, watch: this.watch, switches: this.switches, forgetStatements };
    return replay(this, parts, body);
  }

  *copyCommitted(): Generator<CommittedPiece, void> {
    this.assertOpen();
    const { isInsideStatement } = this.watch;
    const { isWal } = this.#file;
    if (this.#internals.inTransaction || isInsideStatement) this.#file.assertNotSpilled();
    // While rows are being read, no program can write to the file (rollback journal) or move later commits into it (WAL). A running
    // statement is such a read.
    const reading = isInsideStatement ? null : this.prepare('SELECT name FROM sqlite_schema UNION ALL SELECT 1');
    try {
      reading?.step();
      yield* this.#file.filePieces();
      if (isWal) yield* this.#file.walPieces();
    } finally {
      reading?.finalize();
    }
  }

  restoreFrom(location: string, _watch?: (share: number) => void, assertStill?: () => void): void {
    this.assertOpen();
    if (this.#location.isEncrypted) throw AppError.unavailable(`The database was not replaced: ${NOT_RESTORED}`);
    if (this.#internals.inTransaction || this.reading.size > 0) throw stillReading();
    const mark = this.#file.mark;
    const version = this.#internals.dataVersion;
    let isAlone = false;
    try {
      this.#location.copyDatabase(location, this.location, () => {
        isAlone = this.#file.mark === mark;
        assertStill?.();
      });
    } catch (error) {
      throw nativeError(error, { holders: () => lockHolderNames(this.location) });
    }
    // The copy is written through another connection to the file.
    if (isAlone) this.watch.noteOwnVersion(version);
    this.watch.noteAnything();
    this.settled();
  }

  *copyPages(location: string): Generator<void, void> {
    this.assertOpen();
    if (this.#location.isEncrypted) {
      yield* copyPieces(this.copyCommitted(), location);
      return this.#location.moveWalOf(location);
    }
    try {
      yield* copyPages(this.#db, location, Number(this.one('PRAGMA page_size')![0]));
    } catch (error) {
      throw nativeError(error, { holders: () => lockHolderNames(this.location) });
    }
  }

  get commitMark(): string {
    this.assertOpen();
    return this.#file.mark;
  }

  isSameCommit(before: string, after: string): boolean {
    this.assertOpen();
    return this.#file.isSameCommit(before, after);
  }

  get dataVersion(): number {
    this.assertOpen();
    try {
      const version = this.#internals.dataVersion;
      // Another program has committed, perhaps another schema.
      if (version !== this.#seenVersion) this.heavyGuard.forget();
      this.#seenVersion = version;
      return version - this.watch.ownVersions;
    } catch (error) {
      throw nativeError(error, this.#holders);
    }
  }

  lockedBy(work: 'read' | 'write'): string | null {
    this.assertOpen();
    if (this.#internals.inTransaction || !this.#internals.isLocked(work)) return null;
    return this.lockHolders() ?? '';
  }

  lockHolders(): string | null {
    return lockHolderNames(this.location);
  }

  /** The threads that make checkpoints of large logs have no key. */
  readonly commitInPieces = (commit: () => void): Generator<LogMoved, void> =>
    commitInPieces(this, this.#file, commit, !this.#location.isEncrypted);

  checkpoint(): void {
    this.assertOpen();
    if (this.#file.isWal && !moveWal(this, this.#file)) throw stillReading();
  }

  readFile(offset: number, length: number): Uint8Array {
    this.assertOpen();
    return this.#file.read(offset, length);
  }

  plainContent(): Uint8Array | null {
    this.assertOpen();
    if (!this.#location.isEncrypted) return null;
    if (this.#file.sizeBytes > MOST_PLAIN_BYTES)
      throw AppError.tooBig(
        'More than 2 GB of an encrypted database cannot be written as an SQLite file here. Export it as SQL.',
      );
    return this.#db.serialize();
  }

  get fileSizeBytes(): number {
    this.assertOpen();
    return this.#file.sizeBytes;
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.settings.end();
    this.commitListener = null;
    this.pulse.handler = null;
    for (const statement of this.reading) statement.abandon();
    this.reading.clear();
    this.#cache.clear();
    // An open transaction is rolled back.
    this.#db.close();
    this.#location.closed();
  }

  // For statements

  prepareShape(sql: string, shape: StatementShape): PreparedStatement {
    return this.#compiler.prepare(sql, shape);
  }

  checkShape(sql: string, shape: StatementShape): void {
    this.#compiler.check(sql, shape);
  }

  prepareAgain(sql: string): PreparedStatement {
    return this.#compiler.prepareAgain(sql);
  }

  execute(prepared: PreparedStatement, args: NativeArguments, verb: Verb): number {
    // SQLite calls a BEGIN that locks nothing read-only.
    const isImmediate = verb === 'begin' && !prepared.readonly;
    if (!isImmediate || !this.#internals.locksMainOnly) return this.#internals.execute(prepared, args);
    this.#internals.beginMain();
    return 0;
  }

  readsOf(sql: string): readonly TableRead[] {
    this.#reads ??= new ReadNames(this);
    return this.#reads.readsOf(sql);
  }

  returnsOneRow(sql: string): boolean {
    return this.#compiler.returnsOneRow(sql);
  }

  begin(statement: StatementToRun): Watched {
    this.switches.assertOn();
    this.#attached.assertKept(statement);
    this.#file.noteBegin(this.#internals.inTransaction);
    return this.watch.begin(statement);
  }

  succeeded(watched: Watched): void {
    this.watch.succeeded(watched);
  }

  failed(thrown: unknown, watched: Watched | null): AppError {
    this.#internals.forgetState();
    // SQLite may have rolled back what the transaction had created.
    this.#attached.forget();
    if (thrown instanceof AppError && thrown.code === 'conflict') this.forgetSchema();
    return nativeError(thrown, { rolledBack: this.watch.failed(watched), ...this.#holders });
  }

  release(statement: NativeStatement): void {
    this.#cache.release(statement);
  }

  readonly #holders = { holders: (): string | null => lockHolderNames(this.location) };

  #assertLight(sql: string): void {
    if (this.rollbacks !== this.#seenRollbacks) this.heavyGuard.forget();
    this.#seenRollbacks = this.rollbacks;
    this.heavyGuard.note(sql);
    this.heavyGuard.assertLight(sql);
  }

  protected forgetSchema(): void {
    this.heavyGuard.changed();
    this.#cache.clear();
    this.#reads = null;
  }
}

/** Moves the content of the WAL into the file. False when another program prevents it. */
function moveWal(connection: Connection, file: DatabaseFile): boolean {
  file.joinCheckpoint();
  try {
    return connection.one('PRAGMA main.wal_checkpoint(TRUNCATE)')![0] === 0;
  } catch (error) {
    if (error instanceof AppError && (error.sqlite?.result === 6 || error.code === 'locked')) return false;
    throw error;
  }
}

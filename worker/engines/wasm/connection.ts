// One open database: its statements, its transaction state, the changes it publishes and its file.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StandInState } from '#shared/stand-ins.ts';
import type { Connection, DefinedObject, Script, ScriptParameters } from '../engine.ts';
import type { CommittedPiece, LogMoved } from '../file-pieces.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { Authorizer } from './statements/authorizer.ts';
import type { StatementFacts } from './statements/statement-facts.ts';
import { ChangeWatch } from './changes/change-watch.ts';
import { commitInPieces } from './storage/commit-in-pieces.ts';
import { DatabaseFile } from './storage/database-file.ts';
import { ConnectionSettings } from '../connection-settings.ts';
import { stillReading } from '../still-reading.ts';
import type { RecordInsert, RecordSql } from '../record-insert.ts';
import type { RecordBinding } from '../record-values.ts';
import { replaySwitches } from './changes/replay.ts';
import { sqliteError } from './runtime/errors.ts';
import type { Hooks, HookTarget } from './runtime/hooks.ts';
import type { Sqlite } from './runtime/load.ts';
import type { LogLayer } from './storage/log-layer.ts';
import type { Pointer } from './runtime/raw.ts';
import { copyOver } from './storage/restore.ts';
import { FileConnection } from '../file-connection.ts';
import { assertNoTransaction, atomically } from '../transaction.ts';
import { QuotedStrings } from './statements/quoted-strings.ts';
import { WasmRecordInsert } from './statements/record-insert.ts';
import { WasmScript } from './statements/script.ts';
import { ShadowTables } from './changes/shadow-tables.ts';
import type { Before, StatementOwner, WasmStatement } from './statements/statement.ts';
import { StatementCache } from './statements/statement-cache.ts';
import { assertLoads } from '../schema-load.ts';
import type { LoadLimits } from '../schema-load.ts';
import { TableNames } from './changes/table-names.ts';

export interface FileLocation {
  readonly location: string;
  /** Null in memory. */
  readonly logs: LogLayer | null;
  /** Opens another database of the same engine. */
  openBeside(location: string): WasmConnection;
}

export class WasmConnection extends FileConnection implements Connection, StatementOwner {
  readonly sqlite: Sqlite;
  readonly location: string;
  readonly authorizer: Authorizer;
  readonly quotedStrings: QuotedStrings;
  readonly live: WasmStatement[] = [];
  standIns?: readonly StandInState[];
  readonly #hooks: Hooks;
  readonly #handlers: HookHandlers;
  protected readonly watch: ChangeWatch;
  readonly #cache: StatementCache;
  readonly #shadows: ShadowTables;
  readonly #file: DatabaseFile;
  readonly #openBeside: FileLocation['openBeside'];
  readonly settings = new ConnectionSettings({
    autocommit: () => this.autocommit,
    set: (pragma) => void this.run(`PRAGMA ${pragma}`),
    setQuietly: (pragma) => this.#setQuietly(pragma),
  });
  #db: Pointer;

  constructor(sqlite: Sqlite, hooks: Hooks, db: Pointer, index: FileLocation) {
    super();
    this.sqlite = sqlite;
    this.location = index.location;
    this.#openBeside = index.openBeside;
    this.#file = new DatabaseFile(sqlite, db, index.logs);
    this.#hooks = hooks;
    this.#db = db;
    const names = new TableNames(sqlite.heap);
    this.authorizer = new Authorizer(sqlite.heap, names);
    this.quotedStrings = new QuotedStrings(sqlite, db);
    this.watch = new ChangeWatch(this, names);
    this.#cache = new StatementCache(this);
    this.#shadows = new ShadowTables(this);
    this.#handlers = new HookHandlers(this.watch, this.authorizer, this.#file);
    hooks.attach(db, this.#handlers);
  }

  get isOpen(): boolean {
    return this.#db !== 0;
  }

  get db(): Pointer {
    return this.#db;
  }

  prepare(sql: string): WasmStatement {
    this.assertReady();
    return this.explaining(sql, () => this.#cache.take(sql));
  }

  check(sql: string, namesOnly = false): void {
    this.assertReady();
    this.quotedStrings.unless(namesOnly, () => this.authorizer.checking(() => this.#cache.check(sql)));
  }

  assertDefines(sql: string, object: DefinedObject): void {
    this.assertReady();
    this.authorizer.assertDefines(object, () => this.#cache.check(sql));
  }

  script(sql: string, parameters: ScriptParameters = {}): Script {
    this.assertReady();
    return new WasmScript(this, sql, parameters);
  }

  insertRecords(sql: RecordSql, binding: RecordBinding): RecordInsert {
    this.assertReady();
    return new WasmRecordInsert(this, sql, binding);
  }

  /** Runs `work`, which writes nothing but rows inserted into `table`, and is told of each row only if that adds to what is known. */
  whileInserting<T>(table: string | undefined, work: () => T): T {
    if (table === undefined || this.watch.learnsFromInserts(table)) return work();
    this.#hooks.watchRows(this.#db, false);
    try {
      return work();
    } finally {
      this.#hooks.watchRows(this.#db, true);
    }
  }

  protected override runOnce(sql: string, params: readonly Value[]): number {
    const { raw } = this.sqlite;
    const statement = this.prepare(sql);
    try {
      const before = raw.sqlite3_total_changes(this.#db);
      statement.bind(params);
      while (statement.step());
      // Any statement but INSERT, UPDATE or DELETE leaves the count of the previous statement.
      return raw.sqlite3_total_changes(this.#db) === before ? 0 : Number(raw.sqlite3_changes64(this.#db));
    } finally {
      statement.finalize();
    }
  }

  get autocommit(): boolean {
    return this.sqlite.raw.sqlite3_get_autocommit(this.#db) !== 0;
  }

  get totalChanges(): number {
    return Number(this.sqlite.raw.sqlite3_total_changes64(this.#db));
  }

  get lastInsertRowid(): number | bigint {
    const rowid = this.sqlite.raw.sqlite3_last_insert_rowid(this.#db);
    return Number.isSafeInteger(Number(rowid)) ? Number(rowid) : rowid;
  }

  get memoryBytes(): number {
    this.assertOpen();
    return heldInMemory(this.sqlite, this.#db);
  }

  onProgress(handler: (() => boolean) | null): void {
    this.#handlers.progressHandler = handler;
    this.#hooks.watchProgress(this.#db, handler !== null);
  }

  /**
   * Call before anything else reads from the file of somebody else. The first read recovers its WAL, or rolls back what another program left
   * unfinished, and loads no schema yet.
   * @throws AppError `corrupt`, `invalid`
   */
  assertSchemaLoads(limits: LoadLimits): void {
    this.run('PRAGMA main.user_version');
    assertLoads(
      {
        read: (at, length) => this.#file.main.read(at, length),
        readWal: (at, length) => this.#file.readWal(at, length),
      },
      limits,
    );
  }

  onCommit(listener: ((changes: TransactionChanges) => void) | null): void {
    this.commitListener = listener;
  }

  replay<T>(body: () => T): T {
    assertNoTransaction(this.autocommit);
    // The effects of statements were learned with triggers on.
    this.#cache.clear();
    const { set, restore } = replaySwitches(this.sqlite, this.#db, this);
    try {
      return this.switches.whileOff({ set, restore }, () => atomically(this, body));
    } finally {
      this.#cache.clear();
    }
  }

  copyCommitted(): Generator<CommittedPiece, void> {
    this.assertOpen();
    return this.#file.copyCommitted();
  }

  restoreFrom(location: string, watch: (share: number) => void = () => undefined, assertStill?: () => void): void {
    this.assertOpen();
    assertStill?.(); // there are no other connections
    const refusal = inParts('Finish the open transaction first.', 'Nothing was changed.');
    if (!this.autocommit) throw new AppError({ code: 'unavailable', ...refusal });
    const source = this.#openBeside(location);
    try {
      copyOver(this.sqlite, source, this, (share) => (watch(share), this.#handlers.progress()));
    } catch (error) {
      this.#file.log?.rolledBack();
      throw error;
    } finally {
      source.close();
      this.heavyGuard.forget();
      this.forgetSchema();
    }
    this.commitListener?.({ tables: null, schema: true, log: null });
  }

  get commitMark(): string {
    this.assertOpen();
    return this.#file.commitMark;
  }

  get dataVersion(): number {
    return 0;
  }

  /** Call once the database has been read: by then SQLite knows which part of an old log is valid. */
  learnLog(): void {
    this.#file.log?.recovered(Number(this.one('PRAGMA wal_checkpoint(NOOP)')?.[1]));
  }

  commitInPieces(commit: () => void, pieceMs: number): Generator<LogMoved, void> {
    return commitInPieces(this, this.#file, commit, pieceMs);
  }

  checkpoint(): void {
    const busy = this.one('PRAGMA wal_checkpoint(TRUNCATE)')?.[0];
    if (busy === 1) throw stillReading();
  }

  readFile(offset: number, length: number): Uint8Array {
    this.assertOpen();
    return this.#file.main.read(offset, length);
  }

  get fileSizeBytes(): number {
    this.assertOpen();
    return this.#file.main.sizeBytes;
  }

  close(): void {
    if (this.#db === 0) return;
    const { raw } = this.sqlite;
    const db = this.#db;
    this.settings.end();
    this.onProgress(null);
    this.commitListener = null;
    this.#cache.clear();
    // Destroy only our own: FTS5 and R-Tree keep statements on this connection too, and finalize them themselves.
    for (const statement of [...this.live]) statement.destroy();
    this.#file.closing();
    // An open transaction is rolled back, the WAL moved into the file and removed.
    raw.sqlite3_close_v2(db);
    this.#db = 0;
    this.#hooks.detach(db);
  }

  // For statements

  begin(facts: StatementFacts): Before {
    this.switches.assertOn();
    return this.watch.begin(facts);
  }

  succeeded(facts: StatementFacts, before: Before | null): void {
    this.watch.succeeded(facts, before);
  }

  failed(code: number, before: Before | null, statement: Pointer): AppError {
    const rolledBack = before !== null && !before.autocommit && this.autocommit;
    const error =
      this.watch.takeRefusal() ??
      sqliteError(this.sqlite, this.#db, code, { refusal: this.authorizer.takeRefusal(), rolledBack });
    this.watch.failed(before, statement, rolledBack);
    return error;
  }

  refused(): AppError | null {
    return this.watch.takeRefusal();
  }

  release(statement: WasmStatement): void {
    this.#cache.release(statement);
  }

  protected override explaining<T>(sql: string, work: () => T): T {
    return super.explaining(sql, () => this.quotedStrings.retrying(work));
  }

  #setQuietly(pragma: string): void {
    try {
      this.run(`PRAGMA ${pragma}`);
    } catch {
      // Only memory use is affected.
    }
  }

  protected forgetSchema(): void {
    this.heavyGuard.changed();
    this.#cache.clear();
    this.#shadows.forget();
    this.watch.forgetSchema();
  }

  protected override publish(changes: TransactionChanges): void {
    this.commitListener?.({ ...changes, tables: this.#shadows.owners(changes.tables) });
  }
}

/** Page caches (those of TEMP tables too), schema, statements: sqlite.org/c3ref/c_dbstatus_options.html. */
const HELD = [1, 2, 3] as const;

/** Bytes of its page caches, its schema, and its statements. */
function heldInMemory({ raw, heap, out }: Sqlite, db: Pointer): number {
  return HELD.reduce((sum, what) => {
    raw.sqlite3_db_status(db, what, out, out + 4, 0);
    return sum + heap.pointerAt(out);
  }, 0);
}

/** SQLite's callbacks for one connection. */
class HookHandlers implements HookTarget {
  /** See {@link Connection.onProgress}. */
  progressHandler: (() => boolean) | null = null;
  readonly #watch: ChangeWatch;
  readonly #authorizer: Authorizer;
  readonly #file: DatabaseFile;

  constructor(watch: ChangeWatch, authorizer: Authorizer, file: DatabaseFile) {
    this.#watch = watch;
    this.#authorizer = authorizer;
    this.#file = file;
  }

  row(operation: number, schema: Pointer, table: Pointer, oldRowid: bigint, newRowid: bigint): void {
    this.#watch.row(operation, schema, table, oldRowid, newRowid);
  }

  commit(): boolean {
    return this.#watch.commit();
  }

  rollback(): void {
    this.#watch.rollback();
    this.#file.log?.rolledBack();
  }

  authorize(action: number, first: Pointer, second: Pointer, schema: Pointer): number {
    return this.#authorizer.decide(action, first, second, schema);
  }

  progress(): boolean {
    try {
      return this.progressHandler?.() === true;
    } catch {
      // An exception must not unwind SQLite's own frames.
      return true;
    }
  }
}

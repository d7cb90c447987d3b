// One open database: its statements, its transaction state, the changes it publishes and its file.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { StandInState } from '#shared/stand-ins.ts';
import type { Connection, DefinedObject, Script, ScriptParameters, CommittedPiece, LogMoved } from '../engine.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { Authorizer } from './statements/authorizer.ts';
import type { StatementFacts } from './statements/statement-facts.ts';
import { ChangeWatch } from './changes/change-watch.ts';
import { commitInPieces, DatabaseFile } from './storage/database-file.ts';
import { ConnectionSettings, FileConnection } from '../file-connection.ts';
import { stillReading } from '../engine-errors.ts';
import type { RecordInsert, RecordSql } from '../record-insert.ts';
import type { RecordBinding } from '../record-values.ts';
import { sqliteError } from './runtime/errors.ts';
import type { Hooks, HookTarget } from './runtime/hooks.ts';
import type { Sqlite } from './runtime/load.ts';
import type { LogLayer } from './storage/log-layer.ts';
import { type Pointer, DbConfig, Result } from './runtime/raw.ts';
import { assertNoTransaction, atomically } from '../transaction.ts';
import { QuotedStrings } from './statements/quoted-strings.ts';
import { WasmRecordInsert } from './statements/record-insert.ts';
import { WasmScript } from './statements/script.ts';
import { ShadowTables } from './changes/shadow-tables.ts';
import type { Before, StatementOwner, WasmStatement } from './statements/statement.ts';
import { StatementCache } from './statements/statement-cache.ts';
import { assertLoads, type LoadLimits } from '../schema-load.ts';
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

// The switches of a connection during a replay of changes: they trigger nothing, and nothing is checked again.

/** Settings during a replay. Shadow tables can be written only without defensive mode. */
const WHILE_REPLAYING = [
  [DbConfig.foreignKeys, 0],
  [DbConfig.triggers, 0],
  [DbConfig.defensive, 0],
] as const;

/** Settings outside transactions. The protective ones are restored first. */
function replaySwitches(
  sqlite: Sqlite,
  db: Pointer,
  connection: Connection,
): { readonly set: () => void; readonly restore: () => void } {
  const { raw, heap, out } = sqlite;
  const checksIgnored = (): number => Number(connection.one('PRAGMA ignore_check_constraints')?.[0]);
  const stateOf = (option: number): number => {
    raw.sqlite3__wasm_db_config_ip(db, option, -1, out);
    return heap.view.getInt32(out, true);
  };
  const setAll = (settings: readonly (readonly [option: number, value: number])[]): void => {
    for (const [option, value] of settings) raw.sqlite3__wasm_db_config_ip(db, option, value, 0);
    if (settings.some(([option, value]) => stateOf(option) !== value)) throw new Error('A switch did not move.');
  };
  const before = WHILE_REPLAYING.map(([option]) => [option, stateOf(option)] as const);
  const checksBefore = checksIgnored();
  return {
    set: () => {
      setAll(WHILE_REPLAYING);
      connection.run('PRAGMA ignore_check_constraints = ON');
    },
    restore: () => {
      setAll(before);
      connection.run(`PRAGMA ignore_check_constraints = ${checksBefore === 1 ? 'ON' : 'OFF'}`);
      if (checksIgnored() !== checksBefore) throw new Error('CHECK is still off.');
      // Reads the schema again: FTS5 caches its index until its table is opened again, and the planner caches its statistics.
      connection.run('PRAGMA writable_schema = RESET');
    },
  };
}

// Copies one open database over another, page by page, in one transaction (sqlite.org/backup.html).

/** Pages between two looks at the stop flag: some milliseconds. */
const PAGES_PER_STEP = 256;

/**
 * @param stopped asked between steps, with how much is done
 * @throws AppError `stopped`, `full`, `io`, `unavailable`; nothing was changed then
 */
function copyOver(sqlite: Sqlite, from: WasmConnection, to: WasmConnection, stopped: (share: number) => boolean): void {
  refuseOtherPageSize(from, to);
  const { raw, heap } = sqlite;
  const schema = heap.allocateText('main');
  const backup = raw.sqlite3_backup_init(to.db, schema.pointer, from.db, schema.pointer);
  heap.free(schema.pointer);
  if (backup === 0) {
    // The only reason of `sqlite3_backup_init` besides memory.
    throw stillReading();
  }
  let code = 0;
  let isStopped = false;
  while (code === 0 && !isStopped) {
    code = raw.sqlite3_backup_step(backup, PAGES_PER_STEP);
    const share = 1 - raw.sqlite3_backup_remaining(backup) / raw.sqlite3_backup_pagecount(backup);
    isStopped = code === 0 && stopped(share);
  }
  // Rolls back unless the last step has committed.
  const finished = raw.sqlite3_backup_finish(backup);
  if (isStopped) throw AppError.stopped('Stopped. Nothing was changed.');
  if (code !== Result.done) throw sqliteError(sqlite, to.db, finished || code);
}

/** SQLite can not change it in WAL mode. Copies of a database always have its own. */
function refuseOtherPageSize(from: Connection, to: Connection): void {
  const sizes = [from, to].map((side) => side.one('PRAGMA page_size')?.[0]);
  if (sizes[0] === sizes[1]) return;
  throw AppError.unavailable(
    `The copy has a page size of ${String(sizes[0])} bytes and this database one of ${String(sizes[1])}, so one cannot replace the other. Nothing was changed.`,
  );
}

// One open database: its statements, its transaction state, the changes it publishes and its file.
import { AppError } from '#shared/protocol/errors.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection, Script, Statement, TransactionChanges } from '../engine.ts';
import { Authorizer } from './authorizer.ts';
import type { StatementFacts } from './authorizer.ts';
import { ChangeTracker } from './change-tracker.ts';
import { DatabaseFile } from './database-file.ts';
import type { RowLog } from '../row-log/row-log.ts';
import type { SequenceRow } from '../row-log/sequences.ts';
import { beginReplay } from './replay.ts';
import { RowRecorder } from './row-recorder.ts';
import type { RecordOptions } from './row-recorder.ts';
import { sqliteError } from './errors.ts';
import type { HookTarget, Hooks } from './hooks.ts';
import type { Sqlite } from './load.ts';
import type { LogLayer } from './log-layer.ts';
import type { Pointer } from './raw.ts';
import { copyOver } from './restore.ts';
import { WasmScript } from './script.ts';
import { ShadowTables } from './shadow-tables.ts';
import { closedError } from './statement.ts';
import type { Before, StatementOwner, WasmStatement } from './statement.ts';
import { StatementCache } from './statement-cache.ts';
import { TableLayouts } from './table-layouts.ts';
import { TableNames } from './table-names.ts';

export interface Place {
  readonly location: string;
  /** Null in memory. */
  readonly logs: LogLayer | null;
  /** Opens another database of the same engine. */
  openBeside(location: string): WasmConnection;
}

export class WasmConnection implements Connection, StatementOwner, HookTarget {
  readonly sqlite: Sqlite;
  readonly location: string;
  readonly authorizer: Authorizer;
  readonly live = new Set<WasmStatement>();
  readonly #hooks: Hooks;
  readonly #layouts: TableLayouts;
  readonly #recorder: RowRecorder;
  readonly #tracker: ChangeTracker;
  readonly #cache: StatementCache;
  readonly #shadows: ShadowTables;
  readonly #file: DatabaseFile;
  readonly #openBeside: Place['openBeside'];
  #db: Pointer;
  #progressHandler: (() => boolean) | null = null;
  #commitListener: ((changes: TransactionChanges) => void) | null = null;
  #pendingDurability: Durability | null = null;

  constructor(sqlite: Sqlite, hooks: Hooks, db: Pointer, place: Place) {
    this.sqlite = sqlite;
    this.location = place.location;
    this.#openBeside = place.openBeside;
    this.#file = new DatabaseFile(sqlite, db, place.logs);
    this.#hooks = hooks;
    this.#db = db;
    const names = new TableNames(sqlite.heap);
    this.authorizer = new Authorizer(sqlite.heap, names);
    this.#layouts = new TableLayouts(this);
    this.#recorder = new RowRecorder(sqlite);
    this.#tracker = new ChangeTracker(sqlite, names, this.#layouts, this.#recorder);
    this.#cache = new StatementCache(this);
    this.#shadows = new ShadowTables(this);
    hooks.attach(db, this);
  }

  get db(): Pointer {
    return this.#db;
  }

  prepare(sql: string): Statement {
    this.#assertOpen();
    return this.#cache.take(sql);
  }

  script(sql: string): Script {
    this.#assertOpen();
    return new WasmScript(this, sql);
  }

  run(sql: string, params: readonly Value[] = []): number {
    const { raw } = this.sqlite;
    const statement = this.prepare(sql);
    try {
      const before = raw.sqlite3_total_changes(this.#db);
      statement.bind(params);
      while (statement.step());
      // What is no INSERT, UPDATE or DELETE leaves the count of the statement before it.
      return raw.sqlite3_total_changes(this.#db) === before ? 0 : Number(raw.sqlite3_changes64(this.#db));
    } finally {
      statement.finalize();
    }
  }

  one(sql: string, params: readonly Value[] = []): readonly Value[] | null {
    const statement = this.prepare(sql);
    try {
      statement.bind(params);
      return statement.step() ? readRow(statement) : null;
    } finally {
      statement.finalize();
    }
  }

  all(sql: string, params: readonly Value[] = []): readonly (readonly Value[])[] {
    const statement = this.prepare(sql);
    const rows: (readonly Value[])[] = [];
    try {
      statement.bind(params);
      while (statement.step()) rows.push(readRow(statement));
      return rows;
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

  get rollbacks(): number {
    return this.#tracker.rollbacks;
  }

  get lastInsertRowid(): number | bigint {
    const rowid = this.sqlite.raw.sqlite3_last_insert_rowid(this.#db);
    return Number.isSafeInteger(Number(rowid)) ? Number(rowid) : rowid;
  }

  setDurability(durability: Durability): void {
    // SQLite refuses the change inside a transaction.
    this.#pendingDurability = durability;
    this.#applyDurability();
  }

  onProgress(handler: (() => boolean) | null): void {
    this.#progressHandler = handler;
    this.#hooks.watchProgress(this.#db, handler !== null);
  }

  onCommit(listener: ((changes: TransactionChanges) => void) | null): void {
    this.#commitListener = listener;
  }

  record(options: RecordOptions | null): void {
    this.#recorder.set(options);
    this.#recorder.settle(this.autocommit);
  }

  get openLog(): RowLog | null {
    const log = this.#recorder.log(this.#recorder.hasSequences ? this.#readSequences() : null);
    return log === 'dropped' ? null : log;
  }

  replay<T>(body: () => T): T {
    if (!this.autocommit) throw new AppError({ code: 'invalid', message: 'A transaction is open. Commit it first.' });
    // What statements do was learned with triggers on.
    this.#cache.clear();
    const endReplay = beginReplay(this.sqlite, this.#db, this);
    try {
      return body();
    } finally {
      if (!this.autocommit) this.run('ROLLBACK');
      endReplay();
      this.#cache.clear();
    }
  }

  copyCommitted(write: (part: 'file' | 'wal', bytes: Uint8Array) => void): void {
    this.#assertOpen();
    this.#file.copyCommitted(write);
  }

  restoreFrom(location: string): void {
    this.#assertOpen();
    if (!this.autocommit)
      throw new AppError({ code: 'unavailable', message: 'Finish the open transaction first. Nothing was changed.' });
    const source = this.#openBeside(location);
    try {
      copyOver(this.sqlite, source, this, () => this.progress());
    } catch (error) {
      this.#file.log?.rolledBack();
      throw error;
    } finally {
      source.close();
      this.#forgetSchema();
    }
    this.#commitListener?.({ tables: null, schema: true, log: null });
  }

  get commitMark(): string {
    this.#assertOpen();
    return this.#file.commitMark;
  }

  /** Once the database has been read: by then SQLite knows which part of an old log counts. */
  learnLog(): void {
    this.#file.log?.recovered(Number(this.one('PRAGMA wal_checkpoint(NOOP)')?.[1]));
  }

  checkpoint(): void {
    const busy = this.one('PRAGMA wal_checkpoint(TRUNCATE)')?.[0];
    if (busy === 1)
      throw new AppError({
        code: 'unavailable',
        message: 'Something is still reading this database. Try again in a moment.',
      });
  }

  readFile(offset: number, length: number): Uint8Array {
    this.#assertOpen();
    return this.#file.main.read(offset, length);
  }

  get fileSizeBytes(): number {
    this.#assertOpen();
    return this.#file.main.sizeBytes;
  }

  close(): void {
    if (this.#db === 0) return;
    const { raw } = this.sqlite;
    const db = this.#db;
    this.onProgress(null);
    this.#commitListener = null;
    this.#cache.clear();
    // Only our own: FTS5 and R-Tree keep statements on this connection too, and finalize them themselves.
    for (const statement of this.live) statement.destroy();
    // An open transaction is rolled back, the WAL moved into the file and removed.
    raw.sqlite3_close_v2(db);
    this.#db = 0;
    this.#hooks.detach(db);
  }

  // For statements

  begin(facts: StatementFacts): Before {
    this.#layouts.learn(facts.writtenTables);
    const autocommit = this.autocommit;
    if (this.#recorder.options !== null) this.#beginRecording(facts, autocommit);
    return {
      autocommit,
      totalChanges: this.sqlite.raw.sqlite3_total_changes(this.#db),
      mark: this.#tracker.mark(),
    };
  }

  succeeded(facts: StatementFacts): void {
    this.#tracker.noteStatement(facts);
    // It commits past the hook.
    if (facts.isVacuum && this.#recorder.isGuarded) this.#tracker.noteCommit();
  }

  failed(code: number, before: Before | null): AppError {
    const { raw } = this.sqlite;
    const rolledBack = before !== null && !before.autocommit && this.autocommit;
    const error =
      this.#recorder.takeRefusal() ??
      sqliteError(this.sqlite, this.#db, code, { refusal: this.authorizer.takeRefusal(), rolledBack });
    if (!this.autocommit) this.#tracker.noteCommitFailed();
    // INSERT OR FAIL keeps the rows before the one that failed; everything else keeps none.
    const keptNothing = before !== null && raw.sqlite3_total_changes(this.#db) === before.totalChanges;
    if (keptNothing && !rolledBack) this.#tracker.goBack(before.mark);
    return error;
  }

  refused(): AppError | null {
    return this.#recorder.takeRefusal();
  }

  settled(): void {
    if (this.#tracker.takeSchemaTouched()) this.#forgetSchema();
    if (this.#pendingDurability !== null) this.#applyDurability();
    if (this.#recorder.isRefused && !this.autocommit) this.run('ROLLBACK');
    const changes = this.#takeCommitted();
    if (this.#recorder.isChanging) this.#recorder.settle(this.autocommit);
    if (changes !== null) this.#commitListener?.({ ...changes, tables: this.#shadows.owners(changes.tables) });
  }

  release(statement: WasmStatement): void {
    this.#cache.release(statement);
  }

  // For SQLite

  row(operation: number, schema: Pointer, table: Pointer, oldRowid: bigint, newRowid: bigint): void {
    this.#tracker.noteRow(this.#db, operation, schema, table, oldRowid, newRowid);
  }

  commit(): boolean {
    if (this.#recorder.isRefused) return false;
    this.#tracker.noteCommit();
    return true;
  }

  rollback(): void {
    this.#tracker.noteRollback();
    this.#file.log?.rolledBack();
  }

  authorize(action: number, first: Pointer, second: Pointer, schema: Pointer): number {
    return this.authorizer.decide(action, first, second, schema);
  }

  progress(): boolean {
    try {
      return this.#progressHandler?.() === true;
    } catch {
      // An exception must not unwind SQLite's own frames.
      return true;
    }
  }

  /** Before the first step of a statement, and before anything is noted of it: the guard may refuse. */
  #beginRecording(facts: StatementFacts, autocommit: boolean): void {
    const layouts = facts.writtenTables.map((table) => this.#layouts.of(table));
    const counts = facts.writtenTables.includes('sqlite_sequence') || layouts.some((layout) => layout?.isAutoincrement);
    if (autocommit) this.#recorder.forgetGuard();
    if (counts && !this.#recorder.hasSequences) this.#recorder.noteSequences(this.#readSequences());
    if (facts.isBeyondRows || layouts.some((layout) => layout !== null && layout.row === null)) this.#recorder.guard();
  }

  #takeCommitted(): TransactionChanges | null {
    // Before anything is read: every statement ends here.
    if (!this.#tracker.endCommit()) return null;
    return this.#tracker.takeCommitted(this.#recorder.hasSequences ? this.#readSequences() : null);
  }

  #readSequences(): readonly SequenceRow[] {
    return this.all('SELECT rowid, name, seq FROM main.sqlite_sequence');
  }

  #applyDurability(): void {
    const durability = this.#pendingDurability;
    if (durability === null || !this.autocommit) return;
    this.#pendingDurability = null;
    this.run(`PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
  }

  #forgetSchema(): void {
    this.#cache.clear();
    this.#shadows.forget();
    this.#layouts.forget();
  }

  #assertOpen(): void {
    if (this.#db === 0) throw closedError();
  }
}

function readRow(statement: Statement): readonly Value[] {
  const row: Value[] = [];
  for (let column = 0; column < statement.columnCount; column++) row.push(statement.value(column));
  return row;
}

// One open database: its statements, its transaction state, the changes it publishes and its file.
import { AppError } from '#shared/protocol/errors.ts';
import type { Durability } from '#shared/protocol/library.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { CommittedPiece, Connection, Script, Statement, TransactionChanges } from '../engine.ts';
import { Authorizer } from './authorizer.ts';
import type { StatementFacts } from './authorizer.ts';
import { ChangeTracker } from './change-tracker.ts';
import { DatabaseFile } from './database-file.ts';
import type { RowLog } from '../row-log/row-log.ts';
import type { SequenceRow } from '../row-log/sequences.ts';
import { beginReplay } from './replay.ts';
import { RowRecorder } from './row-recorder.ts';
import type { RecordOptions } from '../row-log/recording.ts';
import { sqliteError } from './errors.ts';
import type { HookTarget, Hooks } from './hooks.ts';
import type { Sqlite } from './load.ts';
import type { LogLayer } from './log-layer.ts';
import type { Pointer } from './raw.ts';
import { copyOver } from './restore.ts';
import { atomically } from '../../sql/transaction.ts';
import { WasmScript } from './script.ts';
import { ShadowTables } from './shadow-tables.ts';
import { closedError } from './statement.ts';
import type { Before, StatementOwner, WasmStatement } from './statement.ts';
import { StatementCache } from './statement-cache.ts';
import { TableLayouts } from '../table-layouts.ts';
import { TableNames } from './table-names.ts';
import { WritePlans } from './write-plans.ts';
import type { WritePlan } from './write-plans.ts';

/** A savepoint of ours, gone as soon as it is there. */
const FLUSH = '_sidelite_flush';

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
  readonly #plans: WritePlans;
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
    const layouts = new TableLayouts(this);
    this.#plans = new WritePlans(layouts);
    this.#recorder = new RowRecorder(sqlite);
    this.#tracker = new ChangeTracker(sqlite, names, {
      authorizer: this.authorizer,
      layouts,
      recorder: this.#recorder,
    });
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
      return atomically(this, body);
    } finally {
      endReplay();
      this.#cache.clear();
    }
  }

  copyCommitted(): Generator<CommittedPiece, void> {
    this.#assertOpen();
    return this.#file.copyCommitted();
  }

  restoreFrom(location: string, watch: (share: number) => void = () => undefined, assertStill?: () => void): void {
    this.#assertOpen();
    assertStill?.(); // there are no others
    if (!this.autocommit)
      throw new AppError({ code: 'unavailable', message: 'Finish the open transaction first. Nothing was changed.' });
    const source = this.#openBeside(location);
    try {
      copyOver(this.sqlite, source, this, (share) => (watch(share), this.progress()));
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

  get dataVersion(): number {
    return 0;
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
    this.#file.closing();
    // An open transaction is rolled back, the WAL moved into the file and removed.
    raw.sqlite3_close_v2(db);
    this.#db = 0;
    this.#hooks.detach(db);
  }

  // For statements

  begin(facts: StatementFacts): Before {
    const plan = this.#plans.of(facts);
    const autocommit = this.autocommit;
    if (this.#recorder.isOn) this.#beginRecording(facts, plan, autocommit);
    return {
      autocommit,
      totalChanges: this.sqlite.raw.sqlite3_total_changes(this.#db),
      mark: this.#tracker.markStatement(facts, plan.writesVirtual),
      writesVirtual: plan.writesVirtual,
    };
  }

  succeeded(facts: StatementFacts, before: Before | null): void {
    this.#tracker.noteStatement(facts, before?.writesVirtual === true);
    // It commits past the hook.
    if (facts.isVacuum && this.#recorder.isGuarded) this.#tracker.noteCommit();
  }

  failed(code: number, before: Before | null, statement: Pointer): AppError {
    const rolledBack = before !== null && !before.autocommit && this.autocommit;
    const error =
      this.#recorder.takeRefusal() ??
      sqliteError(this.sqlite, this.#db, code, { refusal: this.authorizer.takeRefusal(), rolledBack });
    if (!this.autocommit) this.#tracker.noteCommitFailed();
    if (before !== null && !rolledBack) this.#takeBack(before, statement);
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
  #beginRecording(facts: StatementFacts, plan: WritePlan, autocommit: boolean): void {
    if (autocommit) this.#recorder.forgetGuard();
    if (plan.counts && !this.#recorder.hasSequences) this.#recorder.noteSequences(this.#readSequences());
    if (facts.isBeyondRows || plan.isBeyondRows) this.#recorder.guard();
    // A statement of this kind has FTS5 write what it holds back, and keeps that when it fails: better before the mark.
    if (!autocommit && plan.writesVirtual && !plan.writesVirtualOnly && this.#tracker.holdsBack) {
      this.run(`SAVEPOINT ${FLUSH}`);
      this.run(`RELEASE ${FLUSH}`);
    }
  }

  /** Forgets what a statement did that failed, as far as SQLite took it back. */
  #takeBack(before: Before, statement: Pointer): void {
    const { raw } = this.sqlite;
    if (this.#tracker.isCommitted) return;
    // Triggers and FTS5 count rows though nothing is kept; the statement's own count is set to 0 then.
    const countedNothing = raw.sqlite3_total_changes(this.#db) === before.totalChanges;
    // Only FAIL keeps the rows before the one that failed.
    if (!countedNothing && raw.sqlite3_changes64(this.#db) > 0n) return;
    const { mark } = before;
    const mayBeKept = !countedNothing && this.#tracker.hasGrown(mark) && this.#mayFail(statement);
    if (mayBeKept || (before.writesVirtual && this.#tracker.isUnclear(mark))) this.#recorder.giveUp(this.#db);
    if (!mayBeKept) this.#tracker.goBack(mark);
  }

  /** FAIL keeps what a trigger did before the row it stands for, and the statement's own count tells nothing of it. */
  #mayFail(statement: Pointer): boolean {
    const { raw, heap } = this.sqlite;
    if (/fail/i.test(heap.text(raw.sqlite3_sql(statement)))) return true;
    const definitions = ['main', 'temp'].map(
      (schema) => `SELECT 1 FROM ${schema}.sqlite_schema WHERE sql LIKE '%fail%'`,
    );
    return this.one(definitions.join(' UNION ALL ')) !== null;
  }

  #takeCommitted(): TransactionChanges | null {
    // Before anything is read: every statement ends here.
    if (!this.#tracker.endCommit()) return null;
    return this.#tracker.takeCommitted(this.#recorder.hasSequences ? this.#readSequences() : null);
  }

  #readSequences(): readonly SequenceRow[] {
    return this.all('SELECT name, rowid, seq FROM main.sqlite_sequence ORDER BY rowid');
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
    this.#plans.forget();
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

// Follows statements and the calls of SQLite's hooks during them, and reports what a commit changed.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../../engine.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import type { RecordOptions } from '../../row-log/recording.ts';
import type { RowLog } from '../../row-log/row-log.ts';
import type { SequenceRow } from '../../row-log/sequences.ts';
import { TableLayouts } from '../../table-layouts.ts';
import type { Authorizer } from '../statements/authorizer.ts';
import type { StatementFacts } from '../statements/statement-facts.ts';
import { ChangeTracker } from './change-tracker.ts';
import type { Sqlite } from '../runtime/load.ts';
import type { Pointer } from '../runtime/raw.ts';
import { RowRecorder } from './row-recorder.ts';
import type { Before } from '../statements/statement.ts';
import type { TableNames } from './table-names.ts';

/** A savepoint of ours that is released at once. */
const FLUSH = '_sidelite_flush';

interface WatchedConnection extends Connection {
  readonly sqlite: Sqlite;
  readonly db: Pointer;
  readonly authorizer: Authorizer;
}

export class ChangeWatch {
  readonly #connection: WatchedConnection;
  readonly #plans: WritePlans;
  readonly #recorder: RowRecorder;
  readonly #tracker: ChangeTracker;

  constructor(connection: WatchedConnection, names: TableNames) {
    const { sqlite, authorizer } = connection;
    const layouts = new TableLayouts(connection);
    this.#connection = connection;
    this.#plans = new WritePlans(layouts);
    this.#recorder = new RowRecorder(sqlite);
    this.#tracker = new ChangeTracker(sqlite, names, { authorizer, layouts, recorder: this.#recorder });
  }

  get rollbacks(): number {
    return this.#tracker.rollbacks;
  }

  record(options: RecordOptions | null): void {
    this.#recorder.set(options);
    this.#recorder.settle(this.#connection.autocommit);
  }

  get openLog(): RowLog | null {
    const log = this.#recorder.log(this.#sequencesNow());
    return log === 'dropped' ? null : log;
  }

  /** The open transaction must not be committed: its log is full, and the user has not agreed to that. */
  get isRefused(): boolean {
    return this.#recorder.isRefused;
  }

  /** Why a statement was refused; returned once. */
  takeRefusal(): AppError | null {
    return this.#recorder.takeRefusal();
  }

  /** The known plans of statements come from an older schema. */
  forgetSchema(): void {
    this.#plans.forget();
  }

  // Statements

  begin(facts: StatementFacts): Before {
    const { autocommit, sqlite, db } = this.#connection;
    const plan = this.#plans.of(facts);
    if (this.#recorder.isOn) this.#beginRecording(facts, plan, autocommit);
    return {
      autocommit,
      totalChanges: sqlite.raw.sqlite3_total_changes(db),
      mark: this.#tracker.markStatement(facts, plan.writesVirtual),
      writesVirtual: plan.writesVirtual,
    };
  }

  succeeded(facts: StatementFacts, before: Before | null): void {
    this.#tracker.noteStatement(facts, before?.writesVirtual === true);
    // VACUUM commits without the commit hook.
    if (facts.isVacuum && this.#recorder.isGuarded) this.#tracker.noteCommit();
  }

  /** @param rolledBack SQLite has ended the open transaction */
  failed(before: Before | null, statement: Pointer, rolledBack: boolean): void {
    if (!this.#connection.autocommit) this.#tracker.noteCommitFailed();
    if (before !== null && !rolledBack) this.#forgetSince(before, statement);
  }

  /** True once after the schema may have changed. */
  takeSchemaTouched(): boolean {
    return this.#tracker.takeSchemaTouched();
  }

  /** Commits not yet taken, with shadow tables listed as such; null when there are none. */
  takeCommitted(): TransactionChanges | null {
    // Check this before reading anything: every statement ends here.
    const changes = this.#tracker.endCommit() ? this.#tracker.takeCommitted(this.#sequencesNow()) : null;
    if (this.#recorder.isChanging || this.#recorder.isCovered) this.#recorder.settle(this.#connection.autocommit);
    return changes;
  }

  learnsFromInserts(table: string): boolean {
    return this.#tracker.learnsFromInserts(table);
  }

  // Hooks

  row(operation: number, schema: Pointer, table: Pointer, oldRowid: bigint, newRowid: bigint): void {
    this.#tracker.noteRow(this.#connection.db, operation, schema, table, oldRowid, newRowid);
  }

  /** False when the transaction must not be committed. */
  commit(): boolean {
    if (this.#recorder.isRefused) return false;
    this.#tracker.noteCommit();
    return true;
  }

  rollback(): void {
    this.#tracker.noteRollback();
  }

  /** Call before the first step of a statement and before anything is noted about it: the guard may refuse it. */
  #beginRecording(facts: StatementFacts, plan: WritePlan, autocommit: boolean): void {
    if (autocommit) this.#recorder.forgetGuard();
    const isBeyondRows = facts.isBeyondRows || plan.isBeyondRows;
    if (!isBeyondRows) this.#recorder.beginRows();
    if (plan.counts && !this.#recorder.isCovered && !this.#recorder.hasSequences)
      this.#recorder.noteSequences(this.#readSequences());
    if (isBeyondRows) this.#recorder.guard();
    // A statement of this kind makes FTS5 write its buffered rows and keeps them when it fails, so let FTS5 write them before the mark.
    if (!autocommit && plan.writesVirtual && !plan.writesVirtualOnly && this.#tracker.holdsBack) {
      this.#connection.run(`SAVEPOINT ${FLUSH}`);
      this.#connection.run(`RELEASE ${FLUSH}`);
    }
  }

  /** Forgets what a failed statement did, as far as SQLite rolled it back. */
  #forgetSince(before: Before, statement: Pointer): void {
    const { sqlite, db } = this.#connection;
    if (this.#tracker.isCommitted) return;
    // Triggers and FTS5 count rows even if nothing is kept; SQLite then sets the statement's own count to 0.
    const countedNothing = sqlite.raw.sqlite3_total_changes(db) === before.totalChanges;
    // Only FAIL keeps the rows before the failing one.
    if (!countedNothing && sqlite.raw.sqlite3_changes64(db) > 0n) return;
    const { mark } = before;
    const mayBeKept = !countedNothing && this.#tracker.hasGrown(mark) && this.#mayFail(statement);
    if (mayBeKept || (before.writesVirtual && this.#tracker.isUnclear(mark))) this.#recorder.giveUp(db);
    if (!mayBeKept) this.#tracker.goBack(mark);
  }

  /** FAIL keeps what a trigger did before its row, which the statement's own count does not include. */
  #mayFail(statement: Pointer): boolean {
    const { raw, heap } = this.#connection.sqlite;
    if (/fail/i.test(heap.text(raw.sqlite3_sql(statement)))) return true;
    const definitions = ['main', 'temp'].map(
      (schema) => `SELECT 1 FROM ${schema}.sqlite_schema WHERE sql LIKE '%fail%'`,
    );
    return this.#connection.one(definitions.join(' UNION ALL ')) !== null;
  }

  #sequencesNow(): readonly SequenceRow[] | null {
    return this.#recorder.hasSequences ? this.#readSequences() : null;
  }

  #readSequences(): readonly SequenceRow[] {
    return this.#connection.all('SELECT name, rowid, seq FROM main.sqlite_sequence ORDER BY rowid');
  }
}

interface WritePlan {
  /** A table with AUTOINCREMENT, or `sqlite_sequence` itself, is written to. */
  readonly counts: boolean;
  /** Rows of at least one table cannot be logged. */
  readonly isBeyondRows: boolean;
  readonly writesVirtual: boolean;
  readonly writesVirtualOnly: boolean;
}

/**
 * Facts needed about the tables a statement writes to before its first step, determined once for each set of tables.
 */
class WritePlans {
  readonly #layouts: TableLayouts;
  readonly #plans = new Map<string, WritePlan>();

  constructor(layouts: TableLayouts) {
    this.#layouts = layouts;
  }

  /** Call after a schema change. */
  forget(): void {
    this.#layouts.forget();
    this.#plans.clear();
  }

  of({ writtenTables }: StatementFacts): WritePlan {
    const key = writtenTables.length === 1 ? writtenTables[0]! : writtenTables.join('\0');
    let plan = this.#plans.get(key);
    if (plan === undefined) this.#plans.set(key, (plan = this.#make(writtenTables)));
    return plan;
  }

  #make(writtenTables: readonly string[]): WritePlan {
    this.#layouts.learn(writtenTables);
    const virtual = writtenTables.filter((table) => this.#layouts.isVirtual(table)).length;
    const layouts = writtenTables.map((table) => this.#layouts.of(table));
    return {
      counts:
        writtenTables.includes('sqlite_sequence') || layouts.some((layout) => layout?.row?.isAutoincrement === true),
      isBeyondRows: layouts.some((layout) => layout !== null && layout.row === null),
      writesVirtual: virtual > 0,
      writesVirtualOnly: virtual > 0 && virtual === writtenTables.length,
    };
  }
}

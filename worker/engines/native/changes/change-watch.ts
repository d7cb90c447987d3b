// Follows statements and reports what a commit changed, because better-sqlite3 does not offer SQLite's own hooks. TEMP triggers report rows
// (row-triggers.ts); commits and rollbacks follow from the effect of a statement on the transaction.
import type { Connection } from '../../engine.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import type { RecordOptions } from '../../row-log/recording.ts';
import type { RowLog } from '../../row-log/row-log.ts';
import type { SequenceRow } from '../../row-log/sequences.ts';
import { TableLayouts } from '../../table-layouts.ts';
import type { RollbackPoint } from '../../transaction-facts.ts';
import { ChangeTracker } from './change-tracker.ts';
import { CurrentSchema } from './current-schema.ts';
import type { Internals } from '../runtime/internals.ts';
import type { Pulse } from '../runtime/pulse.ts';
import { RowRecorder } from './row-recorder.ts';
import { RowTriggers } from './row-triggers.ts';
import { readSequences, StatementPlans, type Plan, type StatementToRun } from '../statements/statement-plans.ts';
import type { StatementShape } from '../statements/statement-shape.ts';

/** The state before a statement. */
export interface Watched {
  readonly shape: StatementShape;
  readonly inTransaction: boolean;
  readonly returnsRows: boolean;
  readonly totalChanges: number;
  readonly mark: RollbackPoint;
  readonly plan: Plan | null;
}

export class ChangeWatch {
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #triggers: RowTriggers;
  readonly #tracker: ChangeTracker;
  readonly #recorder: RowRecorder;
  readonly #schema: CurrentSchema;
  readonly #plans: StatementPlans;
  #rollbacks = 0;
  #ownVersions = 0;
  /** Writing statements that still have rows to return. */
  #writing = 0;
  /** A statement with effects beyond rows has succeeded since the transaction began. */
  #beyondRows = false;

  constructor(connection: Connection, internals: Internals, pulse: Pulse) {
    this.#connection = connection;
    this.#internals = internals;
    const layouts = new TableLayouts(connection);
    const recorder = new RowRecorder(() => internals.inTransaction);
    const tracker = new ChangeTracker((table) => layouts.of(table), recorder);
    const triggers = new RowTriggers({ connection, internals, layouts, tracker, recorder, pulse });
    const schema = new CurrentSchema(connection, internals, layouts, triggers);
    this.#recorder = recorder;
    this.#tracker = tracker;
    this.#triggers = triggers;
    this.#schema = schema;
    this.#plans = new StatementPlans({
      connection,
      internals,
      schema,
      layouts,
      triggers,
      recorder,
      isAnything: () => tracker.isAnything,
    });
  }

  get rollbacks(): number {
    return this.#rollbacks;
  }

  /** SQLite is inside a statement, so no other can run. */
  get isInsideStatement(): boolean {
    return this.#recorder.isAsking;
  }

  /** How much `data_version` has changed without a commit of another connection. */
  get ownVersions(): number {
    return this.#ownVersions;
  }

  isOurTrigger(name: string): boolean {
    return this.#triggers.isOurs(name);
  }

  record(options: RecordOptions | null): void {
    this.#recorder.set(options);
    if (!this.#internals.inTransaction && this.#writing === 0) this.#recorder.apply();
  }

  get openLog(): RowLog | null {
    const log = this.#recorder.log(this.#sequencesNow());
    return log === 'dropped' ? null : log;
  }

  /** The open transaction must not be committed: its log is full, and the user has not agreed to that. */
  get isRefused(): boolean {
    return this.#recorder.isRefused;
  }

  replaying(on: boolean): void {
    this.#plans.isReplaying = on;
    // The schema version differs while triggers are held back.
    this.#schema.forget();
  }

  /** Called by the connection: since this version, only it has committed. */
  noteOwnVersion(before: number): void {
    this.#ownVersions += this.#internals.dataVersion - before;
  }

  /** Turns it on or off. While off, because there is no listener, only the ends of transactions are noticed. */
  turn(on: boolean): void {
    this.#plans.isOn = on;
  }

  begin(statement: StatementToRun): Watched {
    const before = {
      shape: statement.shape,
      returnsRows: statement.returnsRows,
      inTransaction: this.#internals.inTransaction,
      totalChanges: this.#internals.totalChanges,
    };
    if (statement.returnsRows) this.#internals.forgetState();
    if (!before.inTransaction && this.#writing === 0 && this.#tracker.isEmpty) {
      this.#recorder.clear();
      this.#beyondRows = false;
    }
    const plan = this.#plans.prepare(statement, !before.inTransaction || this.#tracker.isEmpty);
    this.#writing++;
    return { ...before, mark: this.#tracker.mark(), plan };
  }

  succeeded(watched: Watched): void {
    this.#writing--;
    const { shape, plan } = watched;
    if (shape.verb === 'insert' || shape.verb === 'update' || shape.verb === 'delete') this.#noteRowsChanged(watched);
    if (plan !== null) this.#note(plan, watched);
    const name = shape.target?.name ?? '';
    if (shape.verb === 'savepoint') this.#tracker.savepoint(name);
    else if (shape.verb === 'release') this.#tracker.release(name);
    else if (shape.verb === 'rollback-to') {
      this.#noteRollback();
      this.#tracker.rollbackTo(name);
    } else if (shape.verb === 'rollback' && watched.inTransaction) {
      this.#noteRollback();
      this.#tracker.clear();
    }
  }

  /** Returns whether SQLite ended the open transaction. */
  failed(watched: Watched | null): boolean {
    if (watched === null) return false;
    this.#writing--;
    const rolledBack = watched.inTransaction && !this.#internals.inTransaction;
    if (rolledBack) {
      this.#noteRollback();
      this.#tracker.clear();
    } else if (!this.#mayHaveKept(watched)) {
      // INSERT OR FAIL keeps the rows before the failing one; all other statements keep none.
      this.#tracker.goBack(watched.mark);
    } else if (watched.plan !== null) this.#note(watched.plan, watched);
    return rolledBack;
  }

  /** Commits not yet taken; null while a transaction is open or when nothing changed. */
  takeCommitted(): TransactionChanges | null {
    if (this.#internals.inTransaction || this.#writing > 0) return null;
    const sequences = this.#sequencesNow();
    // AUTOINCREMENT counters can change even when a trigger inserted no row after all.
    if (this.#tracker.isEmpty && !this.#beyondRows && !this.#recorder.hasCounted(sequences)) return null;
    const log = this.#recorder.log(sequences);
    const { counted } = this.#recorder;
    const { tables, schema } = this.#tracker.take();
    this.#beyondRows = false;
    if (tables?.size === 0 && !schema && log === null) return null;
    return { tables, schema, log, ...(counted && { counted }) };
  }

  /** True once after the schema may have changed. */
  takeSchemaTouched(): boolean {
    return this.#schema.takeTouched();
  }

  /** Checks whether another program has changed the schema: true when one has. */
  refreshSchema(): boolean {
    return this.#schema.refresh();
  }

  /** Called by the connection: anything may have changed, but not through one of its statements. */
  noteAnything(): void {
    this.#tracker.anythingChanged();
    this.#schema.touch();
    // The triggers name columns of the earlier schema.
    this.#triggers.drop();
  }

  #noteRowsChanged({ inTransaction, totalChanges, plan, returnsRows }: Watched): void {
    this.#internals.rowsChanged(inTransaction, plan?.isAlone === true && !returnsRows ? totalChanges : null);
  }

  #note(plan: Plan, { shape, totalChanges, mark }: Watched): void {
    if (shape.verb === 'create' || shape.verb === 'drop' || shape.verb === 'alter') {
      this.#noteDefinition(plan, shape);
      return;
    }
    if (plan.versionBefore !== null) this.noteOwnVersion(plan.versionBefore);
    if (plan.isBeyondRows) this.#beyondRows = true;
    if (this.#internals.totalChanges === totalChanges) return;
    for (const table of plan.unseen) this.#tracker.anyChange(table);
    if (plan.hidesDeletes) for (const table of this.#tracker.changedSince(mark)) this.#tracker.anyDeleted(table);
    if (plan.anywhere) this.#tracker.anythingChanged();
  }

  #noteDefinition(plan: Plan, shape: StatementShape): void {
    if (this.#internals.schemaVersion === plan.schemaVersion) {
      // A temporary object: triggers and names may still have changed.
      this.#schema.touch();
      return;
    }
    this.#schema.touch();
    if (!this.#plans.isOn) return;
    this.#tracker.defined(plan.defines);
    if (shape.renamesTable) this.#tracker.anythingChanged();
  }

  /** SQLite counts changes by triggers and foreign keys even if nothing is kept; then the statement's own count shows that. */
  #mayHaveKept({ totalChanges, plan, mark }: Watched): boolean {
    if (this.#internals.totalChanges === totalChanges) return false;
    if (this.#internals.changes > 0 || !this.#recorder.isOn || this.#recorder.isGuarded) return true;
    // FAIL keeps what triggers did before the first row failed, and no count shows it.
    if (plan?.mayKeepPart !== true || !this.#tracker.hasGrown(mark)) return false;
    this.#recorder.giveUp();
    return true;
  }

  #sequencesNow(): readonly SequenceRow[] | null {
    return this.#recorder.hasSequences ? readSequences(this.#connection) : null;
  }

  #noteRollback(): void {
    this.#rollbacks++;
    if (this.#tracker.schemaChanged) this.#schema.touch();
    // Triggers created inside the transaction are gone with it.
    this.#triggers.forget();
  }
}

// Watches statements come and go and says what a commit changed: SQLite's own hooks are not to be had from better-sqlite3.
// Rows are told by TEMP triggers (row-triggers.ts); commits and rollbacks by what a statement does to the transaction.
import type { Connection, TransactionChanges } from '../../engine.ts';
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
import { readSequences, StatementPlans } from '../statements/statement-plans.ts';
import type { Plan, StatementToRun } from '../statements/statement-plans.ts';
import type { StatementShape } from '../statements/statement-shape.ts';

/** How things stood before a statement. */
export interface Watched {
  readonly shape: StatementShape;
  readonly inTransaction: boolean;
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
  /** Statements that write and have rows still to come. */
  #writing = 0;
  /** Something that rows do not tell has succeeded since the transaction began. */
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

  /** SQLite is inside a statement: none can be run. */
  get isInsideStatement(): boolean {
    return this.#recorder.isAsking;
  }

  /** How far `data_version` has moved without a commit of others. */
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

  /** The open transaction must not be committed: its log is full, and that was not agreed to. */
  get isRefused(): boolean {
    return this.#recorder.isRefused;
  }

  replaying(on: boolean): void {
    this.#plans.isReplaying = on;
    // While triggers are held back it is another one.
    this.#schema.forget();
  }

  /** While off, because there is no listener, only the ends of transactions are noticed. */
  turn(on: boolean): void {
    this.#plans.isOn = on;
  }

  begin(statement: StatementToRun): Watched {
    const before = {
      shape: statement.shape,
      inTransaction: this.#internals.inTransaction,
      totalChanges: this.#internals.totalChanges,
    };
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
      // INSERT OR FAIL keeps the rows before the one that failed; everything else keeps none.
      this.#tracker.goBack(watched.mark);
    } else if (watched.plan !== null) this.#note(watched.plan, watched);
    return rolledBack;
  }

  /** What was committed and not yet taken; null while a transaction is open or when nothing changed. */
  takeCommitted(): TransactionChanges | null {
    if (this.#internals.inTransaction || this.#writing > 0) return null;
    const sequences = this.#sequencesNow();
    // AUTOINCREMENT counts even where a trigger would have inserted rows and did not.
    if (this.#tracker.isEmpty && !this.#beyondRows && !this.#recorder.hasCounted(sequences)) return null;
    const log = this.#recorder.log(sequences);
    const { tables, schema } = this.#tracker.take();
    this.#beyondRows = false;
    if (tables?.size === 0 && !schema && log === null) return null;
    return { tables, schema, log };
  }

  /** True once after the schema may have become another. */
  takeSchemaTouched(): boolean {
    return this.#schema.takeTouched();
  }

  /** Another program may have changed the schema: true when one did. */
  refreshSchema(): boolean {
    return this.#schema.refresh();
  }

  /** For the connection: anything may have changed, not through a statement of it. */
  noteAnything(): void {
    this.#tracker.anythingChanged();
    this.#schema.touch();
    // They name columns of what was there before.
    this.#triggers.drop();
  }

  #note(plan: Plan, { shape, totalChanges, mark }: Watched): void {
    if (shape.verb === 'create' || shape.verb === 'drop' || shape.verb === 'alter') {
      this.#noteDefinition(plan, shape);
      return;
    }
    if (plan.versionBefore !== null) this.#ownVersions += this.#internals.dataVersion - plan.versionBefore;
    if (plan.isBeyondRows) this.#beyondRows = true;
    if (this.#internals.totalChanges === totalChanges) return;
    for (const table of plan.unseen) this.#tracker.anyChange(table);
    if (plan.hidesDeletes) for (const table of this.#tracker.changedSince(mark)) this.#tracker.anyDeleted(table);
    if (plan.anywhere) this.#tracker.anythingChanged();
  }

  #noteDefinition(plan: Plan, shape: StatementShape): void {
    if (this.#internals.schemaVersion === plan.schemaVersion) {
      // A temporary object: triggers and names may be others all the same.
      this.#schema.touch();
      return;
    }
    this.#schema.touch();
    if (!this.#plans.isOn) return;
    this.#tracker.defined(plan.defines);
    if (shape.renamesTable) this.#tracker.anythingChanged();
  }

  /** What triggers and foreign keys changed is counted though nothing is kept: then the statement's own count says so. */
  #mayHaveKept({ totalChanges, plan, mark }: Watched): boolean {
    if (this.#internals.totalChanges === totalChanges) return false;
    if (this.#internals.changes > 0 || !this.#recorder.isOn || this.#recorder.isGuarded) return true;
    // FAIL keeps what triggers did before the first row failed, and nothing tells of it.
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
    // Triggers that were made inside the transaction are gone with it.
    this.#triggers.forget();
  }
}

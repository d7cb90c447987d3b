// Watches statements come and go and says what a commit changed: SQLite's own hooks are not to be had from better-sqlite3.
// Rows are told by TEMP triggers (row-triggers.ts); commits and rollbacks by what a statement does to the transaction.
import type { Connection, TransactionChanges } from '../engine.ts';
import type { RowLog } from '../row-log/row-log.ts';
import type { SequenceRow } from '../row-log/sequences.ts';
import { TableLayouts } from '../table-layouts.ts';
import { ChangeTracker } from './change-tracker.ts';
import type { Mark } from '../transaction-facts.ts';
import type { Internals } from './internals.ts';
import { RowRecorder } from './row-recorder.ts';
import type { RecordOptions } from '../row-log/recording.ts';
import { RowTriggers } from './row-triggers.ts';
import { SchemaMap } from './schema-map.ts';
import type { Reach } from './schema-map.ts';
import type { QualifiedName, StatementShape } from './statement-shape.ts';

/** How things stood before a statement. */
export interface Watched {
  readonly shape: StatementShape;
  readonly inTransaction: boolean;
  readonly totalChanges: number;
  readonly mark: Mark;
  readonly plan: Plan | null;
}

/** What is to be noted when the statement has succeeded. */
interface Plan {
  /** Tables whose definition it changes, if {@link schemaVersion} becomes another. */
  readonly defines: readonly string[];
  readonly schemaVersion: number;
  /** Virtual tables that may have been written to: no trigger tells. */
  readonly unseen: readonly string[];
  /** Rows may have been removed to make place, and no trigger tells. */
  readonly hidesDeletes: boolean;
  /** Rows before one that failed may be kept. */
  readonly mayKeepPart: boolean;
  /** It writes, and where cannot be told. */
  readonly anywhere: boolean;
  /** Of the data, where the statement itself makes it another although it commits nothing. */
  readonly versionBefore: number | null;
  /** It changes what rows do not tell. */
  readonly isBeyondRows: boolean;
}

/** Written to the file when a value is given. */
const FILE_PRAGMAS: ReadonlySet<string> = new Set(['application_id', 'auto_vacuum', 'schema_version', 'user_version']);

const NO_PLAN: Plan = {
  defines: [],
  schemaVersion: 0,
  unseen: [],
  hidesDeletes: false,
  mayKeepPart: false,
  anywhere: false,
  versionBefore: null,
  isBeyondRows: false,
};

export class ChangeWatch {
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #layouts: TableLayouts;
  readonly #triggers: RowTriggers;
  readonly #tracker: ChangeTracker;
  readonly #recorder: RowRecorder;
  #schema: SchemaMap | null = null;
  /** Version of the schema that {@link #schema} was made from. */
  #schemaVersion = -1;
  #isOn = false;
  #rollbacks = 0;
  #ownVersions = 0;
  #schemaTouched = false;
  /** Statements that write and have rows still to come. */
  #writing = 0;
  /** Something that rows do not tell has succeeded since the transaction began. */
  #beyondRows = false;
  /** Changes of a log are being put back: nothing follows from them. */
  #isReplaying = false;
  /** Whether we have switched `recursive_triggers` on where the person has not. */
  #recursive = false;

  constructor(connection: Connection, internals: Internals) {
    this.#connection = connection;
    this.#internals = internals;
    this.#layouts = new TableLayouts(connection);
    this.#recorder = new RowRecorder(() => internals.inTransaction);
    this.#tracker = new ChangeTracker((table) => this.#layouts.of(table), this.#recorder);
    this.#triggers = new RowTriggers(connection, internals, this.#layouts, this.#tracker, this.#recorder);
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
    this.#isReplaying = on;
  }

  /** Nobody listens: nothing is looked at but the ends of transactions. */
  turn(on: boolean): void {
    this.#isOn = on;
  }

  begin(shape: StatementShape): Watched {
    const before = {
      shape,
      inTransaction: this.#internals.inTransaction,
      totalChanges: this.#internals.totalChanges,
    };
    if (!before.inTransaction && this.#writing === 0 && this.#tracker.isEmpty) {
      this.#recorder.clear();
      this.#beyondRows = false;
    }
    const plan = this.#prepare(shape);
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

  /** Answers whether SQLite ended the open transaction. */
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
    const touched = this.#schemaTouched;
    this.#schemaTouched = false;
    if (touched) this.#forgetSchema();
    return touched;
  }

  /** For the connection: anything may have changed, not through a statement of it. */
  noteAnything(): void {
    this.#tracker.anythingChanged();
    this.#schemaTouched = true;
    // They name columns of what was there before.
    this.#triggers.drop();
  }

  #prepare(shape: StatementShape): Plan | null {
    switch (shape.verb) {
      case 'insert':
      case 'update':
      case 'delete':
        return this.#isOn ? this.#prepareWrite(shape) : null;
      case 'create':
      case 'drop':
      case 'alter':
        return this.#prepareDefinition(shape);
      case 'vacuum':
      case 'analyze':
        return this.#beyond();
      case 'pragma':
        return this.#preparePragma(shape.target?.name ?? '', shape.hasValue);
      default:
        return null;
    }
  }

  #preparePragma(name: string, hasValue: boolean): Plan | null {
    // The person's own setting is what is read and set.
    if (name === 'recursive_triggers') this.#setRecursive(false);
    // No content: nothing is committed by it.
    if (name === 'journal_mode' && hasValue) return { ...NO_PLAN, versionBefore: this.#internals.dataVersion };
    if (name !== 'optimize' && !(hasValue && FILE_PRAGMAS.has(name))) return null;
    return this.#beyond();
  }

  #prepareWrite(shape: StatementShape): Plan | null {
    if (!this.#internals.inTransaction || this.#tracker.isEmpty) this.refreshSchema();
    const schema = this.#schemaMap();
    if (shape.target === null || isNamed(shape.target, SCHEMA_TABLES)) return { ...this.#beyond(), anywhere: true };
    if (isNamed(shape.target, SEQUENCES)) this.#noteSequences();
    const table = schema.resolve(shape.target);
    if (table === null) return null;
    const reach = this.#isReplaying ? schema.only(table) : schema.reachOf(table);
    const replaces = shape.replaces || reach.replaces;
    // Only with this on do triggers see the rows REPLACE removes. Nobody else notices as long as there are no triggers but ours.
    if (reach.hasTriggers) this.#setRecursive(false);
    else if (replaces) this.#setRecursive(true);
    const unseen = [...reach.virtuals, ...this.#triggers.ensure(reach.tables, this.#recorder.isOn)];
    const hidesDeletes = replaces && reach.hasTriggers && !this.#userWantsRecursion();
    if (this.#recorder.isOn) this.#prepareLog(reach, hidesDeletes || unseen.length > 0);
    return { ...NO_PLAN, unseen, hidesDeletes, mayKeepPart: shape.fails || reach.fails };
  }

  /** What cannot be seen is not logged, nor what a trigger may have done to a row before ours is told of it. */
  #prepareLog(reach: Reach, isUnseen: boolean): void {
    if (isUnseen || reach.hasOwnTriggers) this.#recorder.guard();
    if (reach.tables.some((table) => this.#layouts.of(table)?.row?.isAutoincrement === true)) this.#noteSequences();
  }

  #beyond(): Plan {
    this.#recorder.guard();
    return { ...NO_PLAN, isBeyondRows: this.#recorder.isOn };
  }

  #prepareDefinition(shape: StatementShape): Plan {
    this.refreshSchema();
    const schemaVersion = this.#schemaVersion;
    if (this.#recorder.isOn && this.#definesMain(shape)) this.#recorder.guard();
    if (!this.#isOn) return { ...NO_PLAN, schemaVersion };
    // They name columns, which would keep a column from being dropped.
    if (shape.verb === 'alter') this.#triggers.drop();
    if (shape.verb === 'drop' && shape.object === 'table' && shape.target !== null) {
      const schema = this.#schemaMap();
      const table = schema.resolve(shape.target);
      // Its rows are deleted first, which reaches the rows that refer to them.
      if (table !== null)
        this.#triggers.ensure(
          schema.reachOf(table).tables.filter((name) => name !== table),
          this.#recorder.isOn,
        );
    }
    return { ...NO_PLAN, defines: this.#definedBy(shape), schemaVersion };
  }

  /** Whether it changes the schema of `main`, as far as can be told before. */
  #definesMain({ verb, target, temporary, ifNotExists }: StatementShape): boolean {
    if (target === null || temporary || (target.schema !== null && target.schema !== 'main')) return false;
    const exists =
      this.#connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [target.name]) !== null;
    return verb === 'create' ? !(ifNotExists && exists) : exists;
  }

  #definedBy({ verb, object, target, on }: StatementShape): readonly string[] {
    if (target === null) return [];
    if (verb === 'create') return [on ?? target.name].map((name) => this.#asWritten(name));
    if (object === 'table' || object === 'view') return [this.#asWritten(target.name)];
    const owner = this.#connection.one('SELECT tbl_name FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [
      target.name,
    ]);
    return owner === null ? [] : [owner[0] as string];
  }

  #asWritten(name: string): string {
    return this.#schemaMap().resolve({ schema: 'main', name }) ?? name;
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
      this.#schemaTouched = true;
      return;
    }
    this.#schemaTouched = true;
    if (!this.#isOn) return;
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

  #noteSequences(): void {
    if (!this.#recorder.isOn || this.#recorder.hasSequences) return;
    this.#recorder.noteSequences(this.#readSequences());
  }

  #sequencesNow(): readonly SequenceRow[] | null {
    return this.#recorder.hasSequences ? this.#readSequences() : null;
  }

  #readSequences(): readonly SequenceRow[] {
    return this.#connection.all('SELECT name, rowid, seq FROM main.sqlite_sequence ORDER BY rowid');
  }

  #noteRollback(): void {
    this.#rollbacks++;
    if (this.#tracker.schemaChanged) this.#schemaTouched = true;
    // Triggers that were made inside the transaction are gone with it.
    this.#triggers.forget();
  }

  /** Another program may have changed it: true when one did. */
  refreshSchema(): boolean {
    const version = this.#internals.schemaVersion;
    if (version === this.#schemaVersion) return false;
    if (this.#schemaVersion >= 0) {
      this.#forgetSchema();
      // They may name columns that are no more.
      this.#triggers.drop();
    }
    this.#schemaVersion = version;
    return true;
  }

  #forgetSchema(): void {
    this.#schema = null;
    this.#layouts.forget();
    this.#triggers.forget();
    this.#schemaVersion = this.#internals.schemaVersion;
  }

  #schemaMap(): SchemaMap {
    this.#schema ??= new SchemaMap(this.#connection, (name) => this.#triggers.isOurs(name));
    return this.#schema;
  }

  #userWantsRecursion(): boolean {
    return !this.#recursive && this.#internals.recursiveTriggers;
  }

  #setRecursive(on: boolean): void {
    if (this.#recursive === on || (on && this.#userWantsRecursion())) return;
    this.#internals.run(`PRAGMA recursive_triggers = ${on ? 'ON' : 'OFF'}`);
    this.#recursive = on;
  }
}

const SCHEMA_TABLES = /^sqlite_(?:master|schema)$/i;
const SEQUENCES = /^sqlite_sequence$/i;

function isNamed({ schema, name }: QualifiedName, pattern: RegExp): boolean {
  return (schema === null || schema === 'main') && pattern.test(name);
}

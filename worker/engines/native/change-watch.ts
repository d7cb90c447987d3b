// Watches statements come and go and says what a commit changed: SQLite's own hooks are not to be had from better-sqlite3.
// Rows are told by TEMP triggers (row-triggers.ts); commits and rollbacks by what a statement does to the transaction.
import type { Connection, TransactionChanges } from '../engine.ts';
import { TableLayouts } from '../wasm/table-layouts.ts';
import { ChangeTracker } from './change-tracker.ts';
import type { Mark } from './change-tracker.ts';
import type { Internals } from './internals.ts';
import { RowTriggers } from './row-triggers.ts';
import { SchemaMap } from './schema-map.ts';
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
  /** It writes, and where cannot be told. */
  readonly anywhere: boolean;
}

const NO_PLAN: Plan = { defines: [], schemaVersion: 0, unseen: [], hidesDeletes: false, anywhere: false };

export class ChangeWatch {
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #layouts: TableLayouts;
  readonly #triggers: RowTriggers;
  readonly #tracker: ChangeTracker;
  #schema: SchemaMap | null = null;
  /** Version of the schema that {@link #schema} was made from. */
  #schemaVersion = -1;
  #isOn = false;
  #rollbacks = 0;
  #schemaTouched = false;
  /** Statements that write and have rows still to come. */
  #writing = 0;
  /** Whether we have switched `recursive_triggers` on where the person has not. */
  #recursive = false;

  constructor(connection: Connection, internals: Internals) {
    this.#connection = connection;
    this.#internals = internals;
    this.#layouts = new TableLayouts(connection);
    this.#tracker = new ChangeTracker((table) => this.#layouts.of(table));
    this.#triggers = new RowTriggers(connection, internals, this.#layouts, this.#tracker);
  }

  get rollbacks(): number {
    return this.#rollbacks;
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
    } else if (this.#internals.totalChanges === watched.totalChanges) {
      // INSERT OR FAIL keeps the rows before the one that failed; everything else keeps none.
      this.#tracker.goBack(watched.mark);
    } else if (watched.plan !== null) this.#note(watched.plan, watched);
    return rolledBack;
  }

  /** What was committed and not yet taken; null while a transaction is open or when nothing changed. */
  takeCommitted(): TransactionChanges | null {
    if (this.#internals.inTransaction || this.#writing > 0 || this.#tracker.isEmpty) return null;
    const changes = this.#tracker.take();
    return changes && { ...changes, log: null };
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
      case 'pragma':
        // The person's own setting is what is read and set.
        if (shape.target?.name === 'recursive_triggers') this.#setRecursive(false);
        return null;
      default:
        return null;
    }
  }

  #prepareWrite(shape: StatementShape): Plan | null {
    if (!this.#internals.inTransaction || this.#tracker.isEmpty) this.refreshSchema();
    const schema = this.#schemaMap();
    if (shape.target === null) return { ...NO_PLAN, anywhere: true };
    const table = schema.resolve(shape.target);
    if (table === null) return isSchemaTable(shape.target) ? { ...NO_PLAN, anywhere: true } : null;
    const reach = schema.reachOf(table);
    const replaces = shape.replaces || reach.replaces;
    // Only with this on do triggers see the rows REPLACE removes. Nobody else notices as long as there are no triggers but ours.
    if (reach.hasTriggers) this.#setRecursive(false);
    else if (replaces) this.#setRecursive(true);
    const unseen = this.#triggers.ensure(reach.tables);
    return {
      ...NO_PLAN,
      unseen: [...reach.virtuals, ...unseen],
      hidesDeletes: replaces && reach.hasTriggers && !this.#userWantsRecursion(),
    };
  }

  #prepareDefinition(shape: StatementShape): Plan {
    this.refreshSchema();
    const schemaVersion = this.#schemaVersion;
    if (!this.#isOn) return { ...NO_PLAN, schemaVersion };
    // They name columns, which would keep a column from being dropped.
    if (shape.verb === 'alter') this.#triggers.drop();
    if (shape.verb === 'drop' && shape.object === 'table' && shape.target !== null) {
      const schema = this.#schemaMap();
      const table = schema.resolve(shape.target);
      // Its rows are deleted first, which reaches the rows that refer to them.
      if (table !== null) this.#triggers.ensure(schema.reachOf(table).tables.filter((name) => name !== table));
    }
    return { ...NO_PLAN, defines: this.#definedBy(shape), schemaVersion };
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

function isSchemaTable({ schema, name }: QualifiedName): boolean {
  return (schema === null || schema === 'main') && /^sqlite_(?:master|schema)$/i.test(name);
}

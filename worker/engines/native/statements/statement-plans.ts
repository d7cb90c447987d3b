// Plans what a statement is about to do, as far as its tokens and the schema show; and what has to be in place before it does: our
// triggers, the guard of the recording, the counts of AUTOINCREMENT.
import type { Connection } from '../../engine.ts';
import type { SequenceRow } from '../../row-log/sequences.ts';
import type { TableLayouts } from '../../table-layouts.ts';
import type { CurrentSchema } from '../changes/current-schema.ts';
import type { Internals } from '../runtime/internals.ts';
import { rootsWritten, writesMain } from './program.ts';
import type { RowRecorder } from '../changes/row-recorder.ts';
import type { RowTriggers, ToldValues } from '../changes/row-triggers.ts';
import type { Reach } from '../changes/schema-map.ts';
import type { QualifiedName, StatementShape } from './statement-shape.ts';

/** The statement about to run: its text, what the tokens show, and what SQLite reports. */
export interface StatementToRun {
  readonly sql: string;
  /** The same object for each run of the statement. */
  readonly shape: StatementShape;
  readonly readonly: boolean;
  readonly returnsRows: boolean;
  /** The statement writes records of a file, as very many others do. Of their rows only what a listener needs is reported. */
  readonly isOfRecords: boolean;
}

/** Facts to note when the statement has succeeded. */
export interface Plan {
  /** Tables whose definition the statement changes, if {@link schemaVersion} changes. */
  readonly defines: readonly string[];
  readonly schemaVersion: number;
  /** Virtual tables that may have been written to: no trigger reports this. */
  readonly unseen: readonly string[];
  /** Rows may have been removed to make room, and no trigger reports it. */
  readonly hidesDeletes: boolean;
  /** Rows before a row that failed may be kept. */
  readonly mayKeepPart: boolean;
  /** All rows that change are counted as changes of the statement: no trigger and no foreign key changes others. */
  readonly isAlone: boolean;
  /** The statement writes to tables that cannot be determined. */
  readonly anywhere: boolean;
  /** Data version before the statement, if the statement itself changes the version although it commits nothing. */
  readonly versionBefore: number | null;
  /** The statement changes something that rows do not show. */
  readonly isBeyondRows: boolean;
}

/** Written to the file when a value is given. */
const FILE_PRAGMAS: ReadonlySet<string> = new Set(['application_id', 'auto_vacuum', 'schema_version', 'user_version']);

const NO_PLAN: Plan = {
  defines: [], schemaVersion: 0, unseen: [], hidesDeletes: false, mayKeepPart: false, isAlone: false, anywhere: false,
  versionBefore: null, isBeyondRows: false,
}; // prettier-ignore

interface Parts {
  readonly connection: Connection;
  readonly internals: Internals;
  readonly schema: CurrentSchema;
  readonly layouts: TableLayouts;
  readonly triggers: RowTriggers;
  readonly recorder: RowRecorder;
  /** Anything may have changed already. */
  readonly isAnything: () => boolean;
}

export class StatementPlans {
  /** There is a listener. */
  isOn = false;
  /** Changes of a log are being replayed: they have no further effects. */
  isReplaying = false;
  readonly #connection: Connection;
  readonly #internals: Internals;
  readonly #schema: CurrentSchema;
  readonly #layouts: TableLayouts;
  readonly #triggers: RowTriggers;
  readonly #recorder: RowRecorder;
  readonly #isAnything: () => boolean;
  /** Whether we have switched `recursive_triggers` on where the person has not. */
  #recursive = false;
  /** SQLite's answers about statements whose tokens are not plain. */
  readonly #learned = new WeakMap<StatementShape, boolean>();

  constructor({ connection, internals, schema, layouts, triggers, recorder, isAnything }: Parts) {
    this.#connection = connection;
    this.#internals = internals;
    this.#schema = schema;
    this.#layouts = layouts;
    this.#triggers = triggers;
    this.#recorder = recorder;
    this.#isAnything = isAnything;
  }

  /**
   * Call before the first step of a statement. May throw what the guard of the recording throws.
   * @param mayRefresh nothing was written yet, so that another program may have changed the schema
   */
  prepare(statement: StatementToRun, mayRefresh: boolean): Plan | null {
    const { shape } = statement;
    switch (shape.verb) {
      case 'insert':
      case 'update':
      case 'delete':
        return this.isOn ? this.#prepareWrite(statement, mayRefresh) : null;
      case 'create':
      case 'drop':
      case 'alter':
        return this.#prepareDefinition(shape);
      case 'vacuum':
      case 'analyze':
        return this.#beyond();
      case 'pragma':
        return this.#preparePragma(shape.target?.name ?? '', shape.hasValue);
      case 'read':
      case 'other':
        // Only SQLite, not the tokens, tells whether the statement writes.
        return statement.readonly || !this.isOn ? null : this.#anywhere();
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

  #prepareWrite(statement: StatementToRun, mayRefresh: boolean): Plan | null {
    const { shape } = statement;
    if (mayRefresh) this.#schema.refresh();
    this.#recorder.beginRows();
    if (this.#needsNoRows) {
      this.#triggers.drop();
      return NO_PLAN;
    }
    const schema = this.#schema.map;
    if (shape.target === null || isNamed(shape.target, SCHEMA_TABLES)) return this.#anywhere();
    if (isNamed(shape.target, SEQUENCES)) this.#noteSequences();
    const table = schema.resolve(shape.target);
    if (table === null) {
      // SQLite's own counters and statistics are not rows of a user.
      return isNamed(shape.target, INTERNAL) || !this.#writesMain(statement) ? null : this.#anywhere();
    }
    const reach = this.isReplaying ? schema.only(table) : schema.reachOf(table);
    if (shape.isWith && !this.#staysWithin(reach, statement)) return this.#anywhere();
    const replaces = shape.replaces || reach.replaces;
    // Only with this on do triggers see the rows REPLACE removes. This has no other effect as long as all triggers are ours.
    if (reach.hasTriggers) this.#setRecursive(false);
    else if (replaces) this.#setRecursive(true);
    const unseen = [...reach.virtuals, ...this.#watchRows(reach.tables, statement.isOfRecords)];
    const hidesDeletes = replaces && reach.hasTriggers && !this.#userWantsRecursion();
    if (this.#recorder.isOn) this.#prepareLog(reach, hidesDeletes || unseen.length > 0);
    const { isAlone } = reach;
    return { ...NO_PLAN, unseen, hidesDeletes, isAlone, mayKeepPart: shape.fails || reach.fails };
  }

  /** Anything may have changed, and nothing is logged: there is nothing more to be known. */
  get #needsNoRows(): boolean {
    return this.#isAnything() && !this.#recorder.isOpen;
  }

  /** Values that the triggers have to report of rows besides their keys. */
  get #values(): ToldValues {
    return this.#recorder.isOpen ? 'all' : 'none';
  }

  /** Returns tables of which it is not told what happens to them. */
  #watchRows(tables: readonly string[], isOfRecords: boolean): readonly string[] {
    if (!isOfRecords) return this.#triggers.ensure(tables, this.#values);
    if (this.#recorder.isOpen) return this.#triggers.ensure(tables, this.#recorder.keepsInserted ? 'all' : 'old');
    // Nothing is logged: it is enough to report that they changed.
    this.#triggers.ensure([], 'none');
    return tables;
  }

  /** Changes that cannot be seen are not logged, nor those that a trigger may have made to a row before ours hears of it. */
  #prepareLog(reach: Reach, isUnseen: boolean): void {
    if (isUnseen || reach.hasOwnTriggers) this.#recorder.guard();
    if (reach.tables.some((table) => this.#layouts.of(table)?.row?.isAutoincrement === true)) this.#noteSequences();
  }

  /** A temporary table can have a trigger that writes to `main`. SQLite is asked once for each time such a statement is prepared. */
  #writesMain({ sql, shape }: StatementToRun): boolean {
    return this.#learn(shape, () => writesMain(this.#internals.db.explain(sql)));
  }

  /** After WITH the tokens tell the table less plainly, so SQLite is asked whether it is the one, or one that a write to it reaches. */
  #staysWithin({ tables, virtuals }: Reach, { sql, shape }: StatementToRun): boolean {
    return this.#learn(shape, () => {
      const reached = new Set([...tables, ...virtuals]);
      return rootsWritten(this.#internals.db.explain(sql)).every((root) => {
        const [table] =
          this.#connection.one('SELECT tbl_name FROM main.sqlite_schema WHERE rootpage = ?', [root]) ?? [];
        return typeof table === 'string' && (reached.has(table) || INTERNAL.test(table));
      });
    });
  }

  #learn(shape: StatementShape, ask: () => boolean): boolean {
    const known = this.#learned.get(shape) ?? ask();
    this.#learned.set(shape, known);
    return known;
  }

  #anywhere(): Plan {
    return { ...this.#beyond(), anywhere: true };
  }

  #beyond(): Plan {
    this.#recorder.guard();
    return { ...NO_PLAN, isBeyondRows: this.#recorder.isOn };
  }

  #prepareDefinition(shape: StatementShape): Plan {
    this.#schema.refresh();
    const schemaVersion = this.#schema.version;
    if (this.#recorder.isOn && this.#definesMain(shape)) this.#recorder.guard();
    if (!this.isOn) return { ...NO_PLAN, schemaVersion };
    // The triggers name columns, which would keep a column from being dropped.
    if (shape.verb === 'alter') this.#triggers.drop();
    if (shape.verb === 'drop' && shape.object === 'table' && shape.target !== null && !this.#needsNoRows) {
      const schema = this.#schema.map;
      const table = schema.resolve(shape.target);
      // DROP TABLE deletes the rows first, which changes the rows that refer to them.
      if (table !== null)
        this.#triggers.ensure(
          schema.reachOf(table).tables.filter((name) => name !== table),
          this.#values,
        );
    }
    return { ...NO_PLAN, defines: this.#definedBy(shape), schemaVersion };
  }

  /** Whether the statement changes the schema of `main`, as far as can be told before it runs. */
  #definesMain({ verb, target, temporary, ifNotExists }: StatementShape): boolean {
    if (target === null || temporary || (target.schema !== null && target.schema !== 'main')) return false;
    const exists =
      this.#connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [target.name]) !== null;
    return verb === 'create' ? !(ifNotExists && exists) : exists;
  }

  #definedBy({ verb, object, target, on }: StatementShape): readonly string[] {
    if (target === null) return [];
    // If it is there already, nothing is defined.
    if (verb === 'create') return [on === null ? target.name : this.#asWritten(on)];
    if (object === 'table' || object === 'view') return [this.#asWritten(target.name)];
    const owner = this.#connection.one('SELECT tbl_name FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [
      target.name,
    ]);
    return owner === null ? [] : [owner[0] as string];
  }

  #asWritten(name: string): string {
    return this.#schema.nameOf(name) ?? name;
  }

  #noteSequences(): void {
    if (this.#recorder.isOn && !this.#recorder.isCovered && !this.#recorder.hasSequences)
      this.#recorder.noteSequences(readSequences(this.#connection));
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

export function readSequences(connection: Connection): readonly SequenceRow[] {
  return connection.all('SELECT name, rowid, seq FROM main.sqlite_sequence ORDER BY rowid');
}

const SCHEMA_TABLES = /^sqlite_(?:master|schema)$/i;
const SEQUENCES = /^sqlite_sequence$/i;
const INTERNAL = /^sqlite_/i;

function isNamed({ schema, name }: QualifiedName, pattern: RegExp): boolean {
  return (schema === null || schema === 'main') && pattern.test(name);
}

// Keeps what the open transaction has changed, exact through savepoints and failed statements.
// What is known about a table only grows, so a journal of its growth is enough to go back to any earlier state.
import type { TableChanges, TransactionChanges } from '../engine.ts';
import type { Authorizer, StatementFacts } from './authorizer.ts';
import { ChangingRow } from './changing-row.ts';
import type { Sqlite } from './load.ts';
import { Operation } from './raw.ts';
import type { Pointer } from './raw.ts';
import type { LogMark } from '../row-log/writer.ts';
import type { SequenceRow } from '../row-log/sequences.ts';
import { ChangedPlaces } from './row-recorder.ts';
import type { RowRecorder } from './row-recorder.ts';
import type { RowLayout, TableLayout, TableLayouts } from '../table-layouts.ts';
import type { TableNames } from './table-names.ts';
import { changesOf, Fact } from '../changed-table.ts';
import type { ChangedTable as Changed } from '../changed-table.ts';
import { TouchedRows } from '../touched-rows.ts';

/** A state to go back to. */
export interface Mark {
  readonly facts: number;
  readonly tables: number;
  readonly rows: number;
  readonly schema: boolean;
  readonly anything: boolean;
  log: LogMark | null;
}

interface ChangedTable extends Changed {
  readonly layout: TableLayout | null;
  /** `unknown`: its rows cannot be logged. Null: they need not. */
  readonly row: RowLayout | 'unknown' | null;
  readonly isShadow: boolean;
  /** Numbers of the columns that the running statement may give another value; null: any. */
  updated: readonly number[] | null;
}

/** Cells of updated rows compared in one transaction: about 10 ms. After that every column counts as changed. */
const MAX_COMPARED_CELLS = 50_000;

export class ChangeTracker {
  readonly #authorizer: Authorizer;
  readonly #recorder: RowRecorder;
  readonly #layouts: TableLayouts;
  readonly #names: TableNames;
  readonly #row: ChangingRow;
  readonly #byName = new Map<string, ChangedTable>();
  readonly #tables: ChangedTable[] = [];
  /** Each fact in the order it became known, and of which table. */
  readonly #journal: { readonly table: ChangedTable; readonly fact: number }[] = [];
  readonly #rows = new TouchedRows();
  readonly #savepoints: { readonly name: string; readonly mark: Mark }[] = [];
  /** Of the running statement, when it does not write to virtual tables itself. */
  #flushMark: Mark | null = null;
  #updatedColumns: StatementFacts['updatedColumns'] = new Map();
  #latePrepares = 0;
  /** Virtual tables may hold back rows that earlier statements of the transaction wrote. */
  #holdsBack = false;
  /** Of the row before, within one statement: only between statements addresses may come to mean something else. */
  #lastName: Pointer = 0;
  #lastSchema: Pointer = 0;
  #lastTable: ChangedTable | null = null;
  #rollbacks = 0;
  #comparedCells = 0;
  readonly #changed = new ChangedPlaces();
  #schema = false;
  /** More than the tables that are named: one was renamed, or the schema written to by hand. */
  #anything = false;
  #committed = false;
  #schemaTouched = false;

  constructor(
    sqlite: Sqlite,
    names: TableNames,
    { authorizer, layouts, recorder }: { authorizer: Authorizer; layouts: TableLayouts; recorder: RowRecorder },
  ) {
    this.#authorizer = authorizer;
    this.#recorder = recorder;
    this.#layouts = layouts;
    this.#names = names;
    this.#row = new ChangingRow(sqlite);
  }

  get rollbacks(): number {
    return this.#rollbacks;
  }

  /** The commit hook: SQLite is about to commit. A failure after this calls the rollback hook. */
  noteCommit(): void {
    this.#committed = true;
  }

  /** The rollback hook. */
  noteRollback(): void {
    this.#rollbacks++;
    if (this.#schema) this.#schemaTouched = true;
    this.#clear();
  }

  /** The preupdate hook: once a row. */
  noteRow(db: Pointer, operation: number, schema: Pointer, name: Pointer, oldRowid: bigint, newRowid: bigint): void {
    const table = this.#tableAt(schema, name);
    if (table === null) return;
    if (operation === Operation.update) this.#noteUpdate(db, table, oldRowid, newRowid);
    else this.#noteInsertOrDelete(db, table, operation, oldRowid);
    // What a virtual table held back is written before the statement begins, and stays when it fails.
    if (table.isShadow && this.#flushMark !== null) this.#flushMark.log = this.#recorder.mark();
  }

  #noteInsertOrDelete(db: Pointer, table: ChangedTable, operation: number, oldRowid: bigint): void {
    const isInsert = operation === Operation.insert;
    this.#learn(table, isInsert ? Fact.inserted : Fact.deleted);
    this.#noteKey(db, table, isInsert ? 'new' : 'old', oldRowid);
    if (!this.#recorder.isOpen || table.row === null) return;
    if (table.row === 'unknown') this.#recorder.giveUp(db);
    else if (isInsert) this.#recorder.insert(db, table.row, oldRowid);
    else this.#recorder.delete(db, table.row, oldRowid);
  }

  /** The state before a statement. Virtual tables write what they held back at the first step of some, and at savepoints. */
  markStatement({ updatedColumns }: StatementFacts, writesVirtual: boolean): Mark {
    const mark = this.mark();
    this.#updatedColumns = updatedColumns;
    this.#latePrepares = this.#authorizer.latePrepares;
    this.#flushMark = writesVirtual ? null : mark;
    return mark;
  }

  /** Rows were logged since. */
  hasGrown(mark: Mark): boolean {
    return this.#recorder.hasGrown(mark.log);
  }

  /** Going back to `mark` would forget rows that a virtual table had held back, or cannot tell them from those that are taken back. */
  isUnclear(mark: Mark): boolean {
    return this.#holdsBack && this.hasGrown(mark);
  }

  get holdsBack(): boolean {
    return this.#holdsBack;
  }

  mark(): Mark {
    this.#lastName = 0;
    return {
      facts: this.#journal.length,
      tables: this.#tables.length,
      rows: this.#rows.count,
      schema: this.#schema,
      anything: this.#anything,
      log: this.#recorder.mark(),
    };
  }

  /** Forgets what came after `mark`. */
  goBack(mark: Mark): void {
    this.#lastName = 0;
    if (this.#schema) this.#schemaTouched = true;
    this.#schema = mark.schema;
    this.#anything = mark.anything;
    for (const { table, fact } of this.#journal.splice(mark.facts)) table.facts[fact] = 0;
    for (const table of this.#tables.splice(mark.tables)) this.#byName.delete(table.name);
    this.#rows.goBack(mark.rows);
    this.#recorder.goBack(mark.log);
  }

  /** After a statement has done all it does. */
  noteStatement(facts: StatementFacts, writesVirtual: boolean): void {
    this.#lastName = 0;
    if (writesVirtual) this.#holdsBack = true;
    for (const name of facts.definedTables) {
      const table = this.#tableNamed(name);
      for (let fact = 0; fact < Fact.firstColumn; fact++) this.#learn(table, fact);
      this.#schema = true;
      this.#schemaTouched = true;
    }
    if (facts.changesTempTriggers) this.#schemaTouched = true;
    if (facts.renames) this.#anything = true;
    if (facts.savepoint !== null) this.#noteSavepoint(facts.savepoint.operation, facts.savepoint.name);
  }

  /** The commit hook was called, and not the rollback hook since. */
  get isCommitted(): boolean {
    return this.#committed;
  }

  /** SQLite could not commit after all and the transaction is still open. */
  noteCommitFailed(): void {
    this.#committed = false;
  }

  /** True once after the schema may have become another. */
  takeSchemaTouched(): boolean {
    const touched = this.#schemaTouched;
    this.#schemaTouched = false;
    return touched;
  }

  /** True once after a commit: {@link takeCommitted} says what it changed. */
  endCommit(): boolean {
    const committed = this.#committed;
    this.#committed = false;
    return committed;
  }

  /**
   * What the transaction that was just committed changed, shadow tables as such; null when it changed nothing.
   * @param sequences as they are now, when the recorder has them as they were
   */
  takeCommitted(sequences: readonly SequenceRow[] | null): TransactionChanges | null {
    const log = this.#recorder.log(sequences);
    if (this.#anything) {
      this.#clear();
      this.#schemaTouched = true;
      return { tables: null, schema: true, log };
    }
    const tables = new Map<string, TableChanges>();
    for (const table of this.#tables) {
      if (table.facts.includes(1) && !table.name.startsWith('sqlite_'))
        tables.set(table.name, changesOf(table, this.#rows));
    }
    const schema = this.#schema;
    this.#clear();
    return tables.size === 0 && !schema && log === null ? null : { tables, schema, log };
  }

  #noteUpdate(db: Pointer, table: ChangedTable, oldRowid: bigint, newRowid: bigint): void {
    const { layout } = table;
    const row = this.#recorder.isOpen ? table.row : null;
    const primaryKey = layout?.primaryKey ?? null;
    let moved = oldRowid !== newRowid;
    if (layout === null || this.#comparedCells >= MAX_COMPARED_CELLS) {
      this.#learn(table, Fact.anyColumn);
      if (primaryKey !== null || layout === null) moved = true;
      this.#changed.all(row, table.updated);
    } else {
      if (!this.#noteChangedColumns(db, table, layout, row) && !moved) return;
      if (primaryKey?.some((column) => table.facts[Fact.firstColumn + column] === 1)) moved = true;
    }
    this.#learn(table, Fact.updated);
    if (moved) this.#learn(table, Fact.moved);
    this.#noteKey(db, table, 'old', oldRowid);
    if (moved) this.#noteKey(db, table, 'new', newRowid);
    if (row === 'unknown') this.#recorder.giveUp(db);
    else if (row !== null) this.#recorder.update(db, row, oldRowid, newRowid, this.#changed);
  }

  /**
   * Whether any column gets another value. Columns known to change are only looked at until one of this row does, unless the
   * row is logged.
   */
  #noteChangedColumns(db: Pointer, table: ChangedTable, layout: TableLayout, row: ChangedTable['row']): boolean {
    let changes = false;
    this.#changed.none();
    const count = table.updated?.length ?? layout.columns.length;
    for (let index = 0; index < count; index++) {
      const column = table.updated === null ? index : table.updated[index]!;
      const fact = Fact.firstColumn + column;
      if (changes && row === null && table.facts[fact] === 1) continue;
      this.#comparedCells++;
      if (!this.#row.differs(db, column)) continue;
      changes = true;
      this.#learn(table, fact);
      if (row !== null && row !== 'unknown') this.#changed.add(row, column);
    }
    return changes;
  }

  #noteKey(db: Pointer, table: ChangedTable, which: 'old' | 'new', rowid: bigint): void {
    if (table.facts[Fact.anyRow] === 1) return;
    const primaryKey = table.layout?.primaryKey;
    if (primaryKey === null) {
      if (!this.#rows.addRowid(table.number, rowid)) this.#learn(table, Fact.anyRow);
      return;
    }
    const key = primaryKey === undefined ? null : this.#row.key(db, primaryKey, which);
    if (key === null || !this.#rows.addPrimaryKey(table.number, key)) this.#learn(table, Fact.anyRow);
  }

  /** Null for what is not in `main`. */
  #tableAt(schema: Pointer, name: Pointer): ChangedTable | null {
    if (name === this.#lastName && schema === this.#lastSchema) return this.#lastTable;
    const isMain = this.#names.isMain(schema);
    const table = isMain ? this.#tableNamed(this.#names.at(name)) : null;
    if (table?.name === 'sqlite_master') this.#schema = this.#anything = true;
    this.#lastName = name;
    this.#lastSchema = schema;
    this.#lastTable = table;
    if (table !== null) table.updated = this.#updatedOf(table);
    return table;
  }

  /** SQLite tells which columns a statement sets: the others need no comparing and no keeping. */
  #updatedOf({ name, layout }: ChangedTable): readonly number[] | null {
    const names = this.#updatedColumns.get(name);
    if (names === undefined || layout === null || this.#latePrepares !== this.#authorizer.latePrepares) return null;
    const numbers = layout.columns.flatMap((column, number) => (names.has(column) ? [number] : []));
    // `SET rowid = …` where a column is the row id: rather all than none.
    return numbers.length === names.size ? numbers : null;
  }

  #learn(table: ChangedTable, fact: number): void {
    if (table.facts[fact] === 1) return;
    table.facts[fact] = 1;
    this.#journal.push({ table, fact });
  }

  #tableNamed(name: string): ChangedTable {
    let table = this.#byName.get(name);
    if (table === undefined) {
      const known = this.#layouts.of(name);
      const layout = known === null || known.isInternal ? null : known;
      const isShadow = known !== null && known.isInternal && !name.startsWith('sqlite_');
      const facts = new Uint8Array(Fact.firstColumn + (layout?.columns.length ?? 0));
      table = {
        number: this.#tables.length,
        name,
        layout,
        facts,
        row: rowLayoutOf(name, known),
        isShadow,
        updated: null,
      };
      this.#byName.set(name, table);
      this.#tables.push(table);
    }
    return table;
  }

  #noteSavepoint(operation: 'BEGIN' | 'RELEASE' | 'ROLLBACK', name: string): void {
    if (operation === 'BEGIN') {
      this.#holdsBack = false;
      this.#savepoints.push({ name, mark: this.mark() });
      return;
    }
    let place = this.#savepoints.length - 1;
    while (place >= 0 && this.#savepoints[place]!.name !== name) place--;
    if (place < 0) return;
    if (operation === 'ROLLBACK') {
      this.#rollbacks++;
      this.goBack(this.#savepoints[place]!.mark);
    }
    this.#savepoints.length = operation === 'ROLLBACK' ? place + 1 : place;
  }

  #clear(): void {
    this.#lastName = 0;
    this.#byName.clear();
    this.#tables.length = 0;
    this.#journal.length = 0;
    this.#rows.goBack(0);
    this.#savepoints.length = 0;
    this.#comparedCells = 0;
    this.#flushMark = null;
    this.#holdsBack = false;
    this.#schema = false;
    this.#anything = false;
    this.#committed = false;
    this.#recorder.clear();
  }
}

function rowLayoutOf(name: string, layout: TableLayout | null): ChangedTable['row'] {
  // One is compared as a whole, the other belongs to the schema.
  if (name === 'sqlite_sequence' || name === 'sqlite_master') return null;
  return layout?.row ?? 'unknown';
}

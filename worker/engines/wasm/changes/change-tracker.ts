// Tracks what the open transaction has changed, as SQLite's hooks report it, exact across savepoints and failed statements.
import type { Value } from '#shared/protocol/values.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import type { Authorizer } from '../statements/authorizer.ts';
import { readSqlValue } from '../statements/row.ts';
import type { StatementFacts } from '../statements/statement-facts.ts';
import type { Sqlite } from '../runtime/load.ts';
import { Operation, ColumnType, Result, type Pointer } from '../runtime/raw.ts';
import { Counted } from '../../row-log/row-counts.ts';
import type { SequenceRow } from '../../row-log/sequences.ts';
import { ChangedColumns, type RowRecorder } from './row-recorder.ts';
import type { TableLayout, TableLayouts, RowLayout } from '../../table-layouts.ts';
import type { TableNames } from './table-names.ts';
import { Fact, MAX_COMPARED_CELLS, noFacts, TransactionFacts } from '../../transaction-facts.ts';
import type { ChangedTable, RollbackPoint } from '../../transaction-facts.ts';

export class ChangeTracker {
  readonly #authorizer: Authorizer;
  readonly #recorder: RowRecorder;
  readonly #names: TableNames;
  readonly #row: ChangingRow;
  readonly #facts: TransactionFacts<TrackedTable>;
  /** Plan of the running statement, if that does not write to virtual tables itself. */
  #flushMark: RollbackPoint | null = null;
  #updatedColumns: StatementFacts['updatedColumns'] = new Map();
  #latePrepares = 0;
  /** Virtual tables may still buffer rows that earlier statements of the transaction wrote. */
  #holdsBack = false;
  /** Names and table of the previous row, within one statement: addresses may change their meaning only between statements. */
  #lastName: Pointer = 0;
  #lastSchema: Pointer = 0;
  #lastTable: TrackedTable | null = null;
  #rollbacks = 0;
  #comparedCells = 0;
  readonly #changed = new ChangedColumns();
  #committed = false;
  #schemaTouched = false;

  constructor(
    sqlite: Sqlite,
    names: TableNames,
    { authorizer, layouts, recorder }: { authorizer: Authorizer; layouts: TableLayouts; recorder: RowRecorder },
  ) {
    this.#authorizer = authorizer;
    this.#recorder = recorder;
    this.#names = names;
    this.#row = new ChangingRow(sqlite);
    this.#facts = new TransactionFacts(recorder, (name, number) => trackedTable(name, number, layouts.of(name)));
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
    if (this.#facts.schema) this.#schemaTouched = true;
    this.#clear();
  }

  /** The preupdate hook: once a row. */
  noteRow(db: Pointer, operation: number, schema: Pointer, name: Pointer, oldRowid: bigint, newRowid: bigint): void {
    // Anything may have changed and nothing is logged, so there is nothing to add.
    if (this.#facts.anything && !this.#recorder.isOpen && !this.#recorder.isCovered) return;
    const table = this.#tableAt(schema, name);
    if (table === null) return;
    if (operation === Operation.update) this.#noteUpdate(db, table, oldRowid, newRowid);
    else this.#noteInsertOrDelete(db, table, operation, oldRowid);
    // A virtual table writes its buffered rows before the statement begins, and they stay when it fails.
    if (table.isShadow && this.#flushMark !== null) this.#flushMark.log = this.#recorder.mark();
  }

  #noteInsertOrDelete(db: Pointer, table: TrackedTable, operation: number, oldRowid: bigint): void {
    const isInsert = operation === Operation.insert;
    this.#facts.learn(table, isInsert ? Fact.inserted : Fact.deleted);
    this.#noteKey(db, table, isInsert ? 'new' : 'old', oldRowid);
    if (table.row === null) return;
    if (this.#recorder.isCovered) this.#count(table, isInsert ? Counted.inserted : Counted.deleted);
    else if (!this.#recorder.isOpen) return;
    else if (table.row === 'unknown') this.#recorder.giveUp(db);
    else if (isInsert) this.#recorder.insert(db, table.row, oldRowid);
    else this.#recorder.delete(db, table.row, oldRowid);
  }

  /** Whether further rows inserted into the table would add to what is known and kept of the transaction. */
  learnsFromInserts(name: string): boolean {
    if (this.#recorder.isOpen || this.#recorder.isCovered) return true;
    const { facts } = this.#facts.table(name);
    return facts[Fact.inserted] !== 1 || facts[Fact.anyRow] !== 1;
  }

  /** The state before a statement. Virtual tables write their buffered rows at the first step of some statements, and at savepoints. */
  markStatement({ updatedColumns }: StatementFacts, writesVirtual: boolean): RollbackPoint {
    const mark = this.mark();
    this.#updatedColumns = updatedColumns;
    this.#latePrepares = this.#authorizer.latePrepares;
    this.#flushMark = writesVirtual ? null : mark;
    return mark;
  }

  /** Whether rows were logged since. */
  hasGrown(mark: RollbackPoint): boolean {
    return this.#recorder.hasGrown(mark.log);
  }

  /**
   * Whether returning to `mark` would lose rows that a virtual table had buffered, or cannot distinguish them from rows that are rolled
   * back.
   */
  isUnclear(mark: RollbackPoint): boolean {
    return this.#holdsBack && this.hasGrown(mark);
  }

  get holdsBack(): boolean {
    return this.#holdsBack;
  }

  mark(): RollbackPoint {
    this.#lastName = 0;
    return this.#facts.mark();
  }

  /** Forgets everything after `mark`. */
  goBack(mark: RollbackPoint): void {
    this.#lastName = 0;
    if (this.#facts.schema) this.#schemaTouched = true;
    this.#facts.goBack(mark);
  }

  /** Call after a statement has completed. */
  noteStatement(facts: StatementFacts, writesVirtual: boolean): void {
    this.#lastName = 0;
    if (writesVirtual) this.#holdsBack = true;
    // CREATE … IF NOT EXISTS of what is there already defines nothing.
    if (facts.isBeyondRows) this.#noteDefinitions(facts.definedTables);
    if (facts.changesOthers) this.#schemaTouched = true;
    if (facts.renames) this.#facts.anything = true;
    if (facts.savepoint !== null) this.#noteSavepoint(facts.savepoint.operation, facts.savepoint.name);
  }

  #noteDefinitions(tables: readonly string[]): void {
    for (const name of tables) {
      this.#facts.learnAll(this.#facts.table(name));
      this.#facts.schema = true;
      this.#schemaTouched = true;
    }
  }

  /** The commit hook was called, and the rollback hook has not been called since. */
  get isCommitted(): boolean {
    return this.#committed;
  }

  /** SQLite could not commit after all and the transaction is still open. */
  noteCommitFailed(): void {
    this.#committed = false;
  }

  /** True once after the schema may have changed. */
  takeSchemaTouched(): boolean {
    const touched = this.#schemaTouched;
    this.#schemaTouched = false;
    return touched;
  }

  /** True once after a commit: {@link takeCommitted} says what the commit changed. */
  endCommit(): boolean {
    const committed = this.#committed;
    this.#committed = false;
    return committed;
  }

  /**
   * Changes of the transaction that was just committed, with shadow tables listed as such; null when it changed nothing.
   * @param sequences the current sequences, when the recorder has the earlier ones
   */
  takeCommitted(sequences: readonly SequenceRow[] | null): TransactionChanges | null {
    const log = this.#recorder.log(sequences);
    const { counted } = this.#recorder;
    const { tables, schema } = this.#facts.changes;
    if (tables === null) this.#schemaTouched = true;
    this.#clear();
    return tables?.size === 0 && !schema && log === null ? null : { tables, schema, log, ...(counted && { counted }) };
  }

  #noteUpdate(db: Pointer, table: TrackedTable, oldRowid: bigint, newRowid: bigint): void {
    const { layout } = table;
    const row = this.#recorder.isOpen ? table.row : null;
    const primaryKey = layout?.primaryKey ?? null;
    let moved = oldRowid !== newRowid;
    if (layout === null || this.#comparedCells >= MAX_COMPARED_CELLS) {
      this.#facts.learn(table, Fact.anyColumn);
      if (primaryKey !== null || layout === null) moved = true;
      this.#changed.all(row, table.updated);
    } else {
      if (!this.#noteChangedColumns(db, table, layout, row) && !moved) return;
      if (primaryKey?.some((column) => table.facts[Fact.firstColumn + column] === 1)) moved = true;
    }
    this.#facts.learn(table, Fact.updated);
    if (moved) this.#facts.learn(table, Fact.moved);
    this.#noteKey(db, table, 'old', oldRowid);
    if (moved) this.#noteKey(db, table, 'new', newRowid);
    if (this.#recorder.isCovered) this.#count(table, Counted.updated);
    else if (row === 'unknown') this.#recorder.giveUp(db);
    else if (row !== null) this.#recorder.update(db, row, oldRowid, newRowid, this.#changed);
  }

  #count({ row }: TrackedTable, what: Counted): void {
    if (row !== null && row !== 'unknown') this.#recorder.count(row.shape, what);
  }

  /** Whether any column changes. Columns known to change are only compared until one of this row does, unless the row is logged. */
  #noteChangedColumns(db: Pointer, table: TrackedTable, layout: TableLayout, row: TrackedTable['row']): boolean {
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
      this.#facts.learn(table, fact);
      if (row !== null && row !== 'unknown') this.#changed.add(row, column);
    }
    return changes;
  }

  #noteKey(db: Pointer, table: TrackedTable, which: 'old' | 'new', rowid: bigint): void {
    if (table.facts[Fact.anyRow] === 1) return;
    const primaryKey = table.layout?.primaryKey;
    if (primaryKey === null) {
      this.#facts.rowid(table, rowid);
      return;
    }
    this.#facts.primaryKey(table, primaryKey === undefined ? null : this.#row.key(db, primaryKey, which));
  }

  /** Null for tables outside `main`. */
  #tableAt(schema: Pointer, name: Pointer): TrackedTable | null {
    if (name === this.#lastName && schema === this.#lastSchema) return this.#lastTable;
    const isMain = this.#names.isMain(schema);
    const table = isMain ? this.#facts.table(this.#names.at(name)) : null;
    if (table?.name === 'sqlite_master') this.#facts.schema = this.#facts.anything = true;
    this.#lastName = name;
    this.#lastSchema = schema;
    this.#lastTable = table;
    if (table !== null) noteColumnsSet(table, this.#isLatePrepared ? null : this.#updatedColumns);
    return table;
  }

  /** Something was prepared since, so the columns may be those of another statement. */
  get #isLatePrepared(): boolean {
    return this.#latePrepares !== this.#authorizer.latePrepares;
  }

  #noteSavepoint(operation: 'BEGIN' | 'RELEASE' | 'ROLLBACK', name: string): void {
    if (operation === 'BEGIN') {
      this.#holdsBack = false;
      this.#facts.savepoint(name);
    } else if (operation === 'RELEASE') this.#facts.release(name);
    else {
      const { schema } = this.#facts;
      if (!this.#facts.rollbackTo(name)) return;
      this.#rollbacks++;
      if (schema) this.#schemaTouched = true;
    }
  }

  #clear(): void {
    this.#lastName = 0;
    this.#facts.clear();
    this.#comparedCells = 0;
    this.#flushMark = null;
    this.#holdsBack = false;
    this.#committed = false;
    this.#recorder.clear();
  }
}

interface TrackedTable extends ChangedTable {
  readonly layout: TableLayout | null;
  /** `unknown`: the rows of the table cannot be logged. Null: its rows do not have to be logged. */
  readonly row: RowLayout | 'unknown' | null;
  readonly isShadow: boolean;
  /** Numbers of the columns that the running statement may change; null: any. */
  updated: readonly number[] | null;
  /** The statement's columns that `updated` was made from; null: none. */
  updatedFrom: StatementFacts['updatedColumns'] | null;
}

function trackedTable(name: string, number: number, known: TableLayout | null): TrackedTable {
  const layout = known === null || known.isInternal ? null : known;
  return {
    number,
    name,
    layout,
    facts: noFacts(layout),
    row: rowLayoutOf(name, known),
    isShadow: known !== null && known.isInternal && !name.startsWith('sqlite_'),
    updated: null,
    updatedFrom: null,
  };
}

function rowLayoutOf(name: string, layout: TableLayout | null): TrackedTable['row'] {
  // sqlite_sequence is compared as a whole, and sqlite_master belongs to the schema.
  if (name === 'sqlite_sequence' || name === 'sqlite_master') return null;
  return layout?.row ?? 'unknown';
}

/** SQLite reports which columns a statement sets; the others do not have to be compared or kept. @param columns null: it is not known */
function noteColumnsSet(table: TrackedTable, columns: StatementFacts['updatedColumns'] | null): void {
  // A script runs the same statement thousands of times.
  if (columns === table.updatedFrom) return;
  table.updatedFrom = columns;
  table.updated = columns === null ? null : columnsSet(table, columns);
}

function columnsSet(
  { name, layout }: TrackedTable,
  updatedColumns: StatementFacts['updatedColumns'],
): readonly number[] | null {
  const names = updatedColumns.get(name);
  if (names === undefined || layout === null) return null;
  const numbers = layout.columns.flatMap((column, number) => (names.has(column) ? [number] : []));
  // `SET rowid = …` where a column is the row id: treat all as set.
  return numbers.length === names.size ? numbers : null;
}

/** Longer values count as changed: the comparison would cost more than it saves. */
const MAX_COMPARED_BYTES = 1 << 20;
const MAX_KEY_BYTES = 1024;

/** Reads the row of a preupdate hook call: whether a column changes, and the row's primary key. */
class ChangingRow {
  readonly #sqlite: Sqlite;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

  /** Call only during an update. */
  differs(db: Pointer, column: number): boolean {
    const { raw, heap, out } = this.#sqlite;
    const code = raw.sqlite3_preupdate_old(db, column, out) || raw.sqlite3_preupdate_new(db, column, out + 4);
    // Virtual generated columns are not stored: they follow from stored ones.
    if (code === Result.range) return false;
    return code !== 0 || !this.#isSame(heap.pointerAt(out), heap.pointerAt(out + 4));
  }

  /** Null when the row is too large to keep. */
  key(db: Pointer, columns: readonly number[], which: 'old' | 'new'): readonly Value[] | null {
    const { raw, heap, out } = this.#sqlite;
    const key: Value[] = [];
    let bytes = 0;
    for (const column of columns) {
      const code =
        which === 'old' ? raw.sqlite3_preupdate_old(db, column, out) : raw.sqlite3_preupdate_new(db, column, out);
      if (code !== 0) return null;
      const value = heap.pointerAt(out);
      const type = raw.sqlite3_value_type(value);
      if (type === ColumnType.text || type === ColumnType.blob) bytes += raw.sqlite3_value_bytes(value);
      if (bytes > MAX_KEY_BYTES) return null;
      key.push(readSqlValue(this.#sqlite, value));
    }
    return key;
  }

  #isSame(before: Pointer, after: Pointer): boolean {
    const { raw } = this.#sqlite;
    const type = raw.sqlite3_value_type(before);
    if (type !== raw.sqlite3_value_type(after)) return false;
    switch (type) {
      case ColumnType.null:
        return true;
      case ColumnType.float:
        return raw.sqlite3_value_double(before) === raw.sqlite3_value_double(after);
      case ColumnType.integer: {
        const value = raw.sqlite3_value_double(before);
        if (value !== raw.sqlite3_value_double(after)) return false;
        return Number.isSafeInteger(value) || raw.sqlite3_value_int64(before) === raw.sqlite3_value_int64(after);
      }
      default:
        return this.#sameBytes(before, after);
    }
  }

  #sameBytes(before: Pointer, after: Pointer): boolean {
    const { raw, heap } = this.#sqlite;
    // Read before their length: in this order SQLite returns the length in the stored encoding, without a conversion.
    const [from, to] = [raw.sqlite3_value_blob(before), raw.sqlite3_value_blob(after)];
    const length = raw.sqlite3_value_bytes(before);
    if (length !== raw.sqlite3_value_bytes(after) || length > MAX_COMPARED_BYTES) return false;
    const bytes = heap.bytes;
    for (let index = 0; index < length; index++) if (bytes[from + index] !== bytes[to + index]) return false;
    return true;
  }
}

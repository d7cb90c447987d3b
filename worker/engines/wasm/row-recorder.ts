// Writes what a preupdate hook sees into the row log of the open transaction, and decides when that log ends.
import { AppError } from '#shared/protocol/errors.ts';
import { Entry, Tag } from '../row-log/format.ts';
import { readRowLog } from '../row-log/reader.ts';
import { MAX_ROWS_WITH_AFTER } from '../row-log/row-log.ts';
import type { ChangeGuard, RowLog } from '../row-log/row-log.ts';
import { sequenceEntries } from '../row-log/sequences.ts';
import type { SequenceRow } from '../row-log/sequences.ts';
import { RowLogWriter } from '../row-log/writer.ts';
import type { LogMark } from '../row-log/writer.ts';
import type { Sqlite } from './load.ts';
import { ColumnType } from './raw.ts';
import type { Pointer } from './raw.ts';
import type { RowLayout } from '../table-layouts.ts';

export interface RecordOptions {
  readonly budgetBytes: number;
  readonly guard: ChangeGuard;
}

/** `dropped`: the rest of the transaction is not kept. `refused`: the transaction must not be committed. */
type State = 'off' | 'open' | 'dropped' | 'refused';

/** Columns that an update changes, by their places in the log, ascending. */
export class ChangedPlaces {
  #places = new Uint16Array(64);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(index: number): number {
    return this.#places[index]!;
  }

  none(): void {
    this.#count = 0;
  }

  /** Null: every column that is stored. */
  all(layout: RowLayout | 'unknown' | null, columns: readonly number[] | null): void {
    this.#count = 0;
    if (layout !== null && layout !== 'unknown') {
      for (const column of columns ?? layout.valueColumns) this.add(layout, column);
    }
  }

  add(layout: RowLayout, column: number): void {
    const place = layout.places[column]!;
    // Generated columns and the row id are not written.
    if (place < 0) return;
    if (this.#count === this.#places.length) {
      const places = new Uint16Array(this.#count * 2);
      places.set(this.#places);
      this.#places = places;
    }
    this.#places[this.#count++] = place;
  }

  hasAny(layout: RowLayout, columns: readonly number[]): boolean {
    for (let index = 0; index < this.#count; index++) {
      if (columns.includes(layout.columns[this.#places[index]!]!)) return true;
    }
    return false;
  }
}

export class RowRecorder {
  readonly #sqlite: Sqlite;
  #options: RecordOptions | null = null;
  #next: { readonly options: RecordOptions | null } | null = null;
  #writer: RowLogWriter | null = null;
  #state: State = 'off';
  #refusal: AppError | null = null;
  /** The guard was asked: a copy of the database stands for the log of this transaction. */
  #isGuarded = false;
  /** By the name of their tables, as the log numbers them. */
  readonly #numbers = new Map<string, number>();
  /** Those of them with AUTOINCREMENT. */
  readonly #counting = new Set<string>();
  /** As it was before the transaction wrote to an AUTOINCREMENT table. */
  #sequences: readonly SequenceRow[] | null = null;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

  get isOn(): boolean {
    return this.#options !== null;
  }

  /** Rows are to be told. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** The open transaction must not be committed. */
  get isRefused(): boolean {
    return this.#state === 'refused';
  }

  /** Once after a statement was refused: why. The transaction is rolled back. */
  takeRefusal(): AppError | null {
    const refusal = this.#refusal;
    this.#refusal = null;
    return refusal;
  }

  get isGuarded(): boolean {
    return this.#isGuarded;
  }

  get hasSequences(): boolean {
    return this.#sequences !== null;
  }

  /** From the next transaction on. */
  set(options: RecordOptions | null): void {
    this.#next = { options };
  }

  /** {@link set} is waiting for the end of the open transaction. */
  get isChanging(): boolean {
    return this.#next !== null;
  }

  /** A transaction that wrote nothing ends without a word. */
  settle(autocommit: boolean): void {
    const isIdle = this.#sequences === null && (this.#writer?.rowCount ?? 0) === 0;
    if (autocommit && isIdle && this.#state !== 'refused') this.clear();
  }

  /** Ready for another transaction. */
  clear(): void {
    if (this.#next !== null) {
      this.#options = this.#next.options;
      this.#writer = this.#options && new RowLogWriter(this.#options.budgetBytes);
      this.#next = null;
    }
    this.#writer?.clear();
    this.#numbers.clear();
    this.#counting.clear();
    this.#sequences = null;
    this.#isGuarded = false;
    this.#state = this.#writer === null ? 'off' : 'open';
  }

  mark(): LogMark | null {
    return this.#state === 'open' ? this.#writer!.mark() : null;
  }

  hasGrown(mark: LogMark | null): boolean {
    return this.#state === 'open' && mark !== null && this.#writer!.hasGrown(mark);
  }

  goBack(mark: LogMark | null): void {
    if (this.#state === 'open' && mark !== null) this.#writer!.goBack(mark);
  }

  /** A transaction that wrote nothing ends without a word. Before a statement outside of one. */
  forgetGuard(): void {
    if (this.#isGuarded) this.clear();
  }

  /** Something comes that rows do not tell. May throw what the guard throws. */
  guard(): void {
    if (this.#options === null || this.#isGuarded) return;
    this.#options.guard.beforeSchemaChange();
    this.#isGuarded = true;
    this.#drop();
  }

  noteSequences(rows: readonly SequenceRow[]): void {
    this.#sequences = rows;
  }

  /** A row that cannot be told, as if the budget were used up. */
  giveUp(db: Pointer): void {
    if (this.#state === 'open') this.#overBudget(db);
  }

  insert(db: Pointer, layout: RowLayout, rowid: bigint): void {
    const writer = this.#writer!;
    const table = this.#number(layout);
    const withAfter = writer.rowCount < MAX_ROWS_WITH_AFTER;
    const safe = Number(rowid);
    if (!withAfter && layout.shape.key.kind === 'rowid' && Number.isSafeInteger(safe)) {
      if (!writer.insertRowid(table, safe)) this.#overBudget(db);
      return;
    }
    writer.begin(withAfter ? Entry.insert : Entry.insertKey, table);
    let isWhole = this.#key(db, layout, rowid, true);
    if (withAfter) for (const column of layout.valueColumns) isWhole = this.#newValue(db, column) && isWhole;
    this.#end(db, isWhole);
  }

  delete(db: Pointer, layout: RowLayout, rowid: bigint): void {
    this.#writer!.begin(Entry.delete, this.#number(layout));
    let isWhole = this.#key(db, layout, rowid, false);
    for (const column of layout.valueColumns) isWhole = this.#oldValue(db, column) && isWhole;
    this.#end(db, isWhole);
  }

  update(db: Pointer, layout: RowLayout, oldRowid: bigint, newRowid: bigint, changed: ChangedPlaces): void {
    const writer = this.#writer!;
    const withAfter = writer.rowCount < MAX_ROWS_WITH_AFTER;
    const moved = layout.primaryKey === null ? oldRowid !== newRowid : changed.hasAny(layout, layout.primaryKey);
    writer.begin((moved ? Entry.move : Entry.update) + (withAfter ? 1 : 0), this.#number(layout));
    let isWhole = this.#key(db, layout, oldRowid, false);
    if (moved) isWhole = this.#key(db, layout, newRowid, true) && isWhole;
    writer.number(changed.count);
    for (let index = 0; index < changed.count; index++) {
      const place = changed.at(index);
      const column = layout.columns[place]!;
      writer.number(place);
      isWhole = this.#oldValue(db, column) && isWhole;
      if (withAfter) isWhole = this.#newValue(db, column) && isWhole;
    }
    this.#end(db, isWhole);
  }

  /** What was logged so far; `sequences` as they are now, when {@link hasSequences}. */
  log(sequences: readonly SequenceRow[] | null): RowLog | 'dropped' | null {
    if (this.#state === 'off') return null;
    if (this.#state !== 'open') return 'dropped';
    const writer = this.#writer!;
    const names = writer.tablesWithRowsThatCameOrWent.filter((name) => this.#counting.has(name));
    const bytes = writer.seal(sequences && sequenceEntries(this.#sequences ?? [], sequences, names));
    return bytes && readRowLog(bytes);
  }

  #number({ shape, isAutoincrement }: RowLayout): number {
    let number = this.#numbers.get(shape.name);
    if (number === undefined) {
      this.#numbers.set(shape.name, (number = this.#writer!.addTable(shape)));
      if (isAutoincrement) this.#counting.add(shape.name);
    }
    return number;
  }

  #end(db: Pointer, isWhole: boolean): void {
    if (!this.#writer!.end() || !isWhole) this.#overBudget(db);
  }

  /** Inside SQLite. */
  #overBudget(db: Pointer): void {
    if (this.#options!.guard.overBudget() === 'drop') {
      this.#drop();
      return;
    }
    this.#drop();
    this.#state = 'refused';
    this.#refusal = refusedError(this.#options!.budgetBytes, this.#sqlite.raw.sqlite3_get_autocommit(db) === 0);
    // Ends the statement at its next turn of a loop; where there is none, the commit is refused.
    this.#sqlite.raw.sqlite3_interrupt(db);
  }

  #drop(): void {
    this.#writer!.clear();
    this.#state = 'dropped';
  }

  #key(db: Pointer, layout: RowLayout, rowid: bigint, isNew: boolean): boolean {
    if (layout.primaryKey === null) {
      const safe = Number(rowid);
      if (Number.isSafeInteger(safe)) this.#writer!.integer(safe);
      else this.#writer!.bigInteger(rowid);
      return true;
    }
    let isWhole = true;
    for (const column of layout.primaryKey) {
      isWhole = (isNew ? this.#newValue(db, column) : this.#oldValue(db, column)) && isWhole;
    }
    return isWhole;
  }

  #oldValue(db: Pointer, column: number): boolean {
    const { raw, out } = this.#sqlite;
    return raw.sqlite3_preupdate_old(db, column, out) === 0 && this.#value();
  }

  #newValue(db: Pointer, column: number): boolean {
    const { raw, out } = this.#sqlite;
    return raw.sqlite3_preupdate_new(db, column, out) === 0 && this.#value();
  }

  /** The value whose address lies in `out`. */
  #value(): boolean {
    const { raw, heap, out } = this.#sqlite;
    const writer = this.#writer!;
    const value = heap.pointerAt(out);
    const type = raw.sqlite3_value_type(value);
    switch (type) {
      case ColumnType.integer: {
        // Exact up to 2^53; a bigint costs an allocation.
        const number = raw.sqlite3_value_double(value);
        if (Number.isSafeInteger(number)) writer.integer(number);
        else writer.bigInteger(raw.sqlite3_value_int64(value));
        return true;
      }
      case ColumnType.float:
        writer.real(raw.sqlite3_value_double(value));
        return true;
      case ColumnType.text:
      case ColumnType.blob: {
        // Before the length is asked for: in this order text is measured as it is, whatever its encoding.
        const start = raw.sqlite3_value_blob(value);
        const length = raw.sqlite3_value_bytes(value);
        if (start === 0 && length > 0) return false;
        writer.bytes(type === ColumnType.text ? Tag.text : Tag.blob, heap.bytes, start, length);
        return true;
      }
      default:
        writer.null();
        return true;
    }
  }
}

function refusedError(budgetBytes: number, inTransaction: boolean): AppError {
  const size = `${Math.max(1, Math.round(budgetBytes / (1 << 20)))} MB`;
  const kept = inTransaction ? 'The open transaction was rolled back.' : 'Nothing was changed.';
  return new AppError({
    code: 'not-undoable',
    message: `This would change more than ${size} and could not be taken back. ${kept}`,
  });
}

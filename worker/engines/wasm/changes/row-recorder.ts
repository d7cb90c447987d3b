// Writes the rows of the preupdate hook to the row log of the open transaction.
import type { AppError } from '#shared/protocol/errors.ts';
import { Entry, MAX_NAME_VALUE_BYTES, Tag } from '../../row-log/format.ts';
import { Recording } from '../../row-log/recording.ts';
import type { RowLayout } from '../../table-layouts.ts';
import type { Sqlite } from '../runtime/load.ts';
import { ColumnType, type Pointer } from '../runtime/raw.ts';

export class RowRecorder extends Recording {
  readonly #sqlite: Sqlite;
  #refusal: AppError | null = null;

  constructor(sqlite: Sqlite) {
    super();
    this.#sqlite = sqlite;
  }

  /** Why a statement was refused; returned once. The transaction is rolled back. */
  takeRefusal(): AppError | null {
    const refusal = this.#refusal;
    this.#refusal = null;
    return refusal;
  }

  /** Ends the log of a transaction that wrote nothing without a notification. */
  settle(autocommit: boolean): void {
    if (autocommit && this.isIdle && !this.isRefused) this.clear();
  }

  /** Call before a statement outside a transaction. A transaction that wrote nothing ends without a notification. */
  forgetGuard(): void {
    if (this.isGuarded) this.clear();
  }

  /** Notes a row that cannot be logged, as if the budget were used up. */
  giveUp(db: Pointer): void {
    this.stopCounting();
    if (this.isOpen) this.#overBudget(db);
  }

  insert(db: Pointer, layout: RowLayout, rowid: bigint): void {
    const writer = this.writer!;
    const table = this.numberOf(layout);
    const withAfter = this.keepsAfter;
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
    this.writer!.begin(Entry.delete, this.numberOf(layout));
    let isWhole = this.#key(db, layout, rowid, false);
    for (const column of layout.valueColumns) isWhole = this.#oldValue(db, column) && isWhole;
    this.#end(db, isWhole);
  }

  update(db: Pointer, layout: RowLayout, oldRowid: bigint, newRowid: bigint, changed: ChangedColumns): void {
    const writer = this.writer!;
    const withAfter = this.keepsAfter;
    const moved = layout.primaryKey === null ? oldRowid !== newRowid : changed.hasAny(layout, layout.primaryKey);
    writer.begin((moved ? Entry.move : Entry.update) + (withAfter ? 1 : 0), this.numberOf(layout));
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
    if (withAfter) isWhole = this.#name(db, layout, changed) && isWhole;
    this.#end(db, isWhole);
  }

  /** The part that the row changes do not contain. */
  #name(db: Pointer, layout: RowLayout, changed: ChangedColumns): boolean {
    let isWhole = true;
    for (const index of layout.declaredKey) {
      if (changed.has(index)) continue;
      isWhole = this.#oldValue(db, layout.columns[index]!, MAX_NAME_VALUE_BYTES) && isWhole;
    }
    return isWhole;
  }

  #end(db: Pointer, isWhole: boolean): void {
    if (!this.writer!.end() || !isWhole) this.#overBudget(db);
  }

  /** Called inside SQLite. */
  #overBudget(db: Pointer): void {
    if (!this.end(this.askGuard())) return;
    const { raw } = this.#sqlite;
    this.#refusal = this.refusal(raw.sqlite3_get_autocommit(db) === 0);
    // Ends the statement at its next loop iteration; if there is none, the commit is refused.
    raw.sqlite3_interrupt(db);
  }

  #key(db: Pointer, layout: RowLayout, rowid: bigint, isNew: boolean): boolean {
    if (layout.primaryKey === null) {
      const safe = Number(rowid);
      if (Number.isSafeInteger(safe)) this.writer!.integer(safe);
      else this.writer!.bigInteger(rowid);
      return true;
    }
    let isWhole = true;
    for (const column of layout.primaryKey) {
      isWhole = (isNew ? this.#newValue(db, column) : this.#oldValue(db, column)) && isWhole;
    }
    return isWhole;
  }

  #oldValue(db: Pointer, column: number, maxBytes = Infinity): boolean {
    const { raw, out } = this.#sqlite;
    return raw.sqlite3_preupdate_old(db, column, out) === 0 && this.#value(maxBytes);
  }

  #newValue(db: Pointer, column: number): boolean {
    const { raw, out } = this.#sqlite;
    return raw.sqlite3_preupdate_new(db, column, out) === 0 && this.#value(Infinity);
  }

  /** The value whose address lies in `out`; NULL instead of a TEXT or BLOB of more than `maxBytes`. */
  #value(maxBytes: number): boolean {
    const { raw, heap, out } = this.#sqlite;
    const writer = this.writer!;
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
        // Read before the length: in this order SQLite returns the length in the stored encoding, without a conversion.
        const start = raw.sqlite3_value_blob(value);
        const length = raw.sqlite3_value_bytes(value);
        if (start === 0 && length > 0) return false;
        if (length > maxBytes) writer.null();
        else writer.bytes(type === ColumnType.text ? Tag.text : Tag.blob, heap.bytes, start, length);
        return true;
      }
      default:
        writer.null();
        return true;
    }
  }
}

// Columns that an update changes, as ascending indexes in the log. One list is reused for all rows.

export class ChangedColumns {
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

  /** Null: every stored column. */
  all(layout: RowLayout | 'unknown' | null, columns: readonly number[] | null): void {
    this.#count = 0;
    if (layout !== null && layout !== 'unknown') {
      for (const column of columns ?? layout.valueColumns) this.add(layout, column);
    }
  }

  add(layout: RowLayout, column: number): void {
    const logIndex = layout.logIndexes[column]!;
    // Skips generated columns and the row id, which are not logged.
    if (logIndex < 0) return;
    if (this.#count === this.#places.length) {
      const logIndexes = new Uint16Array(this.#count * 2);
      logIndexes.set(this.#places);
      this.#places = logIndexes;
    }
    this.#places[this.#count++] = logIndex;
  }

  has(logIndex: number): boolean {
    for (let index = 0; index < this.#count; index++) if (this.#places[index] === logIndex) return true;
    return false;
  }

  hasAny(layout: RowLayout, columns: readonly number[]): boolean {
    for (let index = 0; index < this.#count; index++) {
      if (columns.includes(layout.columns[this.#places[index]!]!)) return true;
    }
    return false;
  }
}

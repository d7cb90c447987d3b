// Writes a row log into one growing array: no object is made for a value, and going back to an earlier state is exact.
import { FOOTER_BYTES, writeFooter } from './footer.ts';
import { Entry, LENGTH_BYTES, RANGE_COUNT_BYTES, Tag } from './format.ts';
import type { LoggedShape } from './row-log.ts';

/** A state to go back to. */
export interface LogPosition {
  readonly length: number;
  /** Rows in the range the log ends with; 0 when it may no longer grow. */
  readonly range: number;
}

interface CountedTable {
  readonly shape: LoggedShape;
  inserted: number;
  updated: number;
  deleted: number;
}

const FIRST_BYTES = 4_096;
/** Kept from one transaction to the next. */
const MAX_KEPT_BYTES = 1 << 20;
/** Shorter logs are copied in less time than a new array takes. */
const LENT_FROM_BYTES = 1 << 16;
const TWO_32 = 2 ** 32;

const encoder = new TextEncoder();

/**
 * An entry is begun, filled in the order `format.ts` gives, and ended. One that does not fit the budget is left out as a whole, and
 * {@link end} says so.
 */
export class RowLogWriter {
  readonly #budgetBytes: number;
  readonly #tables: CountedTable[] = [];
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  #rowCount = 0;
  #entryStart = 0;
  #entry = 0;
  #table = 0;
  #isOver = false;
  /** The array was given away: before anything is written there is another. */
  #isLent = false;
  /** The range at the end of the log, while it can grow. */
  #rangeTable = 0;
  #rangeNext = 0;
  #rangeCount = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get tablesWithRowsThatCameOrWent(): readonly string[] {
    return this.#tables.filter(({ inserted, deleted }) => inserted + deleted > 0).map(({ shape }) => shape.name);
  }

  /** The number to begin entries with. */
  addTable(shape: LoggedShape): number {
    return this.#tables.push({ shape, inserted: 0, updated: 0, deleted: 0 }) - 1;
  }

  mark(): LogPosition {
    return { length: this.#length, range: this.#rangeCount };
  }

  hasGrown(mark: LogPosition): boolean {
    return this.#length > mark.length || this.#rangeCount > mark.range;
  }

  /** Forgets what came after `mark`. */
  goBack(mark: LogPosition): void {
    // The transaction was rolled back in the meantime.
    if (mark.length > this.#length) return;
    if (this.#isLent) this.#resize(this.#bytes.length, this.#length);
    while (this.#length > mark.length) {
      const start = this.#length - this.#view.getUint32(this.#length - LENGTH_BYTES, true);
      this.#count(start, this.#length, -1);
      this.#length = start;
    }
    if (mark.range > 0) {
      const countAt = mark.length - RANGE_COUNT_BYTES;
      const grown = this.#view.getUint32(countAt, true) - mark.range;
      this.#tables[this.#tableAt(mark.length - this.#view.getUint32(mark.length - LENGTH_BYTES, true) + 1)]!.inserted -=
        grown;
      this.#rowCount -= grown;
      this.#view.setUint32(countAt, mark.range, true);
    }
    this.#rangeCount = 0;
  }

  /** Ready for another transaction. */
  clear(): void {
    if (this.#isLent || this.#bytes.length > MAX_KEPT_BYTES) this.#resize(FIRST_BYTES, 0);
    this.#tables.length = 0;
    this.#length = 0;
    this.#rowCount = 0;
    this.#rangeCount = 0;
    this.#isOver = false;
  }

  /** An inserted row of which only the row id is kept. Returns as {@link end} does. */
  insertRowid(table: number, rowid: number): boolean {
    if (this.#rangeCount > 0 && this.#rangeTable === table && this.#rangeNext === rowid && rowid < 2 ** 53) {
      if (this.#isLent) this.#resize(this.#bytes.length, this.#length);
      this.#rangeNext++;
      this.#rangeCount++;
      this.#rowCount++;
      this.#tables[table]!.inserted++;
      this.#view.setUint32(this.#length - RANGE_COUNT_BYTES, this.#rangeCount, true);
      return true;
    }
    this.begin(Entry.insertRange, table);
    this.#reserve(12);
    this.#view.setFloat64(this.#length, rowid, true);
    this.#view.setUint32(this.#length + 8, 1, true);
    this.#length += 12;
    if (!this.end()) return false;
    this.#rangeTable = table;
    this.#rangeNext = rowid + 1;
    this.#rangeCount = 1;
    return true;
  }

  begin(entry: number, table: number): void {
    if (this.#isLent) this.#resize(this.#bytes.length, this.#length);
    this.#rangeCount = 0;
    this.#entryStart = this.#length;
    this.#entry = entry;
    this.#table = table;
    this.#reserve(1);
    this.#bytes[this.#length++] = entry;
    this.number(table);
  }

  /** False when the entry is left out: the budget is used up. */
  end(): boolean {
    this.#reserve(LENGTH_BYTES);
    this.#view.setUint32(this.#length, this.#length + LENGTH_BYTES - this.#entryStart, true);
    this.#length += LENGTH_BYTES;
    if (this.#isOver || this.#length > this.#budgetBytes) {
      this.#length = this.#entryStart;
      this.#isOver = true;
      return false;
    }
    this.#countOne(this.#entry, this.#table, 1);
    return true;
  }

  /** A count or place: seven bits a byte. */
  number(value: number): void {
    this.#reserve(5);
    while (value > 0x7f) {
      this.#bytes[this.#length++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    this.#bytes[this.#length++] = value;
  }

  null(): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = Tag.null;
  }

  /** Any safe integer. */
  integer(value: number): void {
    this.#reserve(9);
    const at = this.#length;
    if ((value | 0) !== value) {
      this.#bytes[at] = Tag.int64;
      this.#view.setUint32(at + 1, value >>> 0, true);
      this.#view.setInt32(at + 5, Math.floor(value / TWO_32), true);
      this.#length += 9;
    } else if (value >= -0x80 && value <= 0x7f) {
      this.#bytes[at] = Tag.int8;
      this.#bytes[at + 1] = value;
      this.#length += 2;
    } else if (value >= -0x8000 && value <= 0x7fff) {
      this.#bytes[at] = Tag.int16;
      this.#view.setInt16(at + 1, value, true);
      this.#length += 3;
    } else {
      this.#bytes[at] = Tag.int32;
      this.#view.setInt32(at + 1, value, true);
      this.#length += 5;
    }
  }

  bigInteger(value: bigint): void {
    this.#reserve(9);
    this.#bytes[this.#length] = Tag.int64;
    this.#view.setBigInt64(this.#length + 1, value, true);
    this.#length += 9;
  }

  real(value: number): void {
    this.#reserve(9);
    this.#bytes[this.#length] = Tag.real;
    this.#view.setFloat64(this.#length + 1, value, true);
    this.#length += 9;
  }

  /** TEXT or BLOB: `length` bytes of `source` from `start` on. */
  bytes(tag: number, source: Uint8Array, start: number, length: number): void {
    if (this.#isOver || this.#length + length > this.#budgetBytes) {
      this.#isOver = true;
      return;
    }
    this.#reserve(length + 6);
    this.#bytes[this.#length++] = tag;
    this.number(length);
    const target = this.#bytes;
    const at = this.#length;
    // A call of `set` costs more than a few bytes.
    if (length < 32) for (let index = 0; index < length; index++) target[at + index] = source[start + index]!;
    else target.set(source.subarray(start, start + length), at);
    this.#length += length;
  }

  /** The whole log as it is now; `sequences` are the entries that another writer made. Null when the log is empty. */
  seal(sequences: RowLogWriter | null): Uint8Array | null {
    const sequenceBytes = sequences?.contents() ?? new Uint8Array(0);
    if (this.#length === 0 && sequenceBytes.length === 0) return null;
    const tables = encoder.encode(
      JSON.stringify(this.#tables.map(({ shape, ...counts }) => ({ ...shape, ...counts }))),
    );
    const bytes = this.#withRoomFor(sequenceBytes.length + tables.length + FOOTER_BYTES);
    bytes.set(sequenceBytes, this.#length);
    bytes.set(tables, this.#length + sequenceBytes.length);
    writeFooter(bytes, {
      rowCount: this.#rowCount,
      sequenceBytes: sequenceBytes.length,
      tableBytes: tables.length,
    });
    return bytes;
  }

  contents(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds the entry between `start` and `end` to the counts, or subtracts the entry. */
  #count(start: number, end: number, sign: 1 | -1): void {
    const entry = this.#bytes[start]!;
    const rows = entry === Entry.insertRange ? this.#view.getUint32(end - RANGE_COUNT_BYTES, true) : 1;
    this.#countOne(entry, this.#tableAt(start + 1), sign * rows);
  }

  #countOne(entry: number, table: number, rows: number): void {
    if (entry === Entry.sequence) return;
    const counted = this.#tables[table]!;
    this.#rowCount += rows;
    if (entry <= Entry.insertRange) counted.inserted += rows;
    else if (entry === Entry.delete) counted.deleted += rows;
    else counted.updated += rows;
  }

  /** The log with that much behind it. A long one is not copied: its array is given away. */
  #withRoomFor(bytes: number): Uint8Array {
    const length = this.#length + bytes;
    if (this.#length < LENT_FROM_BYTES) {
      const copy = new Uint8Array(length);
      copy.set(this.contents());
      return copy;
    }
    this.#reserve(bytes);
    this.#isLent = true;
    return this.#bytes.subarray(0, length);
  }

  #tableAt(at: number): number {
    let table = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[at++]!;
      table |= (byte & 0x7f) << shift;
      if (byte < 0x80) return table;
    }
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes > this.#bytes.length) {
      this.#resize(Math.max(this.#bytes.length * 2, this.#length + bytes), this.#length);
    }
  }

  #resize(bytes: number, kept: number): void {
    const old = this.#bytes;
    this.#isLent = false;
    this.#bytes = new Uint8Array(bytes);
    this.#bytes.set(old.subarray(0, kept));
    this.#view = new DataView(this.#bytes.buffer);
  }
}

// Reads a row log, forwards or backwards, an entry at a time.
import { lastWhere } from '#shared/binary-search.ts';
import { decodeText } from '#shared/packed-rows/reader.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { FOOTER_BYTES, isIntact, readFooter } from './footer.ts';
import { Entry, LENGTH_BYTES, Tag } from './format.ts';
import type { LoggedChange, LoggedTable, RowLog } from './row-log.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A log as it was stored.
 * @throws AppError `corrupt`
 */
export function openRowLog(bytes: Uint8Array): RowLog {
  if (!isIntact(bytes)) throw damaged();
  return readRowLog(bytes);
}

/** Reads a log that was made a moment ago and never stored, so that its checksum need not be checked. */
export function readRowLog(bytes: Uint8Array): RowLog {
  const { rowCount, sequenceBytes, tableBytes } = readFooter(bytes);
  const tablesEnd = bytes.length - FOOTER_BYTES;
  const tablesStart = tablesEnd - tableBytes;
  const tables = JSON.parse(decoder.decode(bytes.subarray(tablesStart, tablesEnd))) as readonly LoggedTable[];
  return new StoredRowLog(bytes, { tables, rowCount, rowsEnd: tablesStart - sequenceBytes, sequencesEnd: tablesStart });
}

interface Contents {
  /** Tables by number, including those that lost all their changes to a rollback. */
  readonly tables: readonly LoggedTable[];
  readonly rowCount: number;
  readonly rowsEnd: number;
  readonly sequencesEnd: number;
}

/** Positions of the entries of each table, and the row of the table that each begins with. */
type TableEntries = ReadonlyMap<LoggedTable, { readonly places: Uint32Array; readonly firstRows: Uint32Array }>;

class StoredRowLog implements RowLog {
  readonly bytes: Uint8Array;
  readonly tables: readonly LoggedTable[];
  readonly rowCount: number;
  readonly #contents: Contents;
  readonly #view: DataView;
  /** Position of the next part of an entry. The method that reads an entry sets it first. */
  #at = 0;
  #entries: TableEntries | null = null;

  constructor(bytes: Uint8Array, contents: Contents) {
    this.bytes = bytes;
    this.tables = contents.tables.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
    this.rowCount = contents.rowCount;
    this.#contents = contents;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  *forwards(): IterableIterator<LoggedChange> {
    for (let at = 0; at < this.#contents.rowsEnd;) {
      if (this.bytes[at] === Entry.insertRange) {
        const { table, first, rows, end } = this.#range(at);
        for (let row = 0; row < rows; row++) yield insertOf(table, first + row);
        at = end;
      } else {
        const change = this.#change(at);
        at = this.#at + LENGTH_BYTES;
        yield change;
      }
    }
    yield* this.#sequences();
  }

  *backwards(): IterableIterator<LoggedChange> {
    for (let end = this.#contents.rowsEnd; end > 0;) {
      end -= this.#view.getUint32(end - LENGTH_BYTES, true);
      if (this.bytes[end] === Entry.insertRange) {
        const { table, first, rows } = this.#range(end);
        for (let row = rows - 1; row >= 0; row--) yield insertOf(table, first + row);
      } else yield this.#change(end);
    }
    yield* this.#sequences();
  }

  *rowsOf(table: LoggedTable, start: number): IterableIterator<LoggedChange> {
    this.#entries ??= this.#findEntries();
    const { places, firstRows } = this.#entries.get(table)!;
    // `firstRows` begins with 0.
    const containing = lastWhere(firstRows.length, (index) => firstRows[index]! <= start);
    for (let index = Math.max(0, containing); index < places.length; index++) {
      const at = places[index]!;
      if (this.bytes[at] === Entry.insertRange) {
        const { first, rows } = this.#range(at);
        for (let row = Math.max(0, start - firstRows[index]!); row < rows; row++) yield insertOf(table, first + row);
      } else if (firstRows[index]! >= start) yield this.#change(at);
    }
  }

  /** Goes by the lengths alone: a step of 64 MB is one read of each entry's head. */
  #findEntries(): TableEntries {
    const found = new Map(
      this.#contents.tables.map((table) => [table, { places: [] as number[], counts: [] as number[] }]),
    );
    for (let end = this.#contents.rowsEnd; end > 0;) {
      end -= this.#view.getUint32(end - LENGTH_BYTES, true);
      const isRange = this.bytes[end] === Entry.insertRange;
      this.#at = end + 1;
      const { places, counts } = found.get(this.#table())!;
      places.push(end);
      counts.push(isRange ? this.#range(end).rows : 1);
    }
    return new Map(
      [...found].map(([table, { places, counts }]) => {
        const firstRows = new Uint32Array(places.length);
        counts.reverse().reduce((sum, count, index) => (firstRows[index] = sum) + count, 0);
        return [table, { places: Uint32Array.from(places.reverse()), firstRows }];
      }),
    );
  }

  *#sequences(): IterableIterator<LoggedChange> {
    for (let at = this.#contents.rowsEnd; at < this.#contents.sequencesEnd;) {
      this.#at = at + 1;
      this.#number();
      const change = { operation: 'sequence', name: this.#value(), before: this.#rows(), after: this.#rows() } as const;
      at = this.#at + LENGTH_BYTES;
      yield change;
    }
  }

  #range(at: number): { table: LoggedTable; first: number; rows: number; end: number } {
    this.#at = at + 1;
    const table = this.#table();
    const first = this.#view.getFloat64(this.#at, true);
    const rows = this.#view.getUint32(this.#at + 8, true);
    return { table, first, rows, end: this.#at + 12 + LENGTH_BYTES };
  }

  #change(at: number): LoggedChange {
    const entry = this.bytes[at]!;
    this.#at = at + 1;
    const table = this.#table();
    const key = this.#key(table);
    switch (entry) {
      case Entry.insert:
        return { operation: 'insert', table, key, after: this.#values(table, key) };
      case Entry.insertKey:
        return { operation: 'insert', table, key, after: null };
      case Entry.delete:
        return { operation: 'delete', table, key, before: this.#values(table, key) };
      case Entry.update:
      case Entry.updateAfter:
        return this.#update(table, key, key, entry === Entry.updateAfter);
      case Entry.move:
      case Entry.moveAfter:
        return this.#update(table, key, this.#key(table), entry === Entry.moveAfter);
      default:
        throw damaged();
    }
  }

  #update(
    table: LoggedTable,
    keyBefore: readonly Value[],
    keyAfter: readonly Value[],
    hasAfter: boolean,
  ): LoggedChange {
    const places: number[] = [];
    const before: Value[] = [];
    const after: Value[] = [];
    for (let left = this.#number(); left > 0; left--) {
      places.push(this.#number());
      before.push(this.#value());
      if (hasAfter) after.push(this.#value());
    }
    const update = { operation: 'update', table, keyBefore, keyAfter, columnIndexes: places, before } as const;
    return hasAfter
      ? { ...update, after, name: this.#name(table, places, after) }
      : { ...update, after: null, name: null };
  }

  #name(table: LoggedTable, places: readonly number[], after: readonly Value[]): readonly Value[] | null {
    if (table.declaredKey === undefined) return null;
    return table.declaredKey.map((index) => {
      const changed = places.indexOf(index);
      return changed < 0 ? this.#value() : after[changed]!;
    });
  }

  #table(): LoggedTable {
    const table = this.#contents.tables[this.#number()];
    if (table === undefined) throw damaged();
    return table;
  }

  #key(table: LoggedTable): readonly Value[] {
    const key = [this.#value()];
    if (table.key.kind === 'primary-key') while (key.length < table.key.columns.length) key.push(this.#value());
    return key;
  }

  #values(table: LoggedTable, key: readonly Value[]): readonly Value[] {
    const rowid = table.key.kind === 'rowid' ? table.key.columnIndex : null;
    return table.columns.map((_, index) => (index === rowid ? key[0]! : this.#value()));
  }

  /** Rows of `sqlite_sequence`. */
  #rows(): readonly (readonly Value[])[] {
    return Array.from({ length: this.#number() }, () => [this.#value(), this.#value()]);
  }

  #number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.#at++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  #value(): Value {
    const at = this.#at + 1;
    switch (this.bytes[this.#at]) {
      case Tag.null:
        this.#at = at;
        return null;
      case Tag.int8:
        this.#at = at + 1;
        return this.#view.getInt8(at);
      case Tag.int16:
        this.#at = at + 2;
        return this.#view.getInt16(at, true);
      case Tag.int32:
        this.#at = at + 4;
        return this.#view.getInt32(at, true);
      case Tag.int64: {
        this.#at = at + 8;
        const value = this.#view.getBigInt64(at, true);
        return Number.isSafeInteger(Number(value)) ? Number(value) : value;
      }
      case Tag.real: {
        this.#at = at + 8;
        const value = this.#view.getFloat64(at, true);
        return Number.isInteger(value) ? { real: value } : value;
      }
      case Tag.text:
        return decodeText(this.#valueBytes(at));
      case Tag.blob:
        return this.#valueBytes(at).slice();
      default:
        throw damaged();
    }
  }

  #valueBytes(at: number): Uint8Array {
    this.#at = at;
    const length = this.#number();
    this.#at += length;
    return this.bytes.subarray(this.#at - length, this.#at);
  }
}

function insertOf(table: LoggedTable, rowid: number): LoggedChange {
  return { operation: 'insert', table, key: [rowid], after: null };
}

function damaged(): AppError {
  return AppError.corrupt(
    'The record of this change is damaged, so the change cannot be undone. The database itself was not changed.',
  );
}

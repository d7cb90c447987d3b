// Reads the row of a preupdate hook call: whether a column changes, and the row's primary key.
import type { Value } from '#shared/protocol/values.ts';
import type { Sqlite } from '../runtime/load.ts';
import { ColumnType, Result } from '../runtime/raw.ts';
import type { Pointer } from '../runtime/raw.ts';
import { readSqlValue } from '../statements/row.ts';

/** Longer values count as changed: the comparison would cost more than it saves. */
const MAX_COMPARED_BYTES = 1 << 20;
const MAX_KEY_BYTES = 1024;

export class ChangingRow {
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

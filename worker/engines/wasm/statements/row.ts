// Reads the current row of a statement out of wasm memory: packed for windows, or as single values.
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { decodeText } from '#shared/packed-rows/reader.ts';
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Sqlite } from '../runtime/load.ts';
import { ColumnType, type Pointer } from '../runtime/raw.ts';
import { SHORT_BYTES, shortAscii } from '../runtime/short-text.ts';
import {
  ENCODING_BITS,
  FACTS,
  HIGH,
  IS_INTEGER,
  IS_NULL,
  IS_REAL,
  IS_TEXT,
  LENGTH,
  LOW,
  POINTER,
  TYPE_BITS,
  UTF8,
  VALUE_BYTES,
} from '../runtime/value-layout.ts';

/** The hot path of the product: reads the values where SQLite keeps them. */
export function packRow(sqlite: Sqlite, statement: Pointer, columnCount: number, writer: PackedRowsWriter): void {
  if (!sqlite.isLayoutKnown) return packByCalls(sqlite, statement, columnCount, writer);
  const { raw, heap } = sqlite;
  let { words, floats, bytes } = heap;
  let at = raw.sqlite3_column_value(statement, 0);
  for (let column = 0; column < columnCount; column++, at += VALUE_BYTES) {
    const word = at >> 2;
    const facts = words[word + FACTS]!;
    const type = facts & TYPE_BITS;
    if (type === IS_INTEGER) {
      const value = words[word + HIGH]! * 0x1_0000_0000 + (words[word + LOW]! >>> 0);
      if (value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) writer.integer(value);
      else writer.bigInteger(raw.sqlite3_column_int64(statement, column));
    } else if (type === IS_TEXT && (facts & ENCODING_BITS) === UTF8) {
      writer.textAt(bytes, words[word + POINTER]! >>> 0, words[word + LENGTH]!);
    } else if (type === IS_REAL) {
      writer.real(floats[at >> 3]!);
    } else if (type === IS_NULL) {
      writer.null();
    } else {
      packValue(sqlite, statement, column, writer);
      // Memory may have grown.
      ({ words, floats, bytes } = heap);
    }
  }
}

function packByCalls(sqlite: Sqlite, statement: Pointer, columnCount: number, writer: PackedRowsWriter): void {
  for (let column = 0; column < columnCount; column++) packValue(sqlite, statement, column, writer);
}

function packValue(sqlite: Sqlite, statement: Pointer, column: number, writer: PackedRowsWriter): void {
  const { raw } = sqlite;
  switch (raw.sqlite3_column_type(statement, column)) {
    case ColumnType.integer: {
      // Exact up to 2^53; a bigint costs an allocation.
      const value = raw.sqlite3_column_double(statement, column);
      if (value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) writer.integer(value);
      else writer.bigInteger(raw.sqlite3_column_int64(statement, column));
      break;
    }
    case ColumnType.float:
      writer.real(raw.sqlite3_column_double(statement, column));
      break;
    case ColumnType.text:
      writer.textBytes(columnBytes(sqlite, statement, column, raw.sqlite3_column_text(statement, column)));
      break;
    case ColumnType.blob:
      writer.blob(columnBytes(sqlite, statement, column, raw.sqlite3_column_blob(statement, column)));
      break;
    default:
      writer.null();
  }
}

export function readValue(sqlite: Sqlite, statement: Pointer, column: number): Value {
  const { raw } = sqlite;
  switch (raw.sqlite3_column_type(statement, column)) {
    case ColumnType.integer: {
      const value = raw.sqlite3_column_double(statement, column);
      return Number.isSafeInteger(value) ? value : raw.sqlite3_column_int64(statement, column);
    }
    case ColumnType.float: {
      const value = raw.sqlite3_column_double(statement, column);
      return Number.isInteger(value) ? { real: value } : value;
    }
    case ColumnType.text:
      return readText(sqlite, statement, column);
    case ColumnType.blob:
      return columnBytes(sqlite, statement, column, raw.sqlite3_column_blob(statement, column)).slice();
    default:
      return null;
  }
}

function readText(sqlite: Sqlite, statement: Pointer, column: number): Value {
  const { raw, heap } = sqlite;
  const pointer = raw.sqlite3_column_text(statement, column);
  if (pointer !== 0) {
    const length = raw.sqlite3_column_bytes(statement, column);
    const short = length <= SHORT_BYTES ? shortAscii(heap.bytes, pointer, length) : null;
    if (short !== null) return short;
  }
  return decodeText(columnBytes(sqlite, statement, column, pointer));
}

/** A value that a hook sees. */
export function readSqlValue(sqlite: Sqlite, pointer: Pointer): Value {
  const { raw, heap } = sqlite;
  const bytes = (start: Pointer): Uint8Array => heap.bytes.subarray(start, start + raw.sqlite3_value_bytes(pointer));
  switch (raw.sqlite3_value_type(pointer)) {
    case ColumnType.integer: {
      const value = raw.sqlite3_value_double(pointer);
      return Number.isSafeInteger(value) ? value : raw.sqlite3_value_int64(pointer);
    }
    case ColumnType.float: {
      const value = raw.sqlite3_value_double(pointer);
      return Number.isInteger(value) ? { real: value } : value;
    }
    case ColumnType.text:
      return decodeText(bytes(raw.sqlite3_value_text(pointer)));
    case ColumnType.blob:
      return bytes(raw.sqlite3_value_blob(pointer)).slice();
    default:
      return null;
  }
}

/** A view of SQLite's memory, valid until the next call. */
function columnBytes(sqlite: Sqlite, statement: Pointer, column: number, pointer: Pointer): Uint8Array {
  const length = sqlite.raw.sqlite3_column_bytes(statement, column);
  if (pointer === 0 && length > 0) {
    throw AppError.full('There is not enough memory to read this value.');
  }
  return sqlite.heap.bytes.subarray(pointer, pointer + length);
}

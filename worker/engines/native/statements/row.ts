// Rows as better-sqlite3 gives them (`raw`, `safeIntegers`): INTEGER is a bigint and REAL a number, so none is mistaken for the other.
// A bigint for each integer costs nothing that could be measured: 50,000 rows × 5 come in the same time without.
import type { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { NativeValue } from './binding.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { PreparedStatement } from '../runtime/load.ts';

export type NativeRow = readonly NativeValue[];

interface PackLimits {
  readonly columnCount: number;
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Returns how many were packed. */
export function packRows(
  rows: readonly NativeRow[],
  writer: PackedRowsWriter,
  { columnCount, maxRows, maxBytes }: PackLimits,
): number {
  const count = Math.min(rows.length, maxRows);
  for (let at = 0; at < count; at++) {
    packRow(rows[at]!, columnCount, writer);
    if (writer.sizeBytes >= maxBytes) return at + 1;
  }
  return count;
}

/** The hot path of the product. */
export function packRow(row: NativeRow, columnCount: number, writer: PackedRowsWriter): void {
  for (let column = 0; column < columnCount; column++) {
    const value = row[column]!;
    switch (typeof value) {
      case 'bigint': {
        const number = Number(value);
        if (number <= Number.MAX_SAFE_INTEGER && number >= Number.MIN_SAFE_INTEGER) writer.integer(number);
        else writer.bigInteger(value);
        break;
      }
      case 'number':
        writer.real(value);
        break;
      case 'string':
        writer.text(value);
        break;
      default:
        if (value === null) writer.null();
        else writer.blob(value);
    }
  }
}

export function toValue(value: NativeValue): Value {
  switch (typeof value) {
    case 'bigint': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : value;
    }
    case 'number':
      return Number.isInteger(value) ? { real: value } : value;
    case 'string':
      return value;
    default:
      // A Buffer may be a view of something larger, and is not what others expect of bytes.
      return value === null
        ? null
        : new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.length).slice();
  }
}

export function describeColumns(prepared: PreparedStatement): readonly ResultColumn[] {
  return prepared.columns().map(({ name, column, table, database, type }) => ({
    name,
    declaredType: type ?? '',
    origin: database === 'main' && table !== null && column !== null ? { table, column } : null,
  }));
}

/** Another program changed the table between preparing and running. */
export function columnsChanged(): AppError {
  return AppError.conflict(
    'Another program changed the columns of this table. Nothing was read. Run the statement again.',
  );
}

// The SQL of changes that wait to be saved, as people read it and may run it themselves.
import { quoteName } from '#shared/ddl/names.ts';
import { formatReal } from '#shared/packed-rows/reader.ts';
import type { TableChange } from '#shared/protocol/edit.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';

const MIN_INTEGER = -9223372036854775808n;

/** @param keyNames of the table: the names by which SQL finds one of its rows. Without a semicolon at the end. */
export function changeSql(change: TableChange, keyNames: readonly string[]): string {
  const table = quoteName(change.table);
  const where = (key: readonly Value[]): string =>
    key.map((value, at) => `${quoteName(keyNames[at] ?? 'rowid')} ${equals(value)}`).join(' AND ');
  switch (change.kind) {
    case 'update': {
      const set = Object.entries(change.set).map(([column, value]) => `${quoteName(column)} = ${literal(value)}`);
      return `UPDATE ${table} SET ${set.join(', ')} WHERE ${where(change.key)}`;
    }
    case 'delete':
      return `DELETE FROM ${table} WHERE ${where(change.key)}`;
    case 'insert': {
      const columns = Object.keys(change.set);
      if (columns.length === 0) return `INSERT INTO ${table} DEFAULT VALUES`;
      const values = Object.values(change.set).map(literal);
      return `INSERT INTO ${table} (${columns.map(quoteName).join(', ')}) VALUES (${values.join(', ')})`;
    }
    case 'duplicate':
      return `INSERT INTO ${table} SELECT * FROM ${table} WHERE ${where(change.key)}`;
  }
}

const equals = (value: Value): string => (value === null ? 'IS NULL' : `= ${literal(value)}`);

/** SQL literal that SQLite reads back exactly. */
export function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'bigint') return value === MIN_INTEGER ? '(-9223372036854775807 - 1)' : String(value);
  if (isReal(value)) return real(value.real);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : real(value);
  if (typeof value === 'string') {
    // SQL text ends at a NUL.
    return value.includes('\0')
      ? `CAST(${blob(new TextEncoder().encode(value))} AS TEXT)`
      : `'${value.replaceAll("'", "''")}'`;
  }
  return isRawText(value) ? `CAST(${blob(value.textBytes)} AS TEXT)` : blob(value);
}

const real = (value: number): string => (Number.isFinite(value) ? formatReal(value) : value > 0 ? '9e999' : '-9e999');

const blob = (bytes: Uint8Array): string =>
  `x'${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}'`;

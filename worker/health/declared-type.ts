// Storage classes that do not belong into a column of a declared type: SQLite's rules of affinity
// (sqlite.org/datatype3.html#determination_of_column_affinity), and common meanings of words that SQLite makes NUMERIC: dates, JSON and
// UUIDs are text there, which is fine.
import type { StorageClass } from '#shared/protocol/values.ts';

const NUMBER_WORDS = /num|dec|bool|money|currency/i;

export function isOddStorage(declaredType: string, storage: StorageClass): boolean {
  const type = declaredType.toUpperCase();
  if (type.includes('INT')) return storage !== 'integer';
  if (/CHAR|CLOB|TEXT/.test(type)) return storage === 'blob';
  if (type === '' || type.includes('BLOB')) return false;
  if (/REAL|FLOA|DOUB/.test(type) || NUMBER_WORDS.test(type)) return storage === 'text' || storage === 'blob';
  return false;
}

// The affinity a declared type gives its column (sqlite.org/datatype3.html#determination_of_column_affinity).
import type { Affinity } from './table-model.ts';

/**
 * @param type as written. SQLite looks at the bytes, so a comment between the words counts too.
 * @param strict in a STRICT table, ANY stores every value unchanged
 */
export function affinityOf(type: string, strict: boolean): Affinity {
  if (type === '' || (strict && /^any$/i.test(type))) return 'BLOB';
  // Without the flag `u`, no other letter matches one of ASCII.
  if (/int/i.test(type)) return 'INTEGER';
  if (/char|clob|text/i.test(type)) return 'TEXT';
  if (/blob/i.test(type)) return 'BLOB';
  return /real|floa|doub/i.test(type) ? 'REAL' : 'NUMERIC';
}

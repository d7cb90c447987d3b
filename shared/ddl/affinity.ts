// The affinity a declared type gives its column (sqlite.org/datatype3.html#determination_of_column_affinity).
import type { Affinity } from './table-model.ts';

/**
 * @param type as written. SQLite looks at the bytes, so a comment between the words counts too.
 * @param strict in a STRICT table, ANY stores every value unchanged
 */
export function affinityOf(type: string, strict: boolean): Affinity {
  const upper = type.toUpperCase();
  if (upper === '' || (strict && upper === 'ANY')) return 'BLOB';
  if (upper.includes('INT')) return 'INTEGER';
  if (/CHAR|CLOB|TEXT/.test(upper)) return 'TEXT';
  if (upper.includes('BLOB')) return 'BLOB';
  return /REAL|FLOA|DOUB/.test(upper) ? 'REAL' : 'NUMERIC';
}

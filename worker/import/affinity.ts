// The affinity of a declared type, by the rules of sqlite.org/datatype3.html#determination_of_column_affinity.
type Affinity = 'INTEGER' | 'TEXT' | 'BLOB' | 'REAL' | 'NUMERIC';

export function affinityOf(declaredType: string): Affinity {
  const type = declaredType.toUpperCase();
  if (type.includes('INT')) return 'INTEGER';
  if (/CHAR|CLOB|TEXT/.test(type)) return 'TEXT';
  if (type === '' || type.includes('BLOB')) return 'BLOB';
  return /REAL|FLOA|DOUB/.test(type) ? 'REAL' : 'NUMERIC';
}

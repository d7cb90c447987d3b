// What columns hold, where it decides how a literal for them is read.
import { affinityOf } from '../affinity.ts';

/** What a column holds, where it decides how a literal is read: `\x…`, `t`, and `b'1'` do not stand for their letters. `digits`: numbers, as text. */
export type ColumnContent = 'text' | 'digits' | 'bytes' | 'booleans' | 'bits' | 'integers' | 'numbers';

/** What a column of this declared type holds. */
export function contentOfType(declared: string): ColumnContent {
  if (/^bool/i.test(declared)) return 'booleans';
  if (/^bit\b/i.test(declared)) return 'bits';
  const contents = { BLOB: 'bytes', TEXT: 'text', INTEGER: 'integers', REAL: 'numbers', NUMERIC: 'numbers' } as const;
  return declared === '' ? 'numbers' : contents[affinityOf(declared)];
}

/** A column that a value goes into. */
export interface InsertTarget {
  readonly name: string;
  /** Null: the table is not known. */
  readonly holds: ColumnContent | null;
  /** SQLite takes no value for it. */
  readonly isGenerated: boolean;
}

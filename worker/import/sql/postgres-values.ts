// Values of PostgreSQL, written for SQLite by what their columns hold.
import { bytesOfBytea } from './bytea.ts';
import type { ColumnContent } from './column-content.ts';
import { digitsOf } from './inserted-rows.ts';
import { expression, withoutCasts } from './postgres-columns.ts';
import { blobOf } from './rewriting.ts';
import type { SqlToken } from './tokens.ts';
import type { CopyColumn } from './translator.ts';

/** Texts that are numbers become numbers only in a column of numbers. */
export function asOf(holds: ColumnContent | null): CopyColumn['as'] {
  if (holds === 'integers' || holds === 'numbers') return 'number';
  return holds === 'bytes' || holds === 'booleans' ? 'any' : 'text';
}

export function valueSql(tokens: readonly SqlToken[], holds: ColumnContent | null): string {
  const bare = withoutCasts(tokens);
  const text = bare.length === 1 && bare[0]!.kind === 'string' ? bare[0]!.value : null;
  if (text !== null && holds === 'bytes') return blobOf(bytesOfBytea(text));
  if (text !== null && holds === 'booleans' && /^(?:t|true|f|false)$/i.test(text))
    return /^t/i.test(text) ? 'TRUE' : 'FALSE';
  const digits = holds === 'text' || holds === null ? digitsOf(bare) : null;
  // In a table that is not known, these are digits that REAL would lose.
  return digits !== null && (holds === 'text' || digits.length > 18) ? digits : expression(tokens);
}

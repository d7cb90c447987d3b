// Values of PostgreSQL, written for SQLite by what their columns hold.
import { bytesOfBytea } from './bytea.ts';
import type { ColumnContent } from './column-content.ts';
import { digitsOf } from './inserted-rows.ts';
import { expression, withoutCasts } from './postgres-columns.ts';
import { blobOf } from './rewriting.ts';
import { isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import type { CopyColumn, CopyFormat } from './translator.ts';

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

/** `WITH DELIMITER AS ','` and `(DELIMITER ',', NULL '')`; null for the formats CSV and binary. @param tokens after FROM stdin */
export function copyFormat(tokens: readonly SqlToken[]): CopyFormat | null {
  const format = { delimiter: '\t', nullText: '\\N' };
  for (let at = 0; at < tokens.length; at++) {
    const value = tokens[isWord(tokens[at + 1], 'AS') ? at + 2 : at + 1];
    if (isWord(tokens[at], 'DELIMITER', 'DELIMITERS') && value?.kind === 'string') format.delimiter = value.value;
    else if (isWord(tokens[at], 'NULL') && value?.kind === 'string') format.nullText = value.value;
    else if (isWord(tokens[at], 'CSV', 'BINARY', 'HEADER', 'QUOTE', 'ESCAPE', 'ENCODING')) return null;
  }
  return format.delimiter.length === 1 ? format : null;
}

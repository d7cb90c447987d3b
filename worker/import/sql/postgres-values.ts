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
  if (text !== null && holds === 'booleans' && /^(?:t|true|y|yes|on|f|false|n|no|off)$/i.test(text))
    return /^(?:t|y|on)/i.test(text) ? 'TRUE' : 'FALSE';
  const digits = holds === 'text' || holds === null ? digitsOf(bare) : null;
  // In a table that is not known, these are digits that REAL would lose.
  return digits !== null && (holds === 'text' || digits.length > 18) ? digits : expression(tokens);
}

/** What would need more than reading the rows. */
const COPY_OPTIONS = ['BINARY', 'ENCODING', 'FORCE', 'FORCE_NULL', 'FORCE_NOT_NULL', 'DEFAULT', 'ON_ERROR'];

/** `WITH DELIMITER AS ','`, `CSV HEADER` and `(FORMAT csv, NULL '-')`; null for what is not read. @param tokens after FROM stdin */
export function copyFormat(tokens: readonly SqlToken[]): CopyFormat | null {
  const texts = new Map<string, string>();
  let isCsv = false;
  let hasHeader = false;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const value = tokens[isWord(tokens[at + 1], 'AS') ? at + 2 : at + 1];
    if (isWord(token, ...COPY_OPTIONS)) return null;
    if (isWord(token, 'CSV')) isCsv = true;
    else if (isWord(token, 'HEADER')) hasHeader = !(isWord(value, 'FALSE', 'OFF') || value?.text === '0');
    else if (isWord(token, 'FORMAT') && value?.kind === 'string') {
      if (!/^(?:csv|text)$/i.test(value.value)) return null;
      isCsv = /^csv$/i.test(value.value);
    } else if (isWord(token, 'DELIMITER', 'DELIMITERS', 'NULL', 'QUOTE', 'ESCAPE') && value?.kind === 'string')
      texts.set(token!.text.toUpperCase().replace(/S$/, ''), value.value);
  }
  const quote = texts.get('QUOTE') ?? '"';
  const csv = isCsv ? { quote, escape: texts.get('ESCAPE') ?? quote } : null;
  const delimiter = texts.get('DELIMITER') ?? (isCsv ? ',' : '\t');
  const format = { delimiter, nullText: texts.get('NULL') ?? (isCsv ? '' : '\\N'), hasHeader, csv };
  return [delimiter, ...Object.values(csv ?? {})].every(({ length }) => length === 1) ? format : null;
}

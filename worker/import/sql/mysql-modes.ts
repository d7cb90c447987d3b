// Modes of MySQL that a dump sets at its beginning, and that decide how the rest of it is read.
import { FIRST_DEFINITION } from './dump-encoding.ts';

/** Modes that are those of another database have it, too. */
const ANSI_QUOTES = /\bSQL_MODE\s*=\s*'[^'\n]*\b(?:ANSI(?:_QUOTES)?|POSTGRESQL|ORACLE|MSSQL|DB2|MAXDB)\b/i;

/** Double quotes enclose names, and not texts, as in dumps with `--compatible=ansi`. */
export function hasAnsiQuotes(beginning: string): boolean {
  const end = FIRST_DEFINITION.exec(beginning)?.index ?? beginning.length;
  return ANSI_QUOTES.test(beginning.slice(0, end));
}

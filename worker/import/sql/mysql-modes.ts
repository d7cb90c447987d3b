// Modes of MySQL that a dump sets at its beginning, and that decide how the rest of it is read.
import { FIRST_DEFINITION } from './dump-encoding.ts';

/** Modes that are those of another database have it, too. */
const ANSI_QUOTES = /\bSQL_MODE\s*=\s*'[^'\n]*\b(?:ANSI(?:_QUOTES)?|POSTGRESQL|ORACLE|MSSQL|DB2|MAXDB)\b/i;

const NO_ESCAPES = /\bSQL_MODE\s*=\s*'[^'\n]*\bNO_BACKSLASH_ESCAPES\b/i;
/** Texts, and the names and comments in which a quote begins none. What is not closed ends with the statement. */
const QUOTED = /'[^']*(?:'|$)|"[^"]*(?:"|$)|`[^`]*(?:`|$)|--(?=\s)[^\n]*|#[^\n]*|\/\*(?!M?!)[^]*?(?:\*\/|$)/g;

const beforeDefinitions = (beginning: string): string =>
  beginning.slice(0, FIRST_DEFINITION.exec(beginning)?.index ?? beginning.length);

/** Double quotes enclose names, and not texts, as in dumps with `--compatible=ansi`. */
export const hasAnsiQuotes = (beginning: string): boolean => ANSI_QUOTES.test(beforeDefinitions(beginning));

/** A backslash in a text is one, and escapes nothing. */
export const hasNoEscapes = (beginning: string): boolean => NO_ESCAPES.test(beforeDefinitions(beginning));

/** The statement as MySQL writes it in its usual mode: with two backslashes for each one in a text. */
export const withEscapes = (text: string, hasAnsiQuotes: boolean): string =>
  text.includes('\\')
    ? text.replace(QUOTED, (found) =>
        found[0] === "'" || (found[0] === '"' && !hasAnsiQuotes) ? found.replaceAll('\\', '\\\\') : found,
      )
    : text;

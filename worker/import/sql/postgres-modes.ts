// A mode of PostgreSQL that dumps of old servers set at their beginning, and that decides how texts are read.

const MODE = /^SET\s+(?:SESSION\s+)?standard_conforming_strings\s*(?:=|TO)\s*'?(on|off)\b/im;
/** Texts with their prefix, and what may hold a quote that begins none. What is not closed ends with the statement. */
const QUOTED =
  /\bU&'[^']*(?:'|$)|(?:\b[EN])?('[^'\\]*(?:(?:\\[^]|\\$|'')[^'\\]*)*(?:'|$))|"[^"]*(?:"|$)|(?<![\w$])\$((?!\d)\w*)\$[^]*?(?:\$\2\$|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)/gi;

/** Backslashes are escapes in all texts. The first statement decides: what looks like one further on may be in a row. */
export const hasEscapes = (beginning: string): boolean => MODE.exec(beginning)?.[1]!.toLowerCase() === 'off';

/** The statement with `E` before each text that has a backslash. */
export const withEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(QUOTED, (found, quoted?: string) => (quoted?.includes('\\') ? ` E${quoted}` : found))
    : text;

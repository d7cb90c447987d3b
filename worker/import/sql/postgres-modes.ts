// A mode of PostgreSQL that dumps of old servers set at their beginning, and that decides how texts are read.

const ESCAPES = /^SET\s+standard_conforming_strings\s*(?:=|TO)\s*'?off\b/im;
/** Texts with their prefix, and what may hold a quote that begins none. */
const QUOTED =
  /(?:\b[EeNn])?('[^'\\]*(?:(?:\\[^]|'')[^'\\]*)*')|"[^"]*"|\$(\w*)\$[^]*?\$\2\$|--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g;

/** Backslashes are escapes in all texts. */
export const hasEscapes = (beginning: string): boolean => ESCAPES.test(beginning);

/** The statement with `E` before each text that has a backslash. */
export const withEscapes = (text: string): string =>
  text.includes('\\')
    ? text.replace(QUOTED, (found, quoted?: string) => (quoted?.includes('\\') ? `E${quoted}` : found))
    : text;

// Declared types of generated columns without the words that SQLite adds to them.
const WORDS = /GENERATED ALWAYS$/i;

/** The declared type of a generated column: older versions of SQLite report these words as part of it. */
export const withoutGenerated = (type: string): string =>
  WORDS.test(type) ? type.slice(0, -'GENERATED ALWAYS'.length).trimEnd() : type;

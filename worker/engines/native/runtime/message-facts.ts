// Facts that only the messages of SQLite and better-sqlite3 give: besides `error-offset.ts` the one place of this engine where they are
// read.
/* oxlint-disable sidelite/text-decisions -- others' messages, without any code beside them */

/** SQLite (src/btree.c) answers SQLITE_NOTADB or SQLITE_ERROR, as for other reasons. */
export const isNewerFormat = (message: string): boolean => message.startsWith('unsupported file format');

/** better-sqlite3 throws a TypeError, as for other mistakes. */
export const isClosed = (message: string): boolean => message.includes('connection is not open');

/** better-sqlite3 throws a RangeError, as for other mistakes. */
export const isTooBig = (message: string): boolean => message.includes('too big');

// Facts that only the messages of SQLite, its JavaScript and Chromium give: the one place of this engine where they are read.
/* oxlint-disable sidelite/text-decisions -- others' messages, without any code beside them */

/** SQLite (src/btree.c) answers SQLITE_NOTADB or SQLITE_ERROR, as for other reasons. */
export const isNewerFormat = (message: string): boolean => message.startsWith('unsupported file format');

/** Chromium names a full disk no other way when a write to OPFS fails for it. */
export const isFailedWrite = ({ message }: Error): boolean => message.includes('write() failure');

/** Thrown by the pool of OPFS files that comes with SQLite. */
export const isPoolFull = ({ message }: Error): boolean => message.includes('pool is full');

/** Thrown by the same pool: the browser lacks a feature that the pool needs. */
export const hasNoOpfs = ({ message }: Error): boolean => message.includes('OPFS');

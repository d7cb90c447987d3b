// SQLite's changeset format (sqlite.org/session/sqlite3changeset_new.html, ext/session/sqlite3session.c): marks and numbers.

/** Begins the part about one table; `P` begins one of a patchset, which has no values to compare with. */
export const TABLE_MARK = 0x54;
export const PATCHSET_MARK = 0x50;

export const ChangeCode = { insert: 18, update: 23, delete: 9 } as const;

/** `undefined`: the column is not part of the change. */
export const ValueCode = { undefined: 0, integer: 1, real: 2, text: 3, blob: 4, null: 5 } as const;

/** The highest possible SQLITE_MAX_COLUMN (sqlite.org/limits.html). */
export const MAX_COLUMNS = 32_767;

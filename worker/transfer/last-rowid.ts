// The value of last_insert_rowid(), for which a file may ask: what is written beside its statements must not change it.

/** Statements that set it. Nothing else does. */
export const setLastRowid = (rowid: number | bigint): readonly string[] => [
  'CREATE TEMP TABLE sidelite_last_row (id INTEGER PRIMARY KEY)',
  `INSERT INTO temp.sidelite_last_row VALUES (${rowid})`,
  'DROP TABLE temp.sidelite_last_row',
];

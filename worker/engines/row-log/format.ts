// The bytes of a row log: entries one after the other, each with its length at its end, then what is needed to read them.
//
//   entry      operation, table (variable length), content, length of the whole entry (4 bytes)
//   name       at the end of `updateAfter` and `moveAfter` where the table has a `declaredKey`: the values of those of its columns that
//              did not change
//   sequences  entries for rows of `sqlite_sequence`, apart: they are read last in both directions
//   tables     JSON: each table as it was when it was first changed, with its counts
//   footer     changes (8 bytes), length of the sequences, length of the tables, format, checksum (4 bytes each)
//
// Numbers are little-endian. Tables keep one definition throughout: what changes the schema ends the log of its transaction.

/** Kinds of entries and their content. */
export const Entry = {
  /** Key, a value for each column. */
  insert: 1,
  /** Key. */
  insertKey: 2,
  /** First row id (8 bytes, a double), count (4 bytes): rows with ascending ids, one after the other. */
  insertRange: 3,
  /** Key, number of columns, then for each its position and its value before. */
  update: 4,
  /** Same as `update`, with the value after behind each value before. */
  updateAfter: 5,
  /** Same as `update`, with the key after behind the key before. */
  move: 6,
  moveAfter: 7,
  /** Key, a value for each column. */
  delete: 8,
  /** Name, then for before and after the number of rows, and of each row id and number. */
  sequence: 9,
} as const;

/** Storage class and size of a value. The column that is the row id itself is never written. */
export const Tag = { null: 0, int8: 1, int16: 2, int32: 3, int64: 4, real: 5, text: 6, blob: 7 } as const;

/** The length at the end of an entry. */
export const LENGTH_BYTES = 4;
/** Distance from the end of a range entry back to its count. */
export const RANGE_COUNT_BYTES = 8;

/** A longer TEXT or BLOB in a name is written as NULL: the row goes by its row id then. */
export const MAX_NAME_VALUE_BYTES = 256;

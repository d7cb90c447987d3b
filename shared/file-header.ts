// How every SQLite database file begins, for those who only have to tell databases from other files.

/** sqlite.org/fileformat.html#magic_header_string; the last byte is zero. */
const MAGIC = 'SQLite format 3\0';

/** Number of bytes needed to recognize a database. */
export const HEADER_BYTES = MAGIC.length;

export const isDatabaseHeader = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER_BYTES && String.fromCharCode(...bytes.subarray(0, HEADER_BYTES)) === MAGIC;

// How SQLite's files begin, for those who only have to tell them from other files.

/** sqlite.org/fileformat.html#magic_header_string; the last byte is zero. */
const MAGIC = 'SQLite format 3\0';

/** Number of bytes needed to recognize a database. */
export const HEADER_BYTES = MAGIC.length;

export const isDatabaseHeader = (bytes: Uint8Array): boolean =>
  bytes.length >= HEADER_BYTES && String.fromCharCode(...bytes.subarray(0, HEADER_BYTES)) === MAGIC;

/** Endings of the names of the files that SQLite keeps beside a database. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/** sqlite.org/fileformat2.html#walformat, #the_rollback_journal, and sqlite.org/walformat.html for the version of the index of a WAL. */
const WAL = [0x377f0682, 0x377f0683];
const JOURNAL = 0xd9d505f9;
const SHM = [3_007_000, 0x18e22d00];

/** Number of bytes needed to recognize a side file. */
export const SIDE_HEADER_BYTES = 4;

/**
 * Whether a file begins as a WAL, its index, or a rollback journal. An empty file, or a file whose header is zero, holds nothing that SQLite
 * would use.
 */
export function isSideFileHeader(bytes: Uint8Array): boolean {
  if (bytes.length < SIDE_HEADER_BYTES) return bytes.length === 0;
  const magic = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  return magic === 0 || magic === JOURNAL || WAL.includes(magic) || SHM.includes(magic);
}

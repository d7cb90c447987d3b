// How much memory the readers of imported files may take, whatever is in a file and whatever it says of itself. Each of them checks these limits
// before it takes memory. Together with what JavaScript has not collected yet, a reader stays below 500 MB, and that of a dump
// below 1 GB.

const MB = 2 ** 20;

export interface ReadingLimits {
  /** One record, in the file and as read: a row with all its texts, a line, a value of JSON. */
  readonly recordBytes: number;
  /** A statement of a dump, in which a BLOB takes two characters a byte. */
  readonly statementBytes: number;
  /** Cells of one record: more than Excel and SQLite have columns (16,384; SQLITE_MAX_COLUMN is 32,767 at most). */
  readonly recordFields: number;
  /** What is kept for all records: the texts that the cells of a workbook share. */
  readonly keptBytes: number;
  /** The parts of a file that describe it: a workbook's small parts and table of contents, the footer of Parquet. */
  readonly describingBytes: number;
  /** What the parts of a workbook describe: sheets, relationships, styles. */
  readonly described: number;
  /** Values in the footer of a Parquet file: some 30 for each column of each row group. */
  readonly footerValues: number;
  /** Pages of a Parquet file in memory, of all columns together, and one of them. */
  readonly pagesBytes: number;
  readonly pageBytes: number;
  /** Values of nested columns in a row group, which are in memory together. */
  readonly nestedValues: number;
}

export const READING_LIMITS: ReadingLimits = {
  recordBytes: 64 * MB,
  statementBytes: 128 * MB,
  recordFields: 32_767,
  keptBytes: 128 * MB,
  describingBytes: 32 * MB,
  described: 1 << 18,
  footerValues: 1 << 21,
  pagesBytes: 384 * MB,
  pageBytes: 256 * MB,
  nestedValues: 1 << 22,
};

/** “64 MB”, “10,000 bytes”. */
export const sizeText = (bytes: number): string =>
  bytes >= MB ? `${Math.floor(bytes / MB).toLocaleString('en-US')} MB` : `${bytes.toLocaleString('en-US')} bytes`;

/** Problems that a reader has before it returns to its caller, who may have enough of them. */
export const MAX_PROBLEMS = 1000;

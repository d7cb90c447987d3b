// Records of a file on their way into a table: the text of all fields as UTF-8 in one buffer, and where each begins and ends. A field
// becomes a JavaScript string only when it is read.

/** A format's statement about one field. Text is not interpreted: a number of CSV is `text`. */
export const FIELD = {
  /** The record has no such field: it was shorter than others, or an object lacks the key. */
  absent: 0,
  /** CSV: nothing between two delimiters. */
  empty: 1,
  /** CSV: `""`. */
  quotedEmpty: 2,
  /** CSV: without quotes. */
  text: 3,
  /** Certainly text: quoted in CSV, a string of JSON, a text cell. */
  quoted: 4,
  /** A number as its format writes it, every digit kept. */
  number: 5,
  true: 6,
  false: 7,
  null: 8,
  /** An object or array of JSON, as written. */
  json: 9,
  /** Bytes, not text. */
  blob: 10,
  /** A REAL of SQL with its digits, which SQLite itself reads. */
  real: 11,
} as const;
export type FieldKind = (typeof FIELD)[keyof typeof FIELD];

/** Reused from batch to batch: its contents are valid until the next one is read. */
export interface RecordBatch {
  /** Doubled quotes and escapes are undone: each field is one range. May be larger than the used part. */
  readonly bytes: Uint8Array;
  /** Start of each field, in order. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly kinds: Uint8Array;
  readonly records: number;
  /** The number of the field after each record's last one. The first record begins at field 0. */
  readonly recordEnds: Uint32Array;
  /** The line each record begins on, from 1 (CSV, NDJSON), or its number (JSON, sheets). Exact up to 2^53. */
  readonly lines: Float64Array;
}

/** A record that cannot be read at all. Reading continues after it, unless it is the last. */
export interface RecordProblem {
  readonly line: number;
  /** A whole sentence: what is wrong with it. */
  readonly reason: string;
  /** Text in the file, shortened past 10,000 characters. */
  readonly text: string;
  /** Nothing after it can be read. */
  readonly isLast?: true;
}

/** Something that was read differently from how it is written, and how: nothing is lost by it. */
export interface RecordNotice {
  /** Line where it first occurs. */
  readonly line: number;
  /** A whole sentence. */
  readonly text: string;
}

/** Reads a file from its beginning to its end, in constant memory. */
export interface RecordReader {
  /** Column names known so far: JSON may name more while it is read. Unique, never empty. */
  readonly columns: readonly string[];
  /** Bytes of the file read so far, for progress. */
  readonly bytesRead: number;
  /** Records that could not be read since the last call. */
  takeProblems(): readonly RecordProblem[];
  /** Notices since the last call; formats without any leave it out. */
  takeNotices?(): readonly RecordNotice[];
  /** The next records, about a megabyte of them, or none where all were bad; null at the end. @throws AppError `io`, `not-found`, `invalid` where the rest cannot be read */
  next(): Promise<RecordBatch | null>;
  /** Ends reading and what would otherwise continue in the background. Formats with nothing of the kind leave it out. */
  close?(): void;
}

/** Source of bytes: a chosen file, or text that was pasted. */
export interface ByteSource {
  readonly fileName: string;
  readonly sizeBytes: number;
  /** Fewer bytes than requested mean the end. They are the caller’s: it may release their memory. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

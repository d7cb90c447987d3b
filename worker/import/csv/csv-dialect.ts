// Settings for splitting a file of delimited text, and the lookup tables of the scanner.

export interface CsvDialect {
  /** One character or more; '': one column. */
  readonly delimiter: string;
  /** One character; '' for none. */
  readonly quote: string;
  /** What makes a delimiter, a quote, a line ending, or itself part of a field; '' for none, where only doubled quotes do. */
  readonly escape?: string;
  /** Blanks after a delimiter are not part of the field, which may be in quotes. */
  readonly skipsBlanks?: boolean;
  /** Lines that begin with it are comments; '' if there are no comments. */
  readonly comment: string;
  /** Lines to skip before the header row. */
  readonly skipLines: number;
}

export const LF = 10;
export const CR = 13;
export const BLANK = 32;

/** Most bytes of text are larger than the largest of a set: comparing them is faster than looking them up. */
interface ByteSet {
  /** 1 for each byte that is in it. */
  readonly has: Uint8Array;
  readonly largest: number;
}

/** A dialect as bytes. */
export interface DialectBytes {
  /** Empty: one column. */
  readonly delimiter: Uint8Array;
  /** Empty: there are no quotes. */
  readonly quote: Uint8Array;
  /** -1: there is no escape. */
  readonly escape: number;
  readonly skipsBlanks: boolean;
  readonly comment: Uint8Array;
  /** Bytes that can end a field without quotes. */
  readonly endsField: ByteSet;
  /** Bytes with a meaning within quotes: those that may begin one, an escape, and line endings, which are counted. */
  readonly endsQuoted: ByteSet;
}

const encoder = new TextEncoder();

/** The escape must be an ASCII character: with any other, files are read as if there were none. */
export function dialectBytes({
  delimiter,
  quote,
  escape = '',
  skipsBlanks = false,
  comment,
}: CsvDialect): DialectBytes {
  const [delimiterBytes, quoteBytes] = [encoder.encode(delimiter), encoder.encode(quote)];
  const escapeByte = escape.length === 1 && escape.charCodeAt(0) < 128 ? escape.charCodeAt(0) : -1;
  return {
    delimiter: delimiterBytes,
    quote: quoteBytes,
    escape: escapeByte,
    skipsBlanks,
    comment: encoder.encode(comment),
    endsField: setOf([LF, CR, escapeByte, ...delimiterBytes.subarray(0, 1)]),
    endsQuoted: setOf([LF, CR, escapeByte, ...quoteBytes.subarray(0, 1)]),
  };
}

function setOf(bytes: readonly number[]): ByteSet {
  const has = new Uint8Array(256);
  for (const byte of bytes) if (byte >= 0) has[byte] = 1;
  return { has, largest: Math.max(...bytes) };
}

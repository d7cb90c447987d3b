// Settings for splitting a file of delimited text, and the lookup tables of the scanner.

export interface CsvDialect {
  /** One character or more; '': one column. */
  readonly delimiter: string;
  /** '' for none. */
  readonly quote: string;
  /** Lines that begin with it are comments; '' if there are no comments. */
  readonly comment: string;
  /** Lines to skip before the header row. */
  readonly skipLines: number;
}

export const LF = 10;
export const CR = 13;

/** Most bytes of text are larger than the largest of a set: comparing them is faster than looking them up. */
export interface ByteSet {
  /** 1 for each byte that is in it. */
  readonly has: Uint8Array;
  readonly largest: number;
}

/** A dialect as bytes. */
export interface DialectBytes {
  /** Empty: one column. */
  readonly delimiter: Uint8Array;
  /** -1: there are no quotes. */
  readonly quote: number;
  readonly comment: Uint8Array;
  /** Bytes that can end a field without quotes. */
  readonly endsField: ByteSet;
  /** Bytes with a meaning within quotes: the quote, and line endings, which are counted. */
  readonly endsQuoted: ByteSet;
}

const encoder = new TextEncoder();

/** The quote must be one ASCII character: with any other, only files that do not use it can be read, as if there were none. */
export function dialectBytes({ delimiter, quote, comment }: CsvDialect): DialectBytes {
  const quoteByte = quote.length === 1 && quote.charCodeAt(0) < 128 ? quote.charCodeAt(0) : -1;
  const delimiterBytes = encoder.encode(delimiter);
  return {
    delimiter: delimiterBytes,
    quote: quoteByte,
    comment: encoder.encode(comment),
    endsField: setOf([LF, CR, ...delimiterBytes.subarray(0, 1)]),
    endsQuoted: setOf([LF, CR, quoteByte]),
  };
}

function setOf(bytes: readonly number[]): ByteSet {
  const has = new Uint8Array(256);
  for (const byte of bytes) if (byte >= 0) has[byte] = 1;
  return { has, largest: Math.max(...bytes) };
}

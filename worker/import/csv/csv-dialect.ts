// What a file of delimited text needs to be taken apart, and the tables the scanner looks bytes up in.

export interface CsvDialect {
  /** One character or more; '': one column. */
  readonly delimiter: string;
  /** '' for none. */
  readonly quote: string;
  /** Lines that begin with it are comments; '' for none. */
  readonly comment: string;
  /** Lines before the header row that are passed over. */
  readonly skipLines: number;
}

export const LF = 10;
export const CR = 13;

/** A dialect as bytes. */
export interface DialectBytes {
  /** Empty: one column. */
  readonly delimiter: Uint8Array;
  /** -1: there are no quotes. */
  readonly quote: number;
  readonly comment: Uint8Array;
  /** 1 for each byte that can end a field without quotes. */
  readonly endsField: Uint8Array;
  /** 1 for each byte that means something within quotes: the quote, and what ends lines, which are counted. */
  readonly endsQuoted: Uint8Array;
}

const encoder = new TextEncoder();

/** The quote is one ASCII character: of another one, only files that do not use it can be read, as if there were none. */
export function dialectBytes({ delimiter, quote, comment }: CsvDialect): DialectBytes {
  const quoteByte = quote.length === 1 && quote.charCodeAt(0) < 128 ? quote.charCodeAt(0) : -1;
  const delimiterBytes = encoder.encode(delimiter);
  return {
    delimiter: delimiterBytes,
    quote: quoteByte,
    comment: encoder.encode(comment),
    endsField: tableOf([LF, CR, ...delimiterBytes.subarray(0, 1)]),
    endsQuoted: tableOf([LF, CR, quoteByte]),
  };
}

function tableOf(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) if (byte >= 0) table[byte] = 1;
  return table;
}

// The statements of a file of SQL, read piece by piece.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { READING_LIMITS, type ReadingLimits } from '../reading-limits.ts';
import { openUtf8, type Utf8Stream } from '../csv/utf8-stream.ts';
import { byteText } from './byte-text.ts';
import type { SqlItem } from './sql-items.ts';
import { StatementSplitter } from './statement-splitter.ts';

const CHUNK_BYTES = 1 << 20;
const DETECTED_BYTES = 64 * 1024;

/** The beginning of a file in any encoding, as text. */
export function beginningOf(bytes: Uint8Array, encoding: string): string {
  const sample = bytes.subarray(0, DETECTED_BYTES);
  try {
    return new TextDecoder(encoding).decode(sample);
  } catch {
    return byteText(sample); // one that only our own decoder knows
  }
}

export interface SqlTextOptions {
  /** See {@link StatementSplitter}. */
  readonly hasAnsiQuotes?: boolean;
  readonly limits?: Pick<ReadingLimits, 'statementBytes'>;
}

export class SqlText {
  readonly #stream: Utf8Stream;
  readonly #splitter: StatementSplitter;
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  readonly #mostBytes: number;
  #isLast = false;
  #tooLong = 0;

  /** @throws AppError `invalid`: no such encoding */
  constructor(
    source: ByteSource,
    encoding: string,
    dialect: SqlDialect,
    { hasAnsiQuotes = false, limits = READING_LIMITS }: SqlTextOptions = {},
  ) {
    this.#mostBytes = limits.statementBytes;
    this.#stream = openUtf8(source, encoding, CHUNK_BYTES);
    this.#splitter = new StatementSplitter(dialect, hasAnsiQuotes);
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  /** Line of a statement longer than any can be, where reading ended; 0: none. */
  get tooLong(): number {
    return this.#tooLong;
  }

  /** The next item in memory; null: {@link more} must be called, or the file is at its end. */
  next(): SqlItem | null {
    return this.#tooLong > 0 ? null : this.#splitter.next();
  }

  /** Reads more. False at the end. @throws AppError `io` */
  async more(): Promise<boolean> {
    if (this.#isLast || this.#tooLong > 0) return false;
    // A quote is likely never closed.
    if (this.#splitter.pending >= this.#mostBytes) {
      this.#tooLong = this.#splitter.line;
      return false;
    }
    // An incomplete statement is scanned again each time, so the amount that is added grows with it.
    const pieces: string[] = [];
    const { pending } = this.#splitter;
    let wanted = Math.max(CHUNK_BYTES, Math.min(3 * pending, this.#mostBytes - pending));
    while (wanted > 0 && !this.#isLast) {
      const count = await this.#stream.readInto(this.#chunk, 0);
      if (count === 0) this.#isLast = true;
      else pieces.push(byteText(this.#chunk.subarray(0, count)));
      wanted -= count;
    }
    this.#splitter.feed(pieces, this.#isLast);
    return true;
  }
}

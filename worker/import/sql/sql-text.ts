// The statements of a file of SQL, read piece by piece.
import type { SqlDialect } from '#shared/protocol/transfer.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { READING_LIMITS, type ReadingLimits } from '../reading-limits.ts';
import { openUtf8, type Utf8Stream } from '../csv/utf8-stream.ts';
import { byteText } from './byte-text.ts';
import type { InsertedRecords, SqlItem } from './sql-items.ts';
import { PlainInserts } from './plain-inserts.ts';
import { StatementSplitter } from './statement-splitter.ts';

const CHUNK_BYTES = 1 << 20;
const DETECTED_BYTES = 64 * 1024;
const LEAST_PIECE = 1024;
const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

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
  readonly hasEscapes?: boolean;
  readonly limits?: Pick<ReadingLimits, 'statementBytes'>;
  /** See {@link PlainInserts}. */
  readonly partBytes?: number;
}

export class SqlText {
  readonly #stream: Utf8Stream;
  readonly #splitter: StatementSplitter;
  readonly #chunk: Uint8Array;
  /** Null unless the dialect is SQLite's: the others write values in ways of their own. */
  readonly #plain: PlainInserts | null;
  /** What is read and not handed out, if plain statements are looked for in it: from `#from` to `#to`. */
  #bytes = new Uint8Array(0);
  #from = 0;
  #to = 0;
  #piece = LEAST_PIECE;
  readonly #mostBytes: number;
  #isLast = false;
  #tooLong = 0;
  /** Line of the statement whose rows are being handed out; 0: none. */
  #openLine = 0;
  /** Line breaks that were read, where the text is decoded. */
  #linesRead = 0;
  readonly #notes: string[] = [];
  /** What comes before VALUES in a statement whose first rows were handed out, and whose rest is a statement of its own. */
  #head = '';

  /** @throws AppError `invalid`: no such encoding */
  constructor(
    source: ByteSource,
    encoding: string,
    dialect: SqlDialect,
    { limits = READING_LIMITS, partBytes, ...modes }: SqlTextOptions = {},
  ) {
    this.#mostBytes = limits.statementBytes;
    this.#stream = openUtf8(source, encoding, CHUNK_BYTES);
    this.#splitter = new StatementSplitter(dialect, modes);
    this.#plain = dialect === 'sqlite' ? new PlainInserts(partBytes) : null;
    this.#chunk = new Uint8Array(this.#plain === null ? CHUNK_BYTES : 0);
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  /** Whole sentences about how the text was decoded. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Line of a statement longer than any can be, where reading ended; 0: none. */
  get tooLong(): number {
    return this.#tooLong;
  }

  /** The next item in memory; null: {@link more} must be called, or the file is at its end. */
  next(): SqlItem | InsertedRecords | null {
    if (this.#tooLong > 0) return null;
    return this.#plain === null ? this.#splitter.next() : this.#nextPlain(this.#plain);
  }

  /** Other statements are split in pieces of the text, which become longer until there are plain ones again. */
  #nextPlain(plain: PlainInserts): SqlItem | InsertedRecords | null {
    if (this.#head !== '') return this.#nextRest();
    const splitter = this.#splitter;
    for (let isFed = splitter.pending > LEAST_PIECE; ; isFed = true) {
      const item = isFed ? splitter.next() : null;
      if (item !== null) return item;
      const back = splitter.takeBack();
      this.#from -= back;
      const rest = this.#to - this.#from;
      // Where all of it was fed, the statement has no end yet.
      if ((rest === 0 && !(this.#isLast && this.#openLine > 0)) || (isFed && back === rest)) return null;
      this.#skipBlanks();
      const records = plain.take(this.#bytes.subarray(this.#from, this.#to), splitter.line);
      if (records === 'open' && !this.#isLast) return null;
      if (records !== null && records !== 'open') {
        this.#piece = LEAST_PIECE;
        this.#from += records.source.length;
        splitter.moveTo(records.endLine);
        this.#openLine = records.part === null || records.part.isEnd ? 0 : records.part.line;
        return records;
      }
      const open = plain.leave();
      if (open !== null) {
        this.#head = open.head;
        return this.#nextRest();
      }
      this.#feedPiece();
    }
  }

  #nextRest(): SqlItem | null {
    const splitter = this.#splitter;
    const head = this.#head;
    const before = `${head} VALUES `;
    splitter.feed([before], false);
    for (;;) {
      const item = splitter.next();
      if (item?.kind === 'statement') {
        const line = this.#openLine;
        this.#head = '';
        this.#openLine = 0;
        return { ...item, line, head };
      }
      if (this.#from === this.#to && !this.#isLast) {
        this.#from -= splitter.takeBack() - before.length;
        return null;
      }
      this.#feedPiece();
    }
  }

  #skipBlanks(): void {
    let { line } = this.#splitter;
    for (; this.#from < this.#to; this.#from++) {
      const byte = this.#bytes[this.#from]!;
      if (byte === NEWLINE) line++;
      else if (byte !== SPACE && byte !== TAB && byte !== RETURN) break;
    }
    this.#splitter.moveTo(line);
  }

  #feedPiece(): void {
    const end = Math.min(this.#from + this.#piece, this.#to);
    this.#piece *= 2;
    this.#splitter.feed([byteText(this.#bytes.subarray(this.#from, end))], this.#isLast && end === this.#to);
    this.#from = end;
  }

  /** Reads more. False at the end. @throws AppError `io` */
  async more(): Promise<boolean> {
    if (this.#isLast || this.#tooLong > 0) return false;
    // A quote is likely never closed.
    const pending = this.#splitter.pending + this.#to - this.#from;
    if (pending >= this.#mostBytes) {
      this.#tooLong = this.#openLine > 0 ? this.#openLine : this.#splitter.line;
      return false;
    }
    // An incomplete statement is scanned again each time, so the amount that is added grows with it.
    const wanted = Math.max(CHUNK_BYTES, Math.min(3 * pending, this.#mostBytes - pending));
    if (this.#plain === null) await this.#feed(wanted);
    else await this.#readOn(wanted);
    return true;
  }

  async #readInto(bytes: Uint8Array, at: number): Promise<number> {
    const count = await this.#stream.readInto(bytes, at);
    const { replaced } = this.#stream;
    // Undefined: nothing is decoded.
    if (replaced === undefined) return count;
    if (replaced !== null) {
      const line = this.#linesRead + 1 + countOf(bytes, at, replaced.at, NEWLINE);
      this.#notes.push(
        `Line ${line} is the first with “\ufffd” (U+FFFD), which stands for bytes that are no character in ${replaced.encoding}. Choose another encoding if it is not that of the file.`,
      );
    }
    this.#linesRead += countOf(bytes, at, at + count, NEWLINE);
    return count;
  }

  async #feed(wanted: number): Promise<void> {
    const pieces: string[] = [];
    for (let left = wanted; left > 0 && !this.#isLast;) {
      const count = await this.#readInto(this.#chunk, 0);
      if (count === 0) this.#isLast = true;
      else pieces.push(byteText(this.#chunk.subarray(0, count)));
      left -= count;
    }
    this.#splitter.feed(pieces, this.#isLast);
  }

  async #readOn(wanted: number): Promise<void> {
    const pending = this.#bytes.subarray(this.#from, this.#to);
    const room = pending.length + wanted + CHUNK_BYTES;
    // Memory that one long statement took is released.
    const into = room <= this.#bytes.length && this.#bytes.length <= 4 * room ? this.#bytes : new Uint8Array(room);
    into.set(pending);
    this.#bytes = into;
    this.#from = 0;
    this.#to = pending.length;
    while (this.#to < room - CHUNK_BYTES && !this.#isLast) {
      const count = await this.#readInto(into, this.#to);
      if (count === 0) this.#isLast = true;
      this.#to += count;
    }
  }
}

function countOf(bytes: Uint8Array, from: number, to: number, wanted: number): number {
  let found = 0;
  for (let at = from; at < to; at++) if (bytes[at] === wanted) found++;
  return found;
}

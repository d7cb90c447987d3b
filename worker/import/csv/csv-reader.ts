// A file of delimited text as batches of records: from a source of bytes, in any encoding, in constant memory.
import { counted } from '#shared/counted.ts';
import { fieldTexts } from '../../records/field-texts.ts';
import { MAX_PROBLEMS, READING_LIMITS } from '../reading-limits.ts';
import type { ByteSource, RecordBatch, RecordNotice, RecordProblem, RecordReader } from '../../records/record-batch.ts';
import { namesSentence, uniqueNames } from './column-names.ts';
import { LF, type CsvDialect } from './csv-dialect.ts';
import { CsvScanner, type ScannerLimits } from './csv-scanner.ts';
import { isData } from './sample-records.ts';
import { markOddFields } from './odd-bytes.ts';
import { openUtf8, type FoundEncoding, type Utf8Stream } from './utf8-stream.ts';

interface CsvReaderOptions extends CsvDialect {
  readonly encoding: string;
  readonly hasHeader: boolean;
}

export interface CsvReaderSizes {
  readonly chunkBytes?: number;
  /** Bytes scanned before the columns are known. */
  readonly peekBytes?: number;
  readonly limits?: ScannerLimits | undefined;
}

/** The size of the pieces in which a file comes over its port. Smaller ones, which stay in the processor's cache, are hardly faster. */
const CHUNK_BYTES = 1 << 20;
/** Size of one batch, where more are in memory. */
const MOST_BYTES = 4 << 20;
/** The first records determine the number of columns. */
const PEEK_BYTES = 1 << 18;
const PEEK_RECORDS = 200;

/**
 * Reads as far as the names of the columns. Without a header row, and beyond one that is too short, columns are named column1, column2 …
 *
 * @throws AppError of the source; `invalid` for an encoding that is not known
 */
export async function openCsv(
  source: ByteSource,
  options: CsvReaderOptions,
  sizes: CsvReaderSizes = {},
): Promise<RecordReader> {
  const reader = new CsvReader(openUtf8(source, options.encoding, sizes.chunkBytes ?? CHUNK_BYTES), options, sizes);
  await reader.open();
  return reader;
}

class CsvReader implements RecordReader {
  readonly #stream: Utf8Stream;
  readonly #options: CsvReaderOptions;
  readonly #scanner: CsvScanner;
  readonly #peekBytes: number;
  readonly #recordBytes: number;
  #columns: readonly string[] = [];
  #notices: RecordNotice[] = [];
  /** There are bytes in memory that have not been scanned. */
  #isFresh = false;
  #isDone = false;
  #invalid = 0;
  #nuls = 0;

  constructor(stream: Utf8Stream, options: CsvReaderOptions, sizes: CsvReaderSizes) {
    this.#stream = stream;
    this.#options = options;
    const limits = sizes.limits ?? READING_LIMITS;
    this.#scanner = new CsvScanner(options, limits);
    this.#recordBytes = limits.recordBytes;
    this.#peekBytes = Math.min(sizes.peekBytes ?? PEEK_BYTES, PEEK_BYTES);
  }

  get columns(): readonly string[] {
    return this.#columns;
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  takeProblems(): readonly RecordProblem[] {
    return this.#scanner.problems.splice(0);
  }

  takeNotices(): readonly RecordNotice[] {
    return this.#notices.splice(0);
  }

  async open(): Promise<void> {
    const scanner = this.#scanner;
    let first: readonly (readonly string[])[] = [];
    do {
      await this.#fill();
      if (scanner.filled >= this.#peekBytes || scanner.isEnd) first = this.#peek();
    } while (first.length === 0 && !scanner.isEnd && scanner.filled < PEEK_BYTES);
    let names: readonly string[] = [];
    let headerLine = 1;
    if (this.#options.hasHeader) {
      scanner.scan(1);
      while (scanner.records === 0 && !scanner.isEnd && scanner.problems.length < MAX_PROBLEMS) {
        await this.#fill();
        scanner.scan(1);
      }
      const batch = scanner.batch();
      if (batch.records > 0) [names, headerLine] = [fieldTexts(batch, 0), batch.lines[0]!];
      scanner.forgetRecords();
    }
    const rows = this.#options.hasHeader ? first.slice(1) : first;
    const found = usualCount(
      rows.map(({ length }) => length),
      this.#options.hasHeader,
    );
    if (names.length > 0 && haveRowNames(names.length, rows)) names = ['', ...names];
    const all = Array.from({ length: Math.max(names.length, found) }, (_, at) => names[at] ?? '');
    this.#columns = uniqueNames(all);
    scanner.columnCount = this.#columns.length;
    this.#isFresh = true;
    if (this.#options.hasHeader) this.#noteNames(names, headerLine);
  }

  async next(): Promise<RecordBatch | null> {
    if (this.#isDone) return null;
    const scanner = this.#scanner;
    if (this.#isFresh) scanner.forgetRecords();
    else await this.#fill();
    const from = scanner.consumed;
    this.#isFresh = scanner.scan(Infinity, MOST_BYTES);
    this.#isDone = scanner.isEnd && !this.#isFresh;
    const batch = scanner.batch();
    this.#noteOddFields(batch, from);
    if (this.#isDone) this.#noteTally();
    return this.#isDone && batch.records === 0 && scanner.problems.length === 0 ? null : batch;
  }

  /** Reads at least as many bytes as are left over, so that a long field is scanned twice, not once for each chunk: up to the longest record. */
  async #fill(): Promise<void> {
    const scanner = this.#scanner;
    const left = scanner.filled - scanner.consumed;
    const wanted = Math.max(this.#stream.chunkBytes, Math.min(left, this.#recordBytes - left));
    scanner.makeRoom(wanted + this.#stream.chunkBytes);
    const end = scanner.filled + wanted;
    while (scanner.filled < end && !scanner.isEnd) {
      const added = await this.#stream.readInto(scanner.bytes, scanner.filled);
      scanner.filled += added;
      if (added === 0) scanner.isEnd = true;
      if (this.#stream.found) this.#noteEncoding(this.#stream.found);
      if (added > 0 && this.#stream.replaced) this.#noteReplaced(this.#stream.replaced);
    }
  }

  /** The fields of the first records. Scans a copy, because scanning changes the bytes. */
  #peek(): readonly (readonly string[])[] {
    const { bytes, filled, isEnd } = this.#scanner;
    const scanner = new CsvScanner(this.#options);
    const length = Math.min(filled, PEEK_BYTES);
    scanner.bytes = new Uint8Array(length + 1);
    scanner.bytes.set(bytes.subarray(0, length));
    scanner.filled = length;
    scanner.isEnd = isEnd && length === filled;
    scanner.scan(PEEK_RECORDS);
    const batch = scanner.batch();
    return Array.from({ length: batch.records }, (_, at) => fieldTexts(batch, at));
  }

  #note(line: number, text: string): void {
    this.#notices.push({ line, text });
  }

  #noteEncoding({ encoding, at }: FoundEncoding): void {
    this.#note(
      this.#lineAt(at),
      `This is the first line with more than ASCII characters, which are not UTF-8: the file is read as ${shown(encoding)}. Choose another encoding if names and words look wrong.`,
    );
  }

  #noteReplaced({ encoding, at }: FoundEncoding): void {
    this.#note(
      this.#lineAt(at),
      `This is the first line with “\ufffd” (U+FFFD), which stands for bytes that are no character in ${shown(encoding)}. Choose another encoding if it is not that of the file.`,
    );
  }

  /** @param at a position in memory that was not scanned yet */
  #lineAt(at: number): number {
    const { bytes, consumed, line } = this.#scanner;
    let found = line;
    for (let byte = consumed; byte < at; byte++) if (bytes[byte] === LF) found++;
    return found;
  }

  #noteNames(names: readonly string[], line: number): void {
    const sentence = namesSentence(this.#columns, names, 'header row');
    if (sentence !== null) this.#note(line, sentence);
  }

  #noteOddFields(batch: RecordBatch, from: number): void {
    if (batch.records === 0) return;
    const odd = markOddFields(batch, from, this.#scanner.consumed);
    if (!odd) return;
    if (odd.invalid > 0 && this.#invalid === 0)
      this.#note(odd.invalidLine, 'A cell is not valid UTF-8. Such cells are kept byte for byte, as BLOBs.');
    if (odd.nuls > 0 && this.#nuls === 0) this.#note(odd.nulLine, 'A cell has a NUL byte, which is kept.');
    this.#invalid += odd.invalid;
    this.#nuls += odd.nuls;
  }

  #noteTally(): void {
    const { boms, bomLine, shortRecords, shortLine, endMarkLine } = this.#scanner.tally;
    if (endMarkLine > 0) this.#note(endMarkLine, 'The end mark of DOS (Ctrl+Z) is left out.');
    if (boms > 0) this.#note(bomLine, `${counted(boms, 'byte order mark')} at the beginning of a line left out.`);
    if (shortRecords > 0)
      this.#note(
        shortLine,
        `${counted(shortRecords, 'record')} with fewer than ${this.#columns.length} fields: what is missing is NULL.`,
      );
  }
}

const shown = (encoding: string): string => encoding.replace(/^windows/, 'Windows');

/** R writes names or numbers of rows as a first column without a name: each row has one field more than the header row. */
function haveRowNames(names: number, rows: readonly (readonly string[])[]): boolean {
  const first = rows.map(([name = '']) => name);
  const isNumbered = first.every((name, at) => name === String(at + 1));
  const isNamed = new Set(first).size === first.length && !first.some((name) => name === '' || isData(name));
  const areLonger = rows.every((row) => row.length === names + 1) && rows.some((row) => row[names] !== '');
  return rows.length > 1 && areLonger && (isNumbered || isNamed);
}

/** With a header row, the count that nearly all records reach; without one, that of the longest record. */
function usualCount(counts: readonly number[], hasHeader: boolean): number {
  if (counts.length === 0) return 0;
  if (!hasHeader) return Math.max(...counts);
  return [...counts].sort((a, b) => a - b)[Math.floor(counts.length / 10)]!;
}

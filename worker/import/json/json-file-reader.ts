// Common part of the readers of JSON and NDJSON: batches of records with their columns, problems, and notices.
import type { ByteSource, RecordBatch, RecordNotice, RecordProblem, RecordReader } from '../../records/record-batch.ts';
import { ByteWindow } from './byte-window.ts';
import { JsonBatch, JsonRecords, JsonNotes } from './json-records.ts';
import { JsonColumns } from './json-columns.ts';
import { MAX_PROBLEMS, READING_LIMITS, type ReadingLimits } from '../reading-limits.ts';
import { JsonScanner } from './json-scanner.ts';

const MAX_FIELDS = 1 << 18;

/** For a reader that reads nothing. */
export const NO_BYTES: ByteSource = { fileName: '', sizeBytes: 0, read: () => Promise.resolve(new Uint8Array()) };

export interface JsonReaderSizes {
  readonly limits?: Pick<ReadingLimits, 'recordBytes'> | undefined;
  readonly chunkBytes?: number | undefined;
}

export abstract class JsonFileReader implements RecordReader {
  protected readonly window: ByteWindow;
  protected readonly recordBytes: number;
  protected readonly scanner = new JsonScanner();
  protected readonly records: JsonRecords;
  readonly #batch = new JsonBatch();
  readonly #columns = new JsonColumns();
  readonly #notes = new JsonNotes();
  #problems: RecordProblem[] = [];

  /** @param hasHeader - records that are arrays: the first one names the columns. */
  constructor(
    source: ByteSource,
    encoding: string,
    hasHeader: boolean,
    { limits = READING_LIMITS, chunkBytes }: JsonReaderSizes = {},
  ) {
    this.recordBytes = limits.recordBytes;
    this.window = new ByteWindow(source, encoding, limits, chunkBytes);
    const isDecoded = encoding.toLowerCase() !== 'utf-8';
    this.records = new JsonRecords(this.scanner, this.#batch, this.#columns, this.#notes, { hasHeader, isDecoded });
  }

  get columns(): readonly string[] {
    return this.#columns.names;
  }

  get bytesRead(): number {
    return this.window.bytesRead;
  }

  takeProblems(): readonly RecordProblem[] {
    const problems = this.#problems;
    this.#problems = [];
    return problems;
  }

  takeNotices(): readonly RecordNotice[] {
    return this.#notes.take();
  }

  async next(): Promise<RecordBatch | null> {
    for (;;) {
      this.#batch.clear(this.window.bytes);
      this.scanner.look(this.window.bytes, this.window.end);
      this.takeRecords();
      // There are only problems so far: return, because the caller may already have enough of them.
      if (this.#batch.records > 0 || this.#problems.length >= MAX_PROBLEMS) return this.#batch;
      if (this.isDone) return null;
      await this.more();
    }
  }

  /** Whether a batch takes another record, and the caller another problem. */
  protected get hasRoom(): boolean {
    return this.#batch.fields < MAX_FIELDS && this.#problems.length < MAX_PROBLEMS;
  }

  protected note(kind: Parameters<JsonNotes['note']>[0], line: number): void {
    this.#notes.note(kind, line);
  }

  protected addProblem(problem: RecordProblem): void {
    this.#problems.push(problem);
  }

  /** Reads what is in the window, as long as there is room. */
  protected abstract takeRecords(): void;

  protected more(): Promise<void> {
    return this.window.more();
  }

  /** True when nothing more follows. */
  protected abstract get isDone(): boolean;
}

// Reads NDJSON (JSON Lines): each line is a record by itself, so a bad one costs nothing but itself.
import type { ByteSource, RecordBatch, RecordNotice, RecordProblem, RecordReader } from '../../records/record-batch.ts';
import { ByteWindow, MAX_RECORD_BYTES } from './byte-window.ts';
import { JsonBatch } from './json-batch.ts';
import { JsonColumns } from './json-columns.ts';
import { JsonNotes } from './json-notes.ts';
import { jsonProblem } from './json-problem.ts';
import { JsonRecords } from './json-records.ts';
import { CUT, JsonScanner } from './json-scanner.ts';

const LINE_FEED = 0x0a;
const MAX_FIELDS = 1 << 18;
const MAX_PROBLEMS = 1000;

export class NdjsonReader implements RecordReader {
  readonly #window: ByteWindow;
  readonly #scanner = new JsonScanner();
  readonly #batch = new JsonBatch();
  readonly #columns = new JsonColumns();
  readonly #notes = new JsonNotes();
  readonly #records: JsonRecords;
  #problems: RecordProblem[] = [];
  /** Of the next line. */
  #line = 1;
  /** The rest of a line that is too long is passed over. */
  #isSkipping = false;

  constructor(source: ByteSource, encoding: string, hasHeader: boolean, chunkBytes?: number) {
    this.#window = new ByteWindow(source, encoding, chunkBytes);
    this.#records = new JsonRecords(this.#scanner, this.#batch, this.#columns, this.#notes, hasHeader);
  }

  get columns(): readonly string[] {
    return this.#columns.names;
  }

  get bytesRead(): number {
    return this.#window.bytesRead;
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
    const window = this.#window;
    for (;;) {
      this.#batch.clear(window.bytes);
      this.#scanner.look(window.bytes, window.end);
      this.#takeLines();
      // Only problems so far: return, because the caller may already have enough of them.
      if (this.#batch.records > 0 || this.#problems.length >= MAX_PROBLEMS) return this.#batch;
      if (window.isOver) return null;
      await window.more();
      if (window.isOver) window.close();
    }
  }

  /** All lines that are here to their end. */
  #takeLines(): void {
    const window = this.#window;
    const { bytes } = window;
    while (this.#batch.fields < MAX_FIELDS && this.#problems.length < MAX_PROBLEMS) {
      const feed = bytes.indexOf(LINE_FEED, window.at);
      if (feed < 0 || feed >= window.end) {
        if (window.isTooMuch) this.#skip();
        return;
      }
      if (this.#isSkipping) this.#isSkipping = false;
      else this.#takeLine(window.at, feed + 1);
      window.at = feed + 1;
      this.#line++;
    }
  }

  #skip(): void {
    const { bytes, at, end } = this.#window;
    if (!this.#isSkipping) this.#problem(`The line is longer than ${MAX_RECORD_BYTES >> 20} MB.`, at, end, bytes);
    this.#isSkipping = true;
    this.#window.at = end;
  }

  /** @param end - after its line feed. */
  #takeLine(start: number, end: number): void {
    const scanner = this.#scanner;
    const { bytes } = scanner;
    let from = start;
    // A byte order mark where files were joined, and the record separator of RFC 7464.
    if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3;
    if (bytes[from] === 0x1e) from++;
    scanner.end = end;
    const at = scanner.space(from);
    if (at === end) return;
    const after = this.#records.read(at);
    const rest = after < 0 ? end : scanner.space(after);
    if (after >= 0 && rest === end) {
      this.#records.keep(this.#line);
      return;
    }
    this.#records.drop();
    const reason =
      after >= 0
        ? `After the row comes ${scanner.shown(rest)} in the same line.`
        : after === CUT
          ? 'The line ends in the middle of a value.'
          : `The line was left out: ${scanner.reason} (byte ${scanner.at - start + 1} of the line).`;
    this.#problem(reason, start, end, bytes);
  }

  #problem(reason: string, start: number, end: number, bytes: Uint8Array): void {
    this.#problems.push(jsonProblem(this.#line, reason, bytes, start, end));
  }
}

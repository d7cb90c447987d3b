// Reads NDJSON (JSON Lines): each line is a record of its own, so a bad line affects no other.
import { keepShape } from '#shared/keep-shape.ts';
import { sizeText } from '../reading-limits.ts';
import { JsonFileReader, NO_BYTES } from './json-file-reader.ts';
import { jsonProblem, CUT } from './json-scanner.ts';

const LINE_FEED = 0x0a;

export class NdjsonReader extends JsonFileReader {
  /** Number of the next line. */
  #line = 1;
  /** The rest of a line that is too long is skipped. */
  #isSkipping = false;

  protected get isDone(): boolean {
    return this.window.isOver;
  }

  /** The last line gets an end if it has none. */
  protected override async more(): Promise<void> {
    await this.window.more();
    if (this.window.isOver) this.window.close();
  }

  /** Reads all lines that are complete in memory. */
  protected takeRecords(): void {
    const window = this.window;
    const { bytes } = window;
    while (this.hasRoom) {
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
    const { bytes, at, end } = this.window;
    if (!this.#isSkipping) this.#problem(`The line is longer than ${sizeText(this.recordBytes)}.`, at, end, bytes);
    this.#isSkipping = true;
    this.window.at = end;
  }

  /** @param end - after its line feed. */
  #takeLine(start: number, end: number): void {
    const scanner = this.scanner;
    const { bytes } = scanner;
    let from = start;
    // A byte order mark where files were joined, and the record separator of RFC 7464.
    if (bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf) from += 3;
    if (bytes[from] === 0x1e) from++;
    scanner.end = end;
    const at = scanner.space(from);
    if (at === end) return;
    const after = this.records.read(at);
    const rest = after < 0 ? end : scanner.space(after);
    if (after >= 0 && rest === end) {
      this.records.keep(this.#line);
      return;
    }
    this.records.drop();
    const reason =
      after >= 0
        ? `After the row comes ${scanner.shown(rest)} in the same line.`
        : after === CUT
          ? 'The line ends in the middle of a value.'
          : `The line was left out: ${scanner.reason}, in ${scanner.place(this.#line, scanner.at)}.`;
    this.#problem(reason, start, end, bytes);
  }

  #problem(reason: string, start: number, end: number, bytes: Uint8Array): void {
    this.addProblem(jsonProblem(this.#line, reason, bytes, start, end));
  }
}

keepShape(new NdjsonReader(NO_BYTES, 'utf-8', false));

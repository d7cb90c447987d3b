// Reads a JSON file: the elements of an array are the records, of the array itself or of one that stands under a key of an object; or a single object,
// or several one after the other.
import { keepShape } from '#shared/keep-shape.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { ByteSource } from '../../records/record-batch.ts';
import { sizeText } from '../reading-limits.ts';
import { JsonFileReader, NO_BYTES, type JsonReaderSizes } from './json-file-reader.ts';
import {
  jsonProblem,
  number,
  BAD,
  CUT,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
  COMMA,
} from './json-scanner.ts';
import { partName } from './json-parts.ts';
import { JsonSkipper } from './json-skipper.ts';

const LINE_FEED = 0x0a;

/**
 * The next expected item. `top`: the value of the file. `record`: a value that is a record, or the end of the array. `rest`: what follows a
 * record. `end`: nothing. `key`: a key of the object the array is looked for in. `skip`: the rest of a value that is not read.
 */
type State = 'top' | 'record' | 'rest' | 'end' | 'key' | 'skip' | 'done';

export class JsonReader extends JsonFileReader {
  readonly #skipper = new JsonSkipper();
  readonly #part: string | null;
  #state: State = 'top';
  /** Records are elements of an array; otherwise they follow each other. */
  #isArray = false;
  /** The array is the value of a key: what comes after it is not read. */
  #isInPart = false;
  /** Keys of the objects around what is looked at. */
  readonly #path: string[] = [];
  /** Number of the next record. */
  #number = 1;
  /** State after a value is skipped. */
  #afterSkip: State = 'rest';

  /** @param part - name of the key whose array is read, as `partName` writes it; null: the file's own. */
  constructor(source: ByteSource, encoding: string, part: string | null, hasHeader: boolean, sizes?: JsonReaderSizes) {
    super(source, encoding, hasHeader, sizes);
    this.#part = part;
  }

  protected takeRecords(): void {
    while (this.#state !== 'done' && this.hasRoom) if (!this.#step()) return;
  }

  protected get isDone(): boolean {
    return this.#state === 'done';
  }

  /** One step. @returns false where more of the file is needed for the next one. */
  #step(): boolean {
    const window = this.window;
    const scanner = this.scanner;
    if (this.#state === 'skip') return this.#skip();
    const { lines } = scanner;
    const at = scanner.space(window.at);
    if (at === window.end) {
      window.at = at;
      if (window.isOver) this.#over(at);
      return false;
    }
    const linesBefore = scanner.lines;
    const after = this.#take(at);
    if (after !== CUT) return true;
    scanner.lines = linesBefore;
    if (window.isOver && !this.#isArray && this.#isNumber(at)) {
      window.close();
      scanner.look(window.bytes, window.end);
      scanner.lines = lines;
    } else if (window.isOver) this.#over(at);
    else if (window.isTooMuch) this.#leaveOut(at, `The row is larger than ${sizeText(this.recordBytes)}.`);
    // Scanning starts again from before the blanks when more bytes have arrived.
    else scanner.lines = lines;
    return window.isOver;
  }

  /** A number is the only value that ends with the file and not by itself. */
  #isNumber(at: number): boolean {
    const { bytes, end } = this.window;
    return (
      this.#state === 'record' &&
      bytes[end - 1]! >= 0x30 &&
      bytes[end - 1]! <= 0x39 &&
      bytes[at]! < 0x3a &&
      bytes[at] !== 0x22
    );
  }

  /** @returns CUT where more bytes are needed. */
  #take(at: number): number {
    const byte = this.scanner.bytes[at]!;
    switch (this.#state) {
      case 'top':
        return this.#top(at, byte);
      case 'key':
        return this.#key(at);
      case 'rest':
        return this.#rest(at, byte);
      case 'end':
        return this.#end(at, `${this.scanner.shown(at)} comes after the end of the list`);
      default:
        if (this.#isArray && byte === CLOSE_BRACKET) {
          if (this.#number > 1) this.note('lastComma', this.#number - 1);
          return this.#endOfArray(at);
        }
        return this.#record(at);
    }
  }

  #go(at: number, state: State): number {
    this.window.at = at;
    this.#state = state;
    return at;
  }

  #top(at: number, byte: number): number {
    if (byte === OPEN_BRACKET) {
      this.#isArray = true;
      return this.#go(at + 1, 'record');
    }
    if (byte === OPEN_BRACE && this.#part !== null) return this.#go(at + 1, 'key');
    return this.#go(at, 'record');
  }

  /** The next key of the object: is it the one? */
  #key(from: number): number {
    const scanner = this.scanner;
    const { bytes } = scanner;
    if (bytes[from] === CLOSE_BRACE) {
      if (this.#path.length === 0) throw noPart(this.#part!);
      this.#path.pop();
      return this.#go(from + 1, 'key');
    }
    const start = bytes[from] === COMMA ? scanner.space(from + 1) : from;
    const key = scanner.keyString(start);
    const at = key < 0 ? key : scanner.colon(key);
    if (at === BAD) throw unreadable(`${scanner.reason}, in ${scanner.place(scanner.lines + 1, scanner.at)}`);
    if (at < 0 || at >= scanner.end) return CUT;
    const path = [...this.#path, keyText(bytes, start, key)];
    const name = partName(path);
    if (name !== this.#part) {
      if (bytes[at] === OPEN_BRACE && this.#part!.startsWith(`${name}.`)) {
        this.#path.push(path.at(-1)!);
        return this.#go(at + 1, 'key');
      }
      this.#skipFrom('key');
      return this.#go(at, 'skip');
    }
    this.#isInPart = true;
    this.#isArray = bytes[at] === OPEN_BRACKET;
    return this.#isArray ? this.#go(at + 1, 'record') : this.#go(at, 'record');
  }

  #record(at: number): number {
    const scanner = this.scanner;
    const { lines } = scanner;
    const after = this.records.read(at);
    if (after === CUT) return CUT;
    if (after === BAD) {
      const place = scanner.place(scanner.lines + 1, scanner.at);
      scanner.lines = lines;
      this.#leaveOut(at, `The row was left out: ${scanner.reason}, in ${place} of the file.`);
      return at;
    }
    this.records.keep(this.#number++);
    return this.#go(after, 'rest');
  }

  #rest(at: number, byte: number): number {
    if (this.#isArray) {
      if (byte === COMMA) return this.#go(at + 1, 'record');
      if (byte === CLOSE_BRACKET) return this.#endOfArray(at);
      return this.#end(at, `${this.scanner.shown(at)} is where a comma or the end of the list is expected`);
    }
    if (this.#isInPart) return this.#restOfObject(at);
    if (byte === OPEN_BRACE) return this.#go(at, 'record');
    return this.#end(at, `${this.scanner.shown(at)} comes after the end of the row`);
  }

  #endOfArray(at: number): number {
    return this.#isInPart ? this.#restOfObject(at + 1) : this.#go(at + 1, 'end');
  }

  /** What comes after the part is not read, but the file must not be cut off in it. */
  #restOfObject(at: number): number {
    this.#skipFrom('end');
    for (let depth = 0; depth <= this.#path.length; depth++) this.#skipper.enter(OPEN_BRACE);
    return this.#go(at, 'skip');
  }

  /** The record cannot be read: the search for its end begins. */
  #leaveOut(at: number, reason: string): void {
    const { bytes, end } = this.window;
    this.#skipFrom('rest');
    const after = this.#skipper.skip(bytes, at, end);
    this.addProblem(jsonProblem(this.#number++, reason, bytes, at, after < 0 ? end : after));
    if (after === CUT) this.#go(end, 'skip');
    else this.#skipped(after);
  }

  #skipFrom(afterwards: State): void {
    this.#skipper.begin();
    this.#afterSkip = afterwards;
  }

  #skip(): boolean {
    const window = this.window;
    const after = this.#skipper.skip(window.bytes, window.at, window.end);
    if (after !== CUT || window.isOver) {
      this.#skipped(after);
      return true;
    }
    window.at = window.end;
    return false;
  }

  #skipped(after: number): void {
    this.scanner.lines += this.#skipper.lines;
    if (after >= 0) this.#go(after, this.#afterSkip);
    else if (this.#afterSkip === 'key') throw noPart(this.#part!);
    else {
      const isPart = this.#afterSkip === 'end';
      const why = isPart
        ? 'the object that the part is in does not end'
        : 'it is not certain where the next row begins';
      this.#end(this.window.end, why, `line ${number(this.scanner.lines + 1)}`);
    }
  }

  /** No more bytes follow: this is the end, or it is missing. */
  #over(at: number): void {
    if (this.#state === 'key') throw noPart(this.#part!);
    const isComplete = this.#state === 'top' || this.#state === 'end' || (this.#state === 'rest' && !this.#isArray);
    if (isComplete) {
      this.#go(at, 'done');
      return;
    }
    if (this.#state === 'record') this.records.drop();
    const place = at === this.window.end ? '' : ` in ${this.#lastPlace(at)},`;
    this.#end(at, `it ends in the middle,${place} so it was cut off`);
  }

  /** Where the file ends, for a sentence. */
  #lastPlace(at: number): string {
    const { bytes, end } = this.window;
    let line = this.scanner.lines + 1;
    for (let feed = bytes.indexOf(LINE_FEED, at); feed >= 0 && feed < end; feed = bytes.indexOf(LINE_FEED, feed + 1))
      line++;
    return this.scanner.place(line, end);
  }

  /** The rest is given up, and earlier records are kept. */
  #end(at: number, why: string, place = this.scanner.place(this.scanner.lines + 1, at)): number {
    const { bytes, end } = this.window;
    const reason = `The file cannot be read beyond ${place}: ${why}.`;
    this.addProblem({ ...jsonProblem(this.#number, reason, bytes, at, end), isLast: true });
    return this.#go(at, 'done');
  }
}

/** Includes its quotes; it is a string by the grammar. */
const keyText = (bytes: Uint8Array, start: number, end: number): string =>
  JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))) as string;

const noPart = (part: string): AppError =>
  AppError.invalid(`The file has no “${part}” that can be read. Choose another part of it.`);

const unreadable = (why: string): AppError => AppError.invalid(`The file is not JSON: ${why}. Nothing was read.`);

keepShape(new JsonReader(NO_BYTES, 'utf-8', null, false));

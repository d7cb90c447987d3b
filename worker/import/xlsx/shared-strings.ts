// The texts that cells of a workbook share, as consecutive UTF-8. They are kept in memory, because they are needed in any order.
import { keepShape } from '#shared/keep-shape.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { grown } from '../../records/batch-writer.ts';
import { sizeText, type ReadingLimits } from '../reading-limits.ts';
import { CellBytes } from './cell-bytes.ts';
import { XmlScanner } from './xml-scanner.ts';
import { type XmlListener, type XmlTag } from './xml-events.ts';
import type { ZipStream } from './zip-stream.ts';

const NAMES = ['t', 'si', 'rPh'] as const;
const [TEXT, ITEM, PHONETIC] = [0, 1, 2];
/** What a tag, or a comment, counts for besides the texts: the time that millions of them take, and the ends of the strings. A plain string has four tags. */
const MARK_BYTES = 6;
/** So many times the bytes that are kept are read, whatever is in them: formatted texts have about as many, and others fewer. */
const XML_TIMES = 2;

export class SharedStrings implements XmlListener {
  /** End of each string; it begins where the one before ends. */
  ends = new Uint32Array(1 << 10);
  count = 0;
  readonly #mostBytes: number;
  readonly #texts: CellBytes;
  #start = 0;
  #inText = false;
  /** Phonetic guide to a Japanese text, which is not part of it. */
  #inPhonetic = false;

  constructor({ keptBytes }: Pick<ReadingLimits, 'keptBytes'>) {
    this.#mostBytes = keptBytes;
    this.#texts = new CellBytes(keptBytes);
  }

  get bytes(): Uint8Array {
    return this.#texts.bytes;
  }

  /** @throws AppError `too-big` */
  async read(stream: ZipStream): Promise<void> {
    const scanner = new XmlScanner(this, NAMES);
    let xmlBytes = 0;
    for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) {
      scanner.write(bytes);
      xmlBytes += bytes.length;
      this.#assertRoom(scanner.marks * MARK_BYTES);
      if (xmlBytes > this.#mostBytes * XML_TIMES) throw this.#tooLong();
    }
    scanner.finish();
  }

  start(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  open({ name }: XmlTag): void {
    if (name === ITEM) this.#texts.used = this.#start;
    else if (name === PHONETIC) this.#inPhonetic = true;
    this.#inText = name === TEXT && !this.#inPhonetic;
  }

  close(name: number): void {
    if (name === PHONETIC) this.#inPhonetic = false;
    else if (name === TEXT) this.#inText = false;
    else if (name === ITEM) this.#end();
  }

  text(bytes: Uint8Array, start: number, end: number, isPlain: boolean): void {
    if (!this.#inText) return;
    this.#assertRoom(end - start);
    this.#texts.add(bytes, start, end, isPlain);
  }

  #end(): void {
    this.#texts.finishText(this.#start);
    this.#start = this.#texts.used;
    if (this.count === this.ends.length) this.ends = grown(this.ends, this.count * 2, Uint32Array);
    this.ends[this.count++] = this.#start;
  }

  #assertRoom(bytes: number): void {
    if (!this.#texts.hasRoom(bytes)) throw this.#tooLong();
  }

  #tooLong(): AppError {
    return AppError.tooBig(
      `The text of the workbook with its formatting takes more than ${sizeText(this.#mostBytes)}. Save the sheet as CSV and import that.`,
    );
  }
}

keepShape(new SharedStrings({ keptBytes: 0 }));

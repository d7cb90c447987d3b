// The texts of the cells of a row, as consecutive UTF-8, assembled from the pieces in their XML.
import { encodeText, grown } from '../../records/batch-writer.ts';
import { utf8End } from '../csv/odd-bytes.ts';
import { READING_LIMITS } from '../reading-limits.ts';
import { excelText, firstEscape, withoutEscapes } from './excel-text.ts';
import { writeXmlText } from './xml-text.ts';

const LARGE_BYTES = 32 << 20;
const LARGER = 1.4;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class CellBytes {
  bytes = new Uint8Array(1 << 12);
  used = 0;
  readonly #mostBytes: number;

  constructor(mostBytes = READING_LIMITS.recordBytes) {
    this.#mostBytes = mostBytes;
  }

  /** Whether a piece of so many bytes fits: what takes more is refused before there is memory for it. */
  hasRoom(bytes: number): boolean {
    return this.used + bytes <= this.#mostBytes;
  }

  /** Adds a piece as a listener of XML receives it. */
  add(from: Uint8Array, start: number, end: number, isPlain: boolean): void {
    const to = this.used;
    this.#reserve(end - start);
    if (!isPlain) {
      this.used = writeXmlText(from, start, end, this.bytes, to);
      return;
    }
    if (end - start > 48) this.bytes.set(from.subarray(start, end), to);
    else for (let at = start, n = to; at < end; at++, n++) this.bytes[n] = from[at]!;
    this.used = to + end - start;
  }

  addText(text: string): void {
    this.#reserve(text.length * 3);
    this.used = encodeText(text, this.bytes, this.used);
  }

  /** Finishes the text that was added from `start` on: Excel's escapes are undone, and invalid UTF-8 becomes U+FFFD. */
  finishText(start: number): void {
    const { bytes, used } = this;
    const isPlain = utf8End(bytes, start, used) === used;
    const escape = firstEscape(bytes, start, used);
    if (isPlain && escape < 0) return;
    const end = isPlain ? withoutEscapes(bytes, escape, used) : -1;
    if (end >= 0) this.used = end;
    else {
      const text = excelText(decoder.decode(bytes.subarray(start, used)));
      this.used = start;
      this.addText(text);
    }
  }

  text(start: number, end: number): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  /** The old memory stays until the new one is filled, so a large one grows by less. */
  #reserve(more: number): void {
    const needed = this.used + more;
    if (needed <= this.bytes.length) return;
    const larger = this.bytes.length < LARGE_BYTES ? this.bytes.length * 2 : this.bytes.length * LARGER;
    this.bytes = grown(this.bytes, Math.max(needed, Math.min(Math.floor(larger), this.#mostBytes)), Uint8Array);
  }
}

// The texts of the cells of a row, as consecutive UTF-8, assembled from the pieces in their XML.
import { encodeText, grown } from '../../records/batch-writer.ts';
import { utf8End } from '../csv/odd-bytes.ts';
import { excelText } from './excel-text.ts';
import { xmlText } from './xml-text.ts';

const UNDERSCORE = 0x5f;
const LOWER_X = 0x78;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export class CellBytes {
  bytes = new Uint8Array(1 << 12);
  used = 0;

  /** Adds a piece as a listener of XML receives it. */
  add(from: Uint8Array, start: number, end: number, isPlain: boolean): void {
    if (!isPlain) return this.addText(xmlText(from, start, end));
    const to = this.used;
    this.#reserve(end - start);
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
    let isPlain = true;
    for (let at = start; at < used && isPlain; at++) {
      const byte = bytes[at]!;
      isPlain = byte < 0x80 && (byte !== UNDERSCORE || at + 1 >= used || bytes[at + 1] !== LOWER_X);
    }
    if (isPlain) return;
    const text = decoder.decode(bytes.subarray(start, used));
    const meant = excelText(text);
    if (meant === text && utf8End(bytes, start, used) === used) return;
    this.used = start;
    this.addText(meant);
  }

  text(start: number, end: number): string {
    return decoder.decode(this.bytes.subarray(start, end));
  }

  #reserve(more: number): void {
    const needed = this.used + more;
    if (needed > this.bytes.length) this.bytes = grown(this.bytes, Math.max(needed, this.bytes.length * 2), Uint8Array);
  }
}

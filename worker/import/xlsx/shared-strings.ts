// The texts that cells of a workbook share, as UTF-8 one after the other.
import { AppError } from '#shared/protocol/errors.ts';
import { encodeText } from '../../records/batch-writer.ts';
import { excelText } from './excel-text.ts';
import { XmlEvents, type XmlListener } from './xml-events.ts';
import type { ZipStream } from './zip-stream.ts';

/** They are needed in any order, so they are in memory. */
const MAX_BYTES = 128 << 20;

export class SharedStrings implements XmlListener {
  bytes: Uint8Array = new Uint8Array(1 << 16);
  /** Where each ends; it begins where the one before ends. */
  ends = new Uint32Array(1 << 10);
  count = 0;
  #used = 0;
  #text = '';
  #inText = false;
  /** How a text is read aloud, in Japanese: no part of it. */
  #inPhonetic = false;

  /** @throws AppError `too-big` */
  async read(stream: ZipStream): Promise<void> {
    const events = new XmlEvents(this);
    for (let bytes = await stream.next(); bytes !== null; bytes = await stream.next()) events.write(bytes);
    events.end();
  }

  start(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  open(name: string): void {
    if (name === 'si') this.#text = '';
    else if (name === 'rPh') this.#inPhonetic = true;
    this.#inText = name === 't' && !this.#inPhonetic;
  }

  close(name: string): void {
    if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 't') this.#inText = false;
    else if (name === 'si') this.#add(excelText(this.#text));
  }

  text(text: string): void {
    if (this.#inText) this.#text += text;
  }

  #add(text: string): void {
    const needed = this.#used + text.length * 3;
    if (needed > this.bytes.length) this.#grow(needed);
    this.#used = encodeText(text, this.bytes, this.#used);
    if (this.count === this.ends.length) {
      const larger = new Uint32Array(this.count * 2);
      larger.set(this.ends);
      this.ends = larger;
    }
    this.ends[this.count++] = this.#used;
  }

  #grow(needed: number): void {
    if (needed > MAX_BYTES || this.count * 4 > MAX_BYTES)
      throw new AppError({
        code: 'too-big',
        message: `The texts of the workbook take more than ${MAX_BYTES >> 20} MB of memory. Save the sheet as CSV and import that.`,
      });
    const larger = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

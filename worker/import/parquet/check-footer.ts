// Walks over the footer of a Parquet file before it is decoded: a byte of it can claim a structure, which takes a hundred times as much memory.
// It is written in Thrift's compact protocol (github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md).
import type { AsyncBuffer } from 'hyparquet/src/types.js';
import { sizeText, type ReadingLimits } from '../reading-limits.ts';
import { tooBig } from './parquet-errors.ts';

/** Length of the footer, and the mark at the end. */
const TAIL_BYTES = 8;
/** Footers have some ten levels. */
const MAX_DEPTH = 32;
const [STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12];

/** @throws AppError `too-big`; Error where there is no footer */
export async function checkFooter(
  file: AsyncBuffer,
  { describingBytes, footerValues }: Pick<ReadingLimits, 'describingBytes' | 'footerValues'>,
): Promise<void> {
  const end = file.byteLength - TAIL_BYTES;
  if (end < 0) throw new Error('it is too short');
  const length = new DataView(await file.slice(end, end + 4)).getUint32(0, true);
  if (length > end) throw new Error('its footer is longer than the file');
  if (length > describingBytes) throw tooBig(`its footer is larger than ${sizeText(describingBytes)}`);
  new Footer(new Uint8Array(await file.slice(end - length, end)), footerValues).walk();
}

class Footer {
  readonly #bytes: Uint8Array;
  readonly #most: number;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array, most: number) {
    this.#bytes = bytes;
    this.#most = most;
  }

  walk(): void {
    this.#struct(0);
  }

  #struct(depth: number): void {
    if (depth > MAX_DEPTH) throw damaged();
    for (;;) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === STOP) return;
      // The number of the field follows where it does not fit.
      if (byte >> 4 === 0) this.#varint();
      if (type !== TRUE && type !== FALSE) this.#value(type, depth);
      this.#count(1);
    }
  }

  #value(type: number, depth: number): void {
    switch (type) {
      case TRUE:
      case FALSE:
      case BYTE:
        return this.#skip(1);
      case I16:
      case I32:
      case I64:
        return void this.#varint();
      case DOUBLE:
        return this.#skip(8);
      case BINARY:
        return this.#skip(this.#varint());
      case STRUCT:
        return this.#struct(depth + 1);
      case LIST: {
        const head = this.#byte();
        const length = head >> 4 === 15 ? this.#varint() : head >> 4;
        this.#count(length);
        for (let at = 0; at < length; at++) this.#value(head & 0x0f, depth + 1);
        return;
      }
      default:
        throw damaged();
    }
  }

  #count(values: number): void {
    this.#values += values;
    if (this.#values > this.#most)
      throw tooBig(`its footer has more than ${this.#most.toLocaleString('en-US')} values`);
  }

  #skip(length: number): void {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw damaged();
  }

  #byte(): number {
    if (this.#at >= this.#bytes.length) throw damaged();
    return this.#bytes[this.#at++]!;
  }

  /** A number of 64 bits, which is not needed, is only about right. */
  #varint(): number {
    let result = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.#byte();
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
    throw damaged();
  }
}

const damaged = (): Error => new Error('its footer is damaged');

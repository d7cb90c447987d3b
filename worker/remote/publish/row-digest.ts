// One number for all rows of a table: SHA-256 over the storage class, the length, and the bytes of each value, in order.
import { createHash } from 'node:crypto';
import { isRawText, isReal, storageClassOf, type Value } from '#shared/protocol/values.ts';

const TAGS = { null: 0, integer: 1, real: 2, text: 3, blob: 4 } as const;
const encoder = new TextEncoder();
const NOTHING = new Uint8Array(0);

export class RowDigest {
  #hash = createHash('sha256');
  rows = 0;
  readonly #head = new DataView(new ArrayBuffer(5));
  readonly #headBytes = new Uint8Array(this.#head.buffer);

  add(row: readonly Value[]): void {
    this.rows++;
    for (const value of row) {
      const bytes = bytesOf(value);
      this.#head.setUint8(0, TAGS[storageClassOf(value)]);
      this.#head.setUint32(1, bytes.length);
      this.#hash.update(this.#headBytes);
      this.#hash.update(bytes);
    }
  }

  /** The copy does not change with rows that are added later. */
  copy(): RowDigest {
    const copy = new RowDigest();
    copy.#hash = this.#hash.copy();
    copy.rows = this.rows;
    return copy;
  }

  /** Hexadecimal. */
  get text(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** Bytes of a text are UTF-8, whether it came as a string or as bytes. */
function bytesOf(value: Value): Uint8Array {
  switch (storageClassOf(value)) {
    case 'null':
      return NOTHING;
    case 'integer':
      return encoder.encode(String(value));
    case 'real':
      return realBytes(isReal(value) ? value.real : (value as number));
    case 'text':
      return isRawText(value) ? value.textBytes : encoder.encode(value as string);
    default:
      return value as Uint8Array;
  }
}

function realBytes(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return new Uint8Array(view.buffer);
}

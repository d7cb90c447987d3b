// Builds packed rows. Engines write cells in order; nothing is allocated per cell.
import { CellType, PREVIEW_BYTES } from './format.ts';
import type { PackedRows } from './format.ts';
import type { PackedRowsReader } from './reader.ts';

// Present in every runtime we have, yet in no TypeScript library that is free of the DOM.
declare class TextEncoder {
  encode(text: string): Uint8Array;
  encodeInto(text: string, into: Uint8Array): { written: number };
}

const INITIAL_ROWS = 64;
const INITIAL_HEAP_BYTES = 4096;
/** Up to this length a loop over ASCII is faster than a call of the encoder. */
const SHORT_TEXT = 40;
const encoder = new TextEncoder();

export class PackedRowsWriter {
  readonly columnCount: number;
  readonly #previewBytes: number;
  #cell = 0;
  #heapUsed = 0;
  #types: Uint8Array;
  #slots: ArrayBuffer;
  #floats: Float64Array;
  #bigs: BigInt64Array;
  #words: Uint32Array;
  #heap = new Uint8Array(INITIAL_HEAP_BYTES);
  #heapView = new DataView(this.#heap.buffer);

  /** `previewBytes` Infinity keeps every value whole. */
  constructor(columnCount: number, options: { expectedRows?: number; previewBytes?: number } = {}) {
    this.columnCount = columnCount;
    this.#previewBytes = options.previewBytes ?? PREVIEW_BYTES;
    const cells = Math.max(1, (options.expectedRows ?? INITIAL_ROWS) * columnCount);
    this.#types = new Uint8Array(cells);
    this.#slots = new ArrayBuffer(cells * 8);
    this.#floats = new Float64Array(this.#slots);
    this.#bigs = new BigInt64Array(this.#slots);
    this.#words = new Uint32Array(this.#slots);
  }

  /** Whole rows written so far. */
  get rowCount(): number {
    return this.columnCount === 0 ? 0 : Math.floor(this.#cell / this.columnCount);
  }

  get sizeBytes(): number {
    return this.#cell * 9 + this.#heapUsed;
  }

  null(): void {
    this.#types[this.#next()] = CellType.null;
  }

  /** @param value must be a safe integer; see {@link bigInteger} for the others. */
  integer(value: number): void {
    const cell = this.#next();
    this.#types[cell] = CellType.integer;
    this.#floats[cell] = value;
  }

  bigInteger(value: bigint): void {
    const cell = this.#next();
    this.#types[cell] = CellType.bigInteger;
    this.#bigs[cell] = value;
  }

  real(value: number): void {
    const cell = this.#next();
    this.#types[cell] = CellType.real;
    this.#floats[cell] = value;
  }

  text(value: string): void {
    // A unit of UTF-16 is at most three bytes of UTF-8. What may have to be cut goes the long way.
    if (value.length * 3 > this.#previewBytes) return this.textBytes(encoder.encode(value));
    const cell = this.#next();
    this.#reserveHeap(value.length * 3);
    const at = this.#heapUsed;
    const written = this.#encode(value, at);
    this.#types[cell] = CellType.text;
    this.#words[cell * 2] = at;
    this.#words[cell * 2 + 1] = written;
    this.#heapUsed = at + written;
  }

  /** UTF-8 as SQLite holds it, valid or not. `bytes` may be a view of wasm memory: it is copied. */
  textBytes(bytes: Uint8Array): void {
    this.#payload(bytes, CellType.text, CellType.textPreview);
  }

  /** Like {@link textBytes}, of a part of `bytes`: short text is copied without a view of its own. */
  textAt(bytes: Uint8Array, start: number, length: number): void {
    if (length > SHORT_TEXT || length > this.#previewBytes)
      return this.textBytes(bytes.subarray(start, start + length));
    const cell = this.#next();
    this.#reserveHeap(length);
    const heap = this.#heap;
    const at = this.#heapUsed;
    for (let index = 0; index < length; index++) heap[at + index] = bytes[start + index]!;
    this.#types[cell] = CellType.text;
    this.#words[cell * 2] = at;
    this.#words[cell * 2 + 1] = length;
    this.#heapUsed = at + length;
  }

  blob(bytes: Uint8Array): void {
    this.#payload(bytes, CellType.blob, CellType.blobPreview);
  }

  /** A preview of nothing: the value is too long to be read. */
  unread(isText: boolean, sizeBytes: number): void {
    const [whole, preview] = isText ? [CellType.text, CellType.textPreview] : [CellType.blob, CellType.blobPreview];
    this.#payload(new Uint8Array(0), whole, preview, sizeBytes);
  }

  /** Copies a cell of other rows; what is a preview there stays one, with the full length it knew. */
  copy(from: PackedRowsReader, row: number, column: number): void {
    switch (from.type(row, column)) {
      case CellType.null:
        return this.null();
      case CellType.integer:
        return this.integer(from.number(row, column));
      case CellType.bigInteger:
        return this.bigInteger(from.value(row, column) as bigint);
      case CellType.real:
        return this.real(from.number(row, column));
      case CellType.text:
      case CellType.textPreview:
        return this.#payload(from.bytes(row, column), CellType.text, CellType.textPreview, from.sizeBytes(row, column));
      default:
        return this.#payload(from.bytes(row, column), CellType.blob, CellType.blobPreview, from.sizeBytes(row, column));
    }
  }

  /** The rows so far, in the buffers of the writer: for a reader that is done with them before {@link clear}. */
  get rows(): PackedRows {
    const { rowCount, columnCount } = this;
    const types = this.#types.subarray(0, rowCount * columnCount);
    return { rowCount, columnCount, types, slots: this.#slots, heap: this.#heap.subarray(0, this.#heapUsed) };
  }

  /** Begins again in the same buffers. */
  clear(): void {
    this.#cell = 0;
    this.#heapUsed = 0;
  }

  /** Hands over the buffers; the writer must not be used again. */
  finish(): PackedRows {
    const cells = this.rowCount * this.columnCount;
    return {
      rowCount: this.rowCount,
      columnCount: this.columnCount,
      types: cells === this.#types.length ? this.#types : this.#types.slice(0, cells),
      slots: cells * 8 === this.#slots.byteLength ? this.#slots : this.#slots.slice(0, cells * 8),
      heap: this.#heapUsed === this.#heap.length ? this.#heap : this.#heap.slice(0, this.#heapUsed),
    };
  }

  /** Returns how many bytes it wrote; there is room for them. */
  #encode(value: string, at: number): number {
    const heap = this.#heap;
    if (value.length <= SHORT_TEXT) {
      let written = 0;
      for (; written < value.length; written++) {
        const unit = value.charCodeAt(written);
        if (unit > 0x7f) break;
        heap[at + written] = unit;
      }
      if (written === value.length) return written;
    }
    return encoder.encodeInto(value, heap.subarray(at)).written;
  }

  #payload(bytes: Uint8Array, whole: CellType, preview: CellType, sizeBytes = bytes.length): void {
    const cell = this.#next();
    const kept = bytes.length > this.#previewBytes ? this.#previewLength(bytes, whole) : bytes.length;
    const cut = kept < sizeBytes;
    this.#reserveHeap(kept + 8);
    if (cut) {
      this.#heapView.setFloat64(this.#heapUsed, sizeBytes, true);
      this.#heapUsed += 8;
    }
    this.#heap.set(kept === bytes.length ? bytes : bytes.subarray(0, kept), this.#heapUsed);
    this.#types[cell] = cut ? preview : whole;
    this.#words[cell * 2] = this.#heapUsed;
    this.#words[cell * 2 + 1] = kept;
    this.#heapUsed += kept;
  }

  /** Never cuts through a UTF-8 sequence: a half character would look like damage. */
  #previewLength(bytes: Uint8Array, type: CellType): number {
    let length = this.#previewBytes;
    if (type === CellType.text) while (length > this.#previewBytes - 4 && (bytes[length]! & 0xc0) === 0x80) length--;
    return length;
  }

  #next(): number {
    const cell = this.#cell++;
    if (cell === this.#types.length) this.#growCells();
    return cell;
  }

  #growCells(): void {
    const types = new Uint8Array(this.#types.length * 2);
    types.set(this.#types);
    this.#types = types;
    const slots = new ArrayBuffer(types.length * 8);
    new Uint8Array(slots).set(new Uint8Array(this.#slots));
    this.#slots = slots;
    this.#floats = new Float64Array(slots);
    this.#bigs = new BigInt64Array(slots);
    this.#words = new Uint32Array(slots);
  }

  #reserveHeap(bytes: number): void {
    if (this.#heapUsed + bytes <= this.#heap.length) return;
    const heap = new Uint8Array(Math.max(this.#heap.length * 2, this.#heapUsed + bytes));
    heap.set(this.#heap.subarray(0, this.#heapUsed));
    this.#heap = heap;
    this.#heapView = new DataView(heap.buffer);
  }
}

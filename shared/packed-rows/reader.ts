// Reads single cells out of packed rows, on demand.
import type { StorageClass, Value } from '../protocol/values.ts';
import { CellType } from './format.ts';
import type { PackedRows } from './format.ts';

// Present in every runtime we have, yet in no TypeScript library that is free of the DOM.
declare class TextDecoder {
  constructor(label: string, options: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes: Uint8Array): string;
}

const CLASS_OF: readonly StorageClass[] = ['null', 'integer', 'integer', 'real', 'text', 'blob', 'text', 'blob'];
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class PackedRowsReader {
  readonly rows: PackedRows;
  readonly #floats: Float64Array;
  readonly #bigs: BigInt64Array;
  readonly #words: Uint32Array;

  constructor(rows: PackedRows) {
    this.rows = rows;
    this.#floats = new Float64Array(rows.slots);
    this.#bigs = new BigInt64Array(rows.slots);
    this.#words = new Uint32Array(rows.slots);
  }

  type(row: number, column: number): CellType {
    return this.rows.types[row * this.rows.columnCount + column] as CellType;
  }

  storageClass(row: number, column: number): StorageClass {
    return CLASS_OF[this.type(row, column)]!;
  }

  /** True when only the beginning of the value is loaded. */
  isPreview(row: number, column: number): boolean {
    return this.type(row, column) >= CellType.textPreview;
  }

  /** Size of the whole value in bytes; 0 for numbers and NULL. */
  sizeBytes(row: number, column: number): number {
    const type = this.type(row, column);
    if (type < CellType.text) return 0;
    const cell = row * this.rows.columnCount + column;
    if (type < CellType.textPreview) return this.#words[cell * 2 + 1]!;
    const heap = this.rows.heap;
    return new DataView(heap.buffer, heap.byteOffset).getFloat64(this.#words[cell * 2]! - 8, true);
  }

  /** The loaded bytes of a text or blob: a view, not a copy. */
  bytes(row: number, column: number): Uint8Array {
    const cell = row * this.rows.columnCount + column;
    const offset = this.#words[cell * 2]!;
    return this.rows.heap.subarray(offset, offset + this.#words[cell * 2 + 1]!);
  }

  /** The number of an integer or real cell, rounded when it lies beyond 2^53: for sums and alignment only. */
  number(row: number, column: number): number {
    const cell = row * this.rows.columnCount + column;
    return this.type(row, column) === CellType.bigInteger ? Number(this.#bigs[cell]) : this.#floats[cell]!;
  }

  /** Text for painting: text as it is, numbers in SQLite's own spelling; '' for NULL and blobs. Invalid UTF-8 shows U+FFFD. */
  text(row: number, column: number): string {
    const cell = row * this.rows.columnCount + column;
    switch (this.rows.types[cell]) {
      case CellType.integer:
        return String(this.#floats[cell]);
      case CellType.bigInteger:
        return String(this.#bigs[cell]);
      case CellType.real:
        return formatReal(this.#floats[cell]!);
      case CellType.text:
      case CellType.textPreview:
        return decoder.decode(this.bytes(row, column));
      default:
        return '';
    }
  }

  /** The exact value. For a preview: the loaded part. */
  value(row: number, column: number): Value {
    const cell = row * this.rows.columnCount + column;
    switch (this.rows.types[cell]) {
      case CellType.null:
        return null;
      case CellType.integer:
        return this.#floats[cell]!;
      case CellType.bigInteger:
        return this.#bigs[cell]!;
      case CellType.real: {
        const number = this.#floats[cell]!;
        return Number.isInteger(number) ? { real: number } : number;
      }
      case CellType.text:
      case CellType.textPreview:
        return decodeText(this.bytes(row, column));
      default:
        return this.bytes(row, column).slice();
    }
  }
}

/** A string, or the bytes themselves when they are not valid UTF-8. */
export function decodeText(bytes: Uint8Array): Value {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return { textBytes: bytes.slice() };
  }
}

/** A REAL as people know it from SQLite: always with a point or exponent, `Inf` and `-Inf`. */
export function formatReal(value: number): string {
  if (value === Infinity) return 'Inf';
  if (value === -Infinity) return '-Inf';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text.replace(/^(-?\d+)e/, '$1.0e') : `${text}.0`;
}

// The keys of a sorted or filtered table in order: 8 bytes a row for row ids, packed cells for primary keys.
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { sameValue } from '../sql/same-value.ts';
import type { Key } from './key-order.ts';

export interface KeyList {
  readonly length: number;
  at(position: number): Key;
  append(keys: PackedRows): void;
  find(key: Key): number | null;
}

const CHUNK = 65_536;

export class RowidList implements KeyList {
  #chunks: (Float64Array | BigInt64Array)[] = [];
  /** Row ids beyond 2^53 have been seen: all chunks hold 64-bit integers. */
  #wide = false;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(position: number): Key {
    const rowid = this.#chunks[Math.floor(position / CHUNK)]![position % CHUNK]!;
    return [typeof rowid === 'bigint' && isSafe(rowid) ? Number(rowid) : rowid];
  }

  append(keys: PackedRows): void {
    const floats = new Float64Array(keys.slots);
    const bigs = new BigInt64Array(keys.slots);
    if (!this.#wide && keys.types.includes(CellType.bigInteger)) this.#widen();
    for (let row = 0; row < keys.rowCount; row++) {
      const place = this.#length++ % CHUNK;
      if (place === 0) this.#chunks.push(this.#wide ? new BigInt64Array(CHUNK) : new Float64Array(CHUNK));
      const chunk = this.#chunks.at(-1)!;
      if (chunk instanceof Float64Array) chunk[place] = floats[row]!;
      else chunk[place] = keys.types[row] === CellType.bigInteger ? bigs[row]! : BigInt(floats[row]!);
    }
  }

  /** Row ids within ±2^53. */
  appendSafe(rowids: Float64Array): void {
    for (const rowid of rowids) {
      const place = this.#length++ % CHUNK;
      if (place === 0) this.#chunks.push(new Float64Array(CHUNK));
      (this.#chunks.at(-1) as Float64Array)[place] = rowid;
    }
  }

  find(key: Key): number | null {
    const rowid = key[0];
    if (typeof rowid !== 'number' && typeof rowid !== 'bigint') return null;
    if (!this.#wide && typeof rowid === 'bigint') return null;
    for (const [index, chunk] of this.#chunks.entries()) {
      const place = chunk instanceof Float64Array ? chunk.indexOf(Number(rowid)) : chunk.indexOf(BigInt(rowid));
      const position = index * CHUNK + place;
      if (place >= 0) return position < this.#length ? position : null;
    }
    return null;
  }

  #widen(): void {
    this.#wide = true;
    this.#chunks = this.#chunks.map((chunk) => {
      const wide = new BigInt64Array(CHUNK);
      for (let i = 0; i < CHUNK; i++) wide[i] = BigInt(chunk[i]!);
      return wide;
    });
  }
}

export class PackedKeyList implements KeyList {
  readonly #chunks: { readonly start: number; readonly cells: PackedRowsReader }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(position: number): Key {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#chunks[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    const { start, cells } = this.#chunks[low]!;
    return keyAt(cells, position - start);
  }

  append(keys: PackedRows): void {
    if (keys.rowCount === 0) return;
    this.#chunks.push({ start: this.#length, cells: new PackedRowsReader(keys) });
    this.#length += keys.rowCount;
  }

  find(key: Key): number | null {
    for (const { start, cells } of this.#chunks) {
      for (let row = 0; row < cells.rows.rowCount; row++) {
        if (keyAt(cells, row).every((value, column) => sameValue(value, key[column] ?? null))) return start + row;
      }
    }
    return null;
  }
}

function keyAt(cells: PackedRowsReader, row: number): Key {
  return Array.from({ length: cells.rows.columnCount }, (_, column) => cells.value(row, column));
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

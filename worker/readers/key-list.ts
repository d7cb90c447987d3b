// The keys of a sorted or filtered table in order: 8 bytes per row for row ids, packed cells for primary keys.
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { sameValue } from '../sql/same-value.ts';
import type { Key } from './key-order.ts';
import { chunkAt } from '#shared/binary-search.ts';

export interface KeyList {
  readonly length: number;
  at(position: number): Key;
  append(keys: PackedRows): void;
  find(key: Key): number | null;
}

const CHUNK = 65_536;

interface RowidChunk {
  /** Has room for CHUNK values; the first `length` are used. */
  values: Float64Array | BigInt64Array;
  length: number;
  /** Position of the first value. */
  start: number;
}

export class RowidList implements KeyList {
  readonly #chunks: RowidChunk[] = [];
  /** True once a row id is beyond ±2^53: all chunks then hold 64-bit integers. */
  #wide = false;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(position: number): Key {
    const chunk = this.#chunks[chunkAt(this.#chunks, position)]!;
    const rowid = chunk.values[position - chunk.start]!;
    return [typeof rowid === 'bigint' && isSafe(rowid) ? Number(rowid) : rowid];
  }

  append(keys: PackedRows): void {
    const floats = new Float64Array(keys.slots);
    const bigs = new BigInt64Array(keys.slots);
    if (!this.#wide && keys.types.includes(CellType.bigInteger)) this.#widen();
    for (let row = 0; row < keys.rowCount; row++) {
      const chunk = this.#chunkToAppendTo();
      const index = chunk.length++;
      this.#length++;
      if (chunk.values instanceof Float64Array) chunk.values[index] = floats[row]!;
      else chunk.values[index] = keys.types[row] === CellType.bigInteger ? bigs[row]! : BigInt(floats[row]!);
    }
  }

  /** Appends row ids that are within ±2^53. */
  appendSafe(rowids: Float64Array): void {
    for (const rowid of rowids) {
      const chunk = this.#chunkToAppendTo();
      (chunk.values as Float64Array)[chunk.length++] = rowid;
      this.#length++;
    }
  }

  insert(position: number, rowid: number | bigint): void {
    if (typeof rowid === 'bigint' && !this.#wide) this.#widen();
    if (position === this.#length) this.#chunkToAppendTo();
    let index = chunkAt(this.#chunks, position);
    if (this.#chunks[index]!.length === CHUNK) {
      this.#halve(index);
      index = chunkAt(this.#chunks, position);
    }
    const chunk = this.#chunks[index]!;
    const place = position - chunk.start;
    chunk.values.copyWithin(place + 1, place, chunk.length);
    if (chunk.values instanceof Float64Array) chunk.values[place] = Number(rowid);
    else chunk.values[place] = BigInt(rowid);
    this.#resize(index, 1);
  }

  /** Returns whether the key was in the list. */
  remove(rowid: number | bigint): boolean {
    const position = this.find([rowid]);
    if (position === null) return false;
    const index = chunkAt(this.#chunks, position);
    const chunk = this.#chunks[index]!;
    const place = position - chunk.start;
    chunk.values.copyWithin(place, place + 1, chunk.length);
    this.#resize(index, -1);
    return true;
  }

  find(key: Key): number | null {
    const rowid = key[0];
    if (typeof rowid !== 'number' && typeof rowid !== 'bigint') return null;
    if (!this.#wide && typeof rowid === 'bigint') return null;
    for (const { values, length, start } of this.#chunks) {
      const used = values.subarray(0, length);
      const index = used instanceof Float64Array ? used.indexOf(Number(rowid)) : used.indexOf(BigInt(rowid));
      if (index >= 0) return start + index;
    }
    return null;
  }

  #chunkToAppendTo(): RowidChunk {
    const last = this.#chunks.at(-1);
    if (last && last.length < CHUNK) return last;
    const chunk = { values: this.#newValues(), length: 0, start: this.#length };
    this.#chunks.push(chunk);
    return chunk;
  }

  #newValues(): Float64Array | BigInt64Array {
    return this.#wide ? new BigInt64Array(CHUNK) : new Float64Array(CHUNK);
  }

  #halve(index: number): void {
    const chunk = this.#chunks[index]!;
    const half = chunk.length >> 1;
    const values = this.#newValues();
    values.set(chunk.values.subarray(half, chunk.length) as never);
    this.#chunks.splice(index + 1, 0, { values, length: chunk.length - half, start: chunk.start + half });
    chunk.length = half;
  }

  #resize(index: number, by: 1 | -1): void {
    this.#chunks[index]!.length += by;
    this.#length += by;
    for (const chunk of this.#chunks.slice(index + 1)) chunk.start += by;
    if (this.#chunks[index]!.length === 0) this.#chunks.splice(index, 1);
  }

  #widen(): void {
    this.#wide = true;
    for (const chunk of this.#chunks) {
      const wide = new BigInt64Array(CHUNK);
      for (let i = 0; i < chunk.length; i++) wide[i] = BigInt(chunk.values[i]!);
      chunk.values = wide;
    }
  }
}

export class PackedKeyList implements KeyList {
  readonly #chunks: { readonly start: number; readonly cells: PackedRowsReader }[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(position: number): Key {
    const { start, cells } = this.#chunks[chunkAt(this.#chunks, position)]!;
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

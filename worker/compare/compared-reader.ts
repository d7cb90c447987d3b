// The rows of a compared result, each with a number that represents all of its values.
import { DIGEST_PAGE_ROWS, bucketOf, DIGEST_BUCKETS } from '#shared/protocol/compare.ts';
import type { FoundRows, ResultDigest } from '#shared/protocol/compare.ts';
import { fail } from '#shared/protocol/errors.ts';
import { CellType, type PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { Spool, SPOOL_LIMITS } from '../readers/spool.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { Reader, ReaderHost, ReaderLayout } from '../readers/reader.ts';

/** The pages of one request must not fill the memory of either side. */
const MAX_PAGES = 1000;

export class ComparedReader extends SpooledReader {
  /** Has one column: the numbers go to a file together with the rows when there are too many. */
  readonly #hashes = new Spool(1);
  readonly #digester = new Digester();

  constructor(host: ReaderHost, layout: ReaderLayout, title: string) {
    super(host, layout, { title, query: null, state: 'fixed', limitMs: null, whenStopped: 'paused' });
  }

  /** @param rows with whole values */
  append(rows: PackedRows): void {
    if (this.disposed || rows.rowCount === 0) return;
    const hashes = this.#digester.add(rows);
    const writer = new PackedRowsWriter(1, { expectedRows: hashes.length });
    for (const hash of hashes) writer.integer(hash);
    this.#hashes.append(writer.finish());
    this.spool.append(withoutLongValues(rows));
  }

  finish(): ResultDigest {
    return this.#digester.finish();
  }

  hashesOf(pages: readonly number[]): Float64Array {
    if (pages.length > MAX_PAGES) fail('invalid', 'Too many pages were requested at once.');
    const parts = pages.map((page) => new Float64Array(this.#read(page * DIGEST_PAGE_ROWS, DIGEST_PAGE_ROWS).slots));
    const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  /** Pauses every few thousand rows. */
  *rowsIn(wanted: readonly number[], limit: number): Generator<void, FoundRows> {
    const buckets = new Set(wanted);
    const found: { readonly position: number; readonly hash: number }[] = [];
    const rows = this.#hashes.rowCount;
    for (let start = 0; start < rows && found.length <= limit; start += FIND_ROWS) {
      const hashes = new Float64Array(this.#read(start, FIND_ROWS).slots);
      hashes.forEach((hash, index) => buckets.has(bucketOf(hash)) && found.push({ position: start + index, hash }));
      yield;
    }
    const kept = found.slice(0, limit);
    return {
      positions: Float64Array.from(kept, ({ position }) => position),
      hashes: Float64Array.from(kept, ({ hash }) => hash),
      complete: found.length <= limit,
    };
  }

  override dispose(): void {
    super.dispose();
    this.#hashes.dispose();
  }

  #read(start: number, count: number): PackedRows {
    return this.#hashes.read(start, count, Infinity);
  }
}

const FIND_ROWS = 4096;

/** @throws AppError `not-found` */
export function comparedReader(reader: Reader): ComparedReader {
  if (reader instanceof ComparedReader) return reader;
  fail('not-found', 'These rows do not belong to a comparison. Compare again.');
}

/** Results keep no more of a value than an editor shows; its number is computed from all of it. */
function withoutLongValues(rows: PackedRows): PackedRows {
  const { valueBytes } = SPOOL_LIMITS;
  if (rows.heap.length <= valueBytes) return rows;
  const lengths = new Uint32Array(rows.slots);
  const isLong = (cell: number): boolean => rows.types[cell]! >= CellType.text && lengths[cell * 2 + 1]! > valueBytes;
  if (!rows.types.some((_, cell) => isLong(cell))) return rows;
  const cells = new PackedRowsReader(rows);
  const writer = new PackedRowsWriter(rows.columnCount, { expectedRows: rows.rowCount, previewBytes: valueBytes });
  for (let row = 0; row < rows.rowCount; row++)
    for (let column = 0; column < rows.columnCount; column++) writer.copy(cells, row, column);
  return writer.finish();
}

// Murmur3's constants (public domain): two lanes that never see each other's state until the end.
const A = 0xcc9e2d51;
const B = 0x1b873593;

/**
 * Numbers that represent rows, and a digest of a whole result: the same code for both engines, over the same packed rows.
 */
export class Digester {
  #lane1 = 0;
  #lane2 = 0;
  readonly #pages: number[] = [];
  readonly #buckets = new Uint32Array(DIGEST_BUCKETS * 2);
  readonly #page = new Lanes();
  #rowsOfPage = 0;

  /** Returns the number of each row. Values must be whole: only the available part of a preview would count. */
  add(rows: PackedRows): Float64Array {
    const hashes = new Float64Array(rows.rowCount);
    const words = new Uint32Array(rows.slots);
    for (let row = 0, cell = 0; row < rows.rowCount; row++) {
      this.#lane1 = this.#lane2 = rows.columnCount;
      for (const end = cell + rows.columnCount; cell < end; cell++) this.#addCell(rows, words, cell);
      const hash = fold(this.#lane1, this.#lane2);
      hashes[row] = hash;
      this.#count(hash);
    }
    return hashes;
  }

  finish(): ResultDigest {
    this.#endPage();
    return { pages: Float64Array.from(this.#pages), buckets: this.#buckets };
  }

  #addCell({ types, heap }: PackedRows, words: Uint32Array, cell: number): void {
    const type = types[cell]!;
    this.#mix(type);
    if (type === CellType.null) return;
    const [low, high] = [words[cell * 2]!, words[cell * 2 + 1]!];
    if (type < CellType.text) {
      this.#mix(low);
      this.#mix(high);
    } else this.#addBytes(heap, low, high);
  }

  #addBytes(heap: Uint8Array, from: number, length: number): void {
    this.#mix(length);
    const end = from + length;
    let at = from;
    for (; at + 4 <= end; at += 4)
      this.#mix(heap[at]! | (heap[at + 1]! << 8) | (heap[at + 2]! << 16) | (heap[at + 3]! << 24));
    let rest = 0;
    for (; at < end; at++) rest = (rest << 8) | heap[at]!;
    this.#mix(rest);
  }

  #mix(word: number): void {
    this.#lane1 = mixed(this.#lane1, word, A, B);
    this.#lane2 = mixed(this.#lane2, word, B, A);
  }

  #count(hash: number): void {
    const bucket = bucketOf(hash) * 2;
    const high = Math.floor(hash / 2 ** 32);
    this.#buckets[bucket] = this.#buckets[bucket]! + (hash >>> 0);
    this.#buckets[bucket + 1] = this.#buckets[bucket + 1]! + high;
    this.#page.add(hash >>> 0);
    this.#page.add(high);
    if (++this.#rowsOfPage === DIGEST_PAGE_ROWS) this.#endPage();
  }

  #endPage(): void {
    if (this.#rowsOfPage === 0) return;
    this.#pages.push(this.#page.take());
    this.#rowsOfPage = 0;
  }
}

class Lanes {
  #lane1 = 0;
  #lane2 = 0;

  add(word: number): void {
    this.#lane1 = mixed(this.#lane1, word, A, B);
    this.#lane2 = mixed(this.#lane2, word, B, A);
  }

  take(): number {
    const number = fold(this.#lane1, this.#lane2);
    this.#lane1 = this.#lane2 = 0;
    return number;
  }
}

function mixed(lane: number, word: number, first: number, second: number): number {
  let part = Math.imul(word, first);
  part = Math.imul((part << 15) | (part >>> 17), second);
  const next = lane ^ part;
  return (Math.imul((next << 13) | (next >>> 19), 5) + 0xe6546b64) | 0;
}

function finished(lane: number): number {
  let part = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  part = Math.imul(part ^ (part >>> 13), 0xc2b2ae35);
  return (part ^ (part >>> 16)) >>> 0;
}

/** 53 bits: a safe integer. */
function fold(lane1: number, lane2: number): number {
  const second = finished(lane2 + finished(lane1));
  return finished(lane1 ^ second) * 2 ** 21 + (second >>> 11);
}

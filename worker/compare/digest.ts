// Numbers that represent rows, and a digest of a whole result: the same code for both engines, over the same packed rows.
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { bucketOf, DIGEST_BUCKETS, DIGEST_PAGE_ROWS } from '#shared/protocol/compare.ts';
import type { ResultDigest } from '#shared/protocol/compare.ts';

// Murmur3's constants (public domain): two lanes that never see each other's state until the end.
const A = 0xcc9e2d51;
const B = 0x1b873593;

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

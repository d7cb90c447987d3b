// The rows of a compared result, each with a number that represents all of its values.
import { DIGEST_PAGE_ROWS, bucketOf } from '#shared/protocol/compare.ts';
import type { FoundRows, ResultDigest } from '#shared/protocol/compare.ts';
import { fail } from '#shared/protocol/errors.ts';
import { CellType } from '#shared/packed-rows/format.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { Spool, SPOOL_LIMITS } from '../readers/spool.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { Reader, ReaderHost, ReaderLayout } from '../readers/reader.ts';
import { Digester } from './digest.ts';

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

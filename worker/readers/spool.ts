// The rows of a result as packed chunks: in memory up to a budget, beyond it in a temporary file. Any row is found without a scan.
import { AppError } from '#shared/protocol/errors.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { MEMORY_BUDGET } from '../engines/memory-budget.ts';
import { chunkAt } from '#shared/binary-search.ts';
import { spoolStorage, type SpoolFile } from './spool-storage.ts';
import type { CellValue } from './reader.ts';

const MB = 1024 * 1024;

export const SPOOL_LIMITS = {
  /** Longer values are cut: enough for an editor, but a column of pictures does not fill the disk. */
  valueBytes: 64 * 1024,
  chunkRows: 256,
  chunkBytes: 64 * 1024,
  memoryBytes: 64 * MB,
  /** Limit for all spools together. */
  totalMemoryBytes: MEMORY_BUDGET.results,
} as const;

interface Chunk {
  readonly start: number;
  readonly rowCount: number;
  /** Packed in memory, or written to the file. */
  readonly storage: PackedRowsReader | { readonly offset: number; readonly heapBytes: number };
}

let totalMemory = 0;

export class Spool {
  readonly columnCount: number;
  readonly #memoryLimit: number;
  readonly #chunks: Chunk[] = [];
  #rowCount = 0;
  #memory = 0;
  #file: SpoolFile | null = null;
  #fileBytes = 0;
  #disposed = false;
  /** The chunk last read from the file, because consecutive pages share chunks. */
  #fetched: { readonly chunk: Chunk; readonly cells: PackedRowsReader } | null = null;

  constructor(columnCount: number, memoryLimit: number = SPOOL_LIMITS.memoryBytes) {
    this.columnCount = columnCount;
    this.#memoryLimit = memoryLimit;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** True once its rows have been freed. */
  get disposed(): boolean {
    return this.#disposed;
  }

  append(rows: PackedRows): void {
    // The run that fills a disposed spool notices that only at its next pause; rows it appends until then would never be freed.
    if (rows.rowCount === 0 || this.#disposed) return;
    const bytes = rows.types.length + rows.slots.byteLength + rows.heap.length;
    const start = this.#rowCount;
    const fits = this.#memory + bytes <= this.#memoryLimit && totalMemory + bytes <= SPOOL_LIMITS.totalMemoryBytes;
    if (fits && !this.#file) {
      this.#memory += bytes;
      totalMemory += bytes;
      this.#chunks.push({ start, rowCount: rows.rowCount, storage: new PackedRowsReader(rows) });
    } else {
      this.#chunks.push({ start, rowCount: rows.rowCount, storage: this.#writeOut(rows, bytes) });
    }
    this.#rowCount += rows.rowCount;
  }

  /** Reads rows from `start` on as a page, with long values cut to previews. */
  read(start: number, count: number, maxBytes: number): PackedRows {
    const end = Math.min(start + count, this.#rowCount);
    const writer = new PackedRowsWriter(this.columnCount, { expectedRows: Math.max(1, end - start) });
    for (let row = start; row < end && writer.sizeBytes < maxBytes;) {
      const chunk = this.#chunkOf(row);
      const cells = this.#cells(chunk);
      const last = Math.min(end, chunk.start + chunk.rowCount);
      for (; row < last; row++) {
        for (let column = 0; column < this.columnCount; column++) writer.copy(cells, row - chunk.start, column);
      }
    }
    return writer.finish();
  }

  /** The chunk that contains `row`, with values up to `SPOOL_LIMITS.valueBytes`; `start` is the position of its first row. */
  chunkWith(row: number): { readonly start: number; readonly rows: PackedRows } {
    const chunk = this.#chunkOf(row);
    return { start: chunk.start, rows: this.#cells(chunk).rows };
  }

  /** The packed rows that a row is kept in; the same object for its neighbors as long as they are in memory. */
  place(position: number): { readonly rows: PackedRows; readonly row: number } {
    const chunk = this.#chunkOf(position);
    return { rows: this.#cells(chunk).rows, row: position - chunk.start };
  }

  cell(position: number, column: number): CellValue {
    const chunk = this.#chunkOf(position);
    const cells = this.#cells(chunk);
    const row = position - chunk.start;
    return {
      value: cells.value(row, column),
      storageClass: cells.storageClass(row, column),
      sizeBytes: cells.sizeBytes(row, column),
    };
  }

  dispose(): void {
    this.#disposed = true;
    totalMemory -= this.#memory;
    this.#memory = 0;
    this.#chunks.length = 0;
    this.#rowCount = 0;
    this.#fetched = null;
    this.#file?.discard();
    this.#file = null;
  }

  #chunkOf(row: number): Chunk {
    return this.#chunks[chunkAt(this.#chunks, row)]!;
  }

  #cells(chunk: Chunk): PackedRowsReader {
    if (chunk.storage instanceof PackedRowsReader) return chunk.storage;
    if (this.#fetched?.chunk !== chunk) this.#fetched = { chunk, cells: this.#readBack(chunk, chunk.storage) };
    return this.#fetched.cells;
  }

  #writeOut(rows: PackedRows, bytes: number): { offset: number; heapBytes: number } {
    this.#file ??= spoolStorage().take();
    if (!this.#file) throw full();
    const image = new Uint8Array(bytes);
    image.set(new Uint8Array(rows.slots), 0);
    image.set(rows.types, rows.slots.byteLength);
    image.set(rows.heap, rows.slots.byteLength + rows.types.length);
    const offset = this.#fileBytes;
    try {
      this.#file.write(image, offset);
    } catch {
      throw full();
    }
    this.#fileBytes += bytes;
    return { offset, heapBytes: rows.heap.length };
  }

  #readBack(chunk: Chunk, storage: { offset: number; heapBytes: number }): PackedRowsReader {
    const cellCount = chunk.rowCount * this.columnCount;
    const image = new Uint8Array(cellCount * 9 + storage.heapBytes);
    this.#file!.read(image, storage.offset);
    return new PackedRowsReader({
      rowCount: chunk.rowCount,
      columnCount: this.columnCount,
      slots: image.slice(0, cellCount * 8).buffer,
      types: image.subarray(cellCount * 8, cellCount * 9),
      heap: image.subarray(cellCount * 9),
    });
  }
}

function full(): AppError {
  return AppError.full(
    'There is not enough space for the rest of this result: memory and temporary disk space are used up. Close other results or request fewer rows.',
  );
}

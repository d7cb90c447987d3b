// The rows of a result as they are shown: the rows of a spool, all or some, in their own or another order.
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import type { CellValue } from '../reader.ts';
import { SPOOL_LIMITS, type Spool } from '../spool.ts';

/** Rows by position, as a spool has them. */
export type KeptRows = Pick<Spool, 'columnCount' | 'rowCount' | 'disposed' | 'read' | 'chunkWith' | 'cell' | 'place'>;

export class ArrangedRows implements KeptRows {
  readonly #spool: Spool;
  readonly #positions: Uint32Array;

  /** @param positions of the shown rows in `spool` */
  constructor(spool: Spool, positions: Uint32Array) {
    this.#spool = spool;
    this.#positions = positions;
  }

  get columnCount(): number {
    return this.#spool.columnCount;
  }

  get disposed(): boolean {
    return this.#spool.disposed;
  }

  /** 0 when a live result has run again and the rows of its former run are gone. */
  get rowCount(): number {
    return this.#spool.disposed ? 0 : this.#positions.length;
  }

  read(start: number, count: number, maxBytes: number): PackedRows {
    return this.#gather(start, count, maxBytes, {});
  }

  chunkWith(row: number): { readonly start: number; readonly rows: PackedRows } {
    const { chunkRows, chunkBytes, valueBytes } = SPOOL_LIMITS;
    return { start: row, rows: this.#gather(row, chunkRows, chunkBytes, { previewBytes: valueBytes }) };
  }

  place(position: number): { readonly rows: PackedRows; readonly row: number } {
    return this.#spool.place(this.#positions[position]!);
  }

  cell(position: number, column: number): CellValue {
    return this.#spool.cell(this.#positions[position]!, column);
  }

  #gather(start: number, count: number, maxBytes: number, options: { readonly previewBytes?: number }): PackedRows {
    const end = Math.min(start + count, this.rowCount);
    const writer = new PackedRowsWriter(this.columnCount, { expectedRows: Math.max(1, end - start), ...options });
    for (let position = start; position < end && writer.sizeBytes < maxBytes; position++) {
      const row = this.#positions[position]!;
      const chunk = this.#spool.chunkWith(row);
      const cells = new PackedRowsReader(chunk.rows);
      for (let column = 0; column < this.columnCount; column++) writer.copy(cells, row - chunk.start, column);
    }
    return writer.finish();
  }
}

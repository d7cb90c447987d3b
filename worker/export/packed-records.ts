// Converts rows of one database to records for another: numbers with all digits, texts and blobs as unchanged bytes.
import { CellType } from '#shared/packed-rows/format.ts';
import { realText } from './byte-writer.ts';
import type { Cells } from './cells.ts';
import type { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';

/** @param firstRow number of the first row, from 1 */
export function addRecords(cells: Cells, firstRow: number, batch: BatchWriter): void {
  for (let row = 0, cell = 0; row < cells.rowCount; row++) {
    batch.begin(firstRow + row);
    for (let column = 0; column < cells.columnCount; column++, cell++) addField(cells, cell, batch);
    batch.end();
  }
}

/** Adds to the record that was begun. */
export function addField(cells: Cells, cell: number, batch: BatchWriter): void {
  switch (cells.types[cell]) {
    case CellType.null:
      return batch.bare(FIELD.null);
    case CellType.integer:
      return batch.text(FIELD.number, String(cells.float(cell)));
    case CellType.bigInteger:
      return batch.text(FIELD.number, String(cells.bigint(cell)));
    case CellType.real:
      return batch.text(FIELD.number, realText(cells.float(cell)));
    default: {
      const start = cells.start(cell);
      const kind = cells.types[cell] === CellType.text ? FIELD.quoted : FIELD.blob;
      return batch.field(kind, cells.heap, start, start + cells.length(cell));
    }
  }
}

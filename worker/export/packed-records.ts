// Rows of one database as records for another: numbers by all their digits, texts and blobs as the bytes they are.
import { CellType } from '#shared/packed-rows/format.ts';
import { realText } from './byte-writer.ts';
import type { Cells } from './cells.ts';
import type { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';

/** @param firstRow number of the first one, from 1 on */
export function addRecords(cells: Cells, firstRow: number, batch: BatchWriter): void {
  for (let row = 0, cell = 0; row < cells.rowCount; row++) {
    batch.begin(firstRow + row);
    for (let column = 0; column < cells.columnCount; column++, cell++) addField(cells, cell, batch);
    batch.end();
  }
}

/** Of the record that was begun. */
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

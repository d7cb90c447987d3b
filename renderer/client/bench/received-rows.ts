// What the window does with rows that arrive: what a screen needs at once, or every value, to compare them.
import type { DeliveredChunk } from '#shared/bench/protocol.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';

/** A screen full. */
const VISIBLE_ROWS = 50;

/** Decodes what would be painted first. Answers its characters, so that nothing of it is left out. */
export function showFirstRows(chunk: DeliveredChunk): number {
  let characters = 0;
  if (chunk.form === 'packed') {
    const reader = new PackedRowsReader(chunk.rows);
    const rows = Math.min(VISIBLE_ROWS, chunk.rows.rowCount);
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < chunk.rows.columnCount; column++) characters += reader.text(row, column).length;
    }
    return characters;
  }
  const rows = chunk.form === 'objects' ? chunk.rows : parse(chunk.text);
  for (const row of rows.slice(0, VISIBLE_ROWS))
    for (const value of Object.values(row)) characters += String(value).length;
  return characters;
}

export function sinkRows(chunk: DeliveredChunk, sink: RowSink): void {
  if (chunk.form === 'packed') {
    const reader = new PackedRowsReader(chunk.rows);
    for (let row = 0; row < chunk.rows.rowCount; row++) {
      for (let column = 0; column < chunk.rows.columnCount; column++) sink.value(reader.value(row, column));
      sink.endRow();
    }
    return;
  }
  for (const row of chunk.form === 'objects' ? chunk.rows : parse(chunk.text)) {
    for (const value of Object.values(row)) sink.value(value);
    sink.endRow();
  }
}

const parse = (text: string): readonly object[] => JSON.parse(text) as readonly object[];

// Reads the rows that arrive in the window: as much as a screen needs at once, or every value, to compare them.
import type { DeliveredChunk } from '#shared/bench/protocol.ts';
import type { RowSink } from '#shared/bench/sink.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';

/** Rows on one screen. */
const VISIBLE_ROWS = 50;

/** Decodes the rows that would be painted first. Returns their characters, so that no decoding is skipped. */
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

/** How long the window may be busy before it has to paint. */
const SLICE_MS = 12;
const ROWS_BETWEEN_LOOKS = 200;

/** Not timed, so it can pause: thousands of rows at once would block the window. */
export async function sinkRows(chunk: DeliveredChunk, sink: RowSink): Promise<void> {
  const take = chunk.form === 'packed' ? packedInto(chunk.rows, sink) : objectsInto(chunk, sink);
  const rowCount =
    chunk.form === 'packed' ? chunk.rows.rowCount : chunk.form === 'objects' ? chunk.rows.length : Infinity;
  let until = performance.now() + SLICE_MS;
  for (let row = 0; row < rowCount && take(row); row++) {
    if (row % ROWS_BETWEEN_LOOKS !== 0 || performance.now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = performance.now() + SLICE_MS;
  }
}

function packedInto(rows: PackedRows, sink: RowSink): (row: number) => boolean {
  const reader = new PackedRowsReader(rows);
  return (row) => {
    for (let column = 0; column < rows.columnCount; column++) {
      // A text that is not UTF-8 is the same text on all engines.
      const isText = reader.storageClass(row, column) === 'text';
      sink.value(isText ? reader.text(row, column) : reader.value(row, column));
    }
    sink.endRow();
    return true;
  };
}

function objectsInto(
  chunk: Exclude<DeliveredChunk, { readonly form: 'packed' }>,
  sink: RowSink,
): (row: number) => boolean {
  const rows = chunk.form === 'objects' ? chunk.rows : parse(chunk.text);
  return (row) => {
    if (row >= rows.length) return false;
    for (const value of Object.values(rows[row]!)) sink.value(value);
    sink.endRow();
    return true;
  };
}

const parse = (text: string): readonly object[] => JSON.parse(text) as readonly object[];

// Walks all kept rows of a result, in slices, with progress and Stop.
import { AppError } from '#shared/protocol/errors.ts';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import type { KeptRows } from './arrange/arranged-rows.ts';
import { sliceEnd } from './slice.ts';

/**
 * @param take gets some rows, of which the first is row `start` of all
 * @throws AppError `stopped`; `not-found` when the rows were freed in the meantime
 */
export function* walkRows(
  turn: Turn,
  rows: KeptRows,
  phase: string,
  take: (cells: PackedRowsReader, start: number) => void,
): Generator<Pause, void> {
  const total = rows.rowCount;
  let row = 0;
  turn.measureBy(() => ({ phase, done: row, total, unit: 'rows' }));
  try {
    for (let end = sliceEnd(turn); row < total;) {
      const chunk = rows.chunkWith(row);
      take(new PackedRowsReader(chunk.rows), chunk.start);
      row = chunk.start + chunk.rows.rowCount;
      if (performance.now() < end) continue;
      if (turn.stopRequested) throw AppError.stopped('Stopped. Nothing was changed.');
      yield 'between';
      if (rows.disposed) throw AppError.notFound('These rows are no longer kept.');
      end = sliceEnd(turn);
    }
  } finally {
    turn.measureBy(null);
  }
}

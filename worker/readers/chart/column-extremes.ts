// The least and the greatest number of a column, among all rows of a result.
import type { ColumnExtremes } from '#shared/protocol/chart.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Pause, Turn } from '../../sessions/session.ts';
import type { KeptRows } from '../arrange/arranged-rows.ts';
import { walkRows } from '../walk-rows.ts';

/** Integers beyond 2^53 that round to one double count as equal. @throws AppError `invalid`, `stopped`, `not-found` */
export function* columnExtremes(turn: Turn, rows: KeptRows, column: number): Generator<Pause, ColumnExtremes> {
  if (!Number.isInteger(column) || column < 0 || column >= rows.columnCount)
    throw AppError.invalid('The result has no such column.');
  let [low, high] = [Infinity, -Infinity];
  let [least, greatest]: Value[] = [null, null];
  yield* walkRows(turn, rows, 'Reading', (cells) => {
    for (let row = 0; row < cells.rows.rowCount; row++) {
      const storageClass = cells.storageClass(row, column);
      if (storageClass !== 'integer' && storageClass !== 'real') continue;
      const number = cells.number(row, column);
      if (least === null || number < low) [low, least] = [number, cells.value(row, column)];
      if (greatest === null || number > high) [high, greatest] = [number, cells.value(row, column)];
    }
  });
  return { least: least ?? null, greatest: greatest ?? null };
}

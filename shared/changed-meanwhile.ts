// The conflict between an edit and a value that someone else has stored since the person saw the cell.
import { AppError } from './protocol/errors.ts';
import type { Value } from './protocol/values.ts';
import { valueLabel } from './value-label.ts';

/** @param now what the cell holds; a person is asked whether to replace it */
export function changedMeanwhile(column: string, now: Value): AppError {
  const words = valueLabel(now);
  return AppError.conflict(
    `“${column}” was changed to ${words} in the meantime. Your text is kept but not saved yet. Choose which of the two to keep.`,
    { detail: { column, current: words } },
  );
}

/** Returns `now` if the person was told about it. @throws AppError `conflict` if it was changed once more */
export function asTold(told: AppError, column: string, now: Value): Value {
  if (told.detail?.['current'] !== valueLabel(now)) throw changedMeanwhile(column, now);
  return now;
}

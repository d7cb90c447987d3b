// The conflict between an edit and a value that someone else has stored since the person saw the cell.
import { AppError } from './protocol/errors.ts';
import type { Value } from './protocol/values.ts';
import { formatReal } from './packed-rows/reader.ts';
import { isRawText, isReal } from './protocol/values.ts';

/** @param now what the cell holds; a person is asked whether to replace it */
export function changedMeanwhile(column: string, now: Value): AppError {
  const words = valueLabel(now);
  return new AppError({
    code: 'conflict',
    message: `“${column}” was changed to ${words} in the meantime. Your text is kept but not saved yet. Choose which of the two to keep.`,
    detail: { column, current: words },
  });
}

/** Returns `now` if the person was told about it. @throws AppError `conflict` if it was changed once more */
export function asTold(told: AppError, column: string, now: Value): Value {
  if (told.detail?.['current'] !== valueLabel(now)) throw changedMeanwhile(column, now);
  return now;
}

const SHOWN = 80;

/** A value inside a sentence for a person: short, and never to be mistaken for another. */
function valueLabel(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `“${value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value}”`;
  if (isReal(value)) return formatReal(value.real);
  if (isRawText(value)) return `a text of ${value.textBytes.length} bytes that is not UTF-8`;
  if (value instanceof Uint8Array) return `a blob of ${value.length} bytes`;
  return typeof value === 'number' && !Number.isInteger(value) ? formatReal(value) : String(value);
}

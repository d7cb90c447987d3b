// The text on the clipboard with its rows as columns.
import { AppError, type ImportOptions } from '#shared/protocol/index.ts';
import { formatCount } from '../../../ui/format.ts';
import { transposed } from '../../../grid/input/text-block.ts';

/** SQLite's default limit of columns (sqlite.org/limits.html). */
const MAX_COLUMNS = 2000;

/** Rows of JSON have names, which are not cells; a text without a delimiter has one column. */
export const canTranspose = ({ format, delimiter }: ImportOptions): boolean => format === 'csv' && delimiter !== '';

/** @throws AppError `too-big` if a table cannot have that many columns */
export function transposedText(text: string, { delimiter, quote }: ImportOptions): string {
  const turned = transposed(text, { delimiter, quote }, MAX_COLUMNS);
  if (turned !== null) return turned;
  throw AppError.tooBig(
    `Text with more than ${formatCount(MAX_COLUMNS)} rows cannot be transposed, because a table has at most ${formatCount(MAX_COLUMNS)} columns.`,
  );
}

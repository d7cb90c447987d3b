// Validates the options of a page or a command line, because with invalid ones the file could not be read again.
import { AppError } from '#shared/protocol/errors.ts';
import { BLOB_FORMS } from '#shared/protocol/export.ts';
import type { ExportOptions } from '#shared/protocol/export.ts';

const MAX_TEXT = 200;

/** @throws AppError `invalid` */
export function checkOptions(options: ExportOptions): ExportOptions {
  const { delimiter, nullText, tableName, blobs } = options;
  if (Array.from(delimiter).length !== 1 || /["\r\n\0]/.test(delimiter))
    throw invalid('The delimiter must be one character that is neither a quote nor a line ending.');
  if (nullText.length > MAX_TEXT || /["\r\n\0]/.test(nullText) || nullText.includes(delimiter))
    throw invalid('The text for NULL must be short and must not contain quotes, line endings, or the delimiter.');
  if (tableName.length > MAX_TEXT || tableName.includes('\0')) throw invalid('The table name is too long.');
  if (!BLOB_FORMS.includes(blobs)) throw invalid('BLOBs can be written as hexadecimal text, as Base64, or as files.');
  return options;
}

const invalid = (message: string): AppError => AppError.invalid(`${message} Nothing was written.`);

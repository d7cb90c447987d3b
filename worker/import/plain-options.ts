// The options of formats without lines and delimiters: options that do not apply have a neutral value.
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';
import { AppError } from '#shared/protocol/errors.ts';

export const plainOptions = (format: ImportFormatId, known: Partial<ImportOptions> = {}): ImportOptions => ({
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '',
  skipsBlanks: false,
  hasHeader: false,
  skipLines: 0,
  comment: '',
  decimalComma: false,
  nullTokens: [],
  part: null,
  ...known,
  format,
});

export function noRecords(): never {
  throw AppError.unavailable('This file has tables, which are chosen by name. Import it in its own tab.');
}

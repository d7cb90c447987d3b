// The options of formats without lines and delimiters: options that do not apply have a neutral value.
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { ImportOptions } from '#shared/protocol/import.ts';

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

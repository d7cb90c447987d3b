// The options of formats that are not made of lines and delimiters: what does not concern them has the value that does nothing.
import type { ImportFormatId, ImportOptions } from '#shared/protocol/import.ts';

export const plainOptions = (format: ImportFormatId, known: Partial<ImportOptions> = {}): ImportOptions => ({
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  hasHeader: false,
  skipLines: 0,
  comment: '',
  decimalComma: false,
  nullTokens: [],
  part: null,
  ...known,
  format,
});

// The format and options that were used last, for the next export in any window.
import * as v from 'valibot';
import { BLOB_FORMS, DEFAULT_EXPORT_OPTIONS } from '#shared/protocol/index.ts';
import type { ExportOptions } from '#shared/protocol/index.ts';
import { flag, forgiving, oneOf } from '#shared/stored.ts';
import { remember, remembered } from '../../state/remembered.ts';

const KEY = 'sidelite.export';
const { header, delimiter, nullText, bom, formulaGuard, excelDates, ddl } = DEFAULT_EXPORT_OPTIONS;

const STORED = forgiving({
  format: v.fallback(v.string(), 'csv'),
  header: flag(header),
  delimiter: v.fallback(v.string(), delimiter),
  nullText: v.fallback(v.string(), nullText),
  lineEnding: oneOf(['lf', 'crlf'], 'lf'),
  bom: flag(bom),
  decimal: oneOf(['.', ','], '.'),
  blobs: oneOf(BLOB_FORMS, 'hex'),
  formulaGuard: flag(formulaGuard),
  excelDates: flag(excelDates),
  ddl: flag(ddl),
});

export interface ExportSettings {
  readonly format: string;
  readonly options: ExportOptions;
}

export function rememberedSettings(): ExportSettings {
  const { format, ...options } = v.parse(STORED, remembered(KEY));
  // The name of a table belongs to the data, not to the settings, and a stable dump is for the command line.
  return { format, options: { ...options, stable: false, tableName: '' } };
}

export function rememberSettings({ format, options }: ExportSettings): void {
  const { tableName: _ofThisExport, stable: _ofCommands, ...kept } = options;
  // If there is no room to store them, the next export begins with the defaults.
  remember(KEY, { format, ...kept });
}

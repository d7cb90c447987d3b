// Every format that can be imported.
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportFormatId } from '#shared/import-formats.ts';
import { csvFormat } from './formats/csv.ts';
import { jsonFormat } from './formats/json.ts';
import { ndjsonFormat } from './formats/ndjson.ts';
import { parquetFormat } from './formats/parquet.ts';
import { sqlFormat } from './formats/sql.ts';
import { sqliteFormat } from './formats/sqlite.ts';
import { xlsxFormat } from './formats/xlsx.ts';
import type { ImportFormat } from './import-format.ts';

export const IMPORT_FORMATS: readonly ImportFormat[] = [
  csvFormat,
  jsonFormat,
  ndjsonFormat,
  xlsxFormat,
  parquetFormat,
  sqlFormat,
  sqliteFormat,
];

/** @throws AppError `unavailable` */
export function formatOf(id: ImportFormatId): ImportFormat {
  const format = IMPORT_FORMATS.find((candidate) => candidate.id === id);
  if (format) return format;
  throw AppError.unavailable(`Files of the format “${id}” cannot be imported yet.`);
}

// Every format that rows can be written in, in the order of the menus.
import { AppError } from '#shared/protocol/errors.ts';
import type { ExportFormat } from '../format.ts';
import { CSV, TSV } from './csv.ts';
import { DUMP } from './dump.ts';
import { HTML } from './html.ts';
import { IN_LIST } from './in-list.ts';
import { JSON_ROWS, NDJSON } from './json.ts';
import { MARKDOWN } from './markdown.ts';
import { SQL } from './sql.ts';
import { SQLITE } from './sqlite.ts';
import { UPDATE } from './update.ts';
import { XLSX } from './xlsx.ts';

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  CSV,
  TSV,
  JSON_ROWS,
  NDJSON,
  XLSX,
  MARKDOWN,
  HTML,
  SQL,
  DUMP,
  SQLITE,
  UPDATE,
  IN_LIST,
];

/** @throws AppError `invalid` */
export function formatOf(id: string): ExportFormat {
  const format = EXPORT_FORMATS.find(({ info }) => info.id === id);
  if (format) return format;
  throw AppError.invalid(`There is no export format “${id}”. Nothing was written.`);
}

// Says where the name of a file and its content disagree, and what a file is that holds no rows.
import { NAMED_IMPORT_FORMATS } from '#shared/import-formats.ts';
import type { ImportFormatId } from '#shared/import-formats.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Evidence } from '#shared/protocol/import.ts';
import type { FileSample } from './import-format.ts';

const ascii = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
const SAVE_AS_XLSX = 'Open it in Excel or LibreOffice, save it as .xlsx, and import that.';
const SAVE_ANEW = 'Save what is in it as Parquet or CSV and import that.';

/** What a file with these first bytes is, and what the user can do. */
const OTHERS: readonly (readonly [bytes: readonly number[], what: string, advice: string])[] = [
  [[0x1f, 0x8b, 0x08], 'compressed with gzip', 'Unpack it and import what is in it.'],
  [[0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26], 'compressed with bzip2', 'Unpack it and import what is in it.'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'compressed with xz', 'Unpack it and import what is in it.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'compressed with zstd', 'Unpack it and import what is in it.'],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'a 7-Zip archive', 'Unpack it and import what is in it.'],
  [[0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], 'a RAR archive', 'Unpack it and import what is in it.'],
  [[...ascii('ARROW1'), 0, 0], 'an Arrow file', SAVE_ANEW],
  [[...ascii('FEA1')], 'a Feather file', SAVE_ANEW],
  [[...ascii('ORC'), 0x08], 'an ORC file', SAVE_ANEW],
  [[...ascii('Obj'), 0x01], 'an Avro file', SAVE_ANEW],
  [[0, 1, 0, 0, ...ascii('Standard Jet DB')], 'a database of Access', SAVE_ANEW],
  [[0, 1, 0, 0, ...ascii('Standard ACE DB')], 'a database of Access', SAVE_ANEW],
  // Excel 97 and later keep the same bytes in an OLE file, which the reader of workbooks names.
  [[0x09, 0x08, 0x10, 0x00, 0x00, 0x06], 'an Excel 97–2003 workbook (.xls)', SAVE_AS_XLSX],
  [[0x09, 0x08, 0x08, 0x00, 0x00, 0x05], 'an Excel 5.0/95 workbook (.xls)', SAVE_AS_XLSX],
  [[0x09, 0x04, 0x06, 0x00], 'an Excel 4.0 worksheet (.xls)', SAVE_AS_XLSX],
  [[0x09, 0x02, 0x06, 0x00], 'an Excel 3.0 worksheet (.xls)', SAVE_AS_XLSX],
  [[0x09, 0x00, 0x04, 0x00], 'an Excel 2.0 worksheet (.xls)', SAVE_AS_XLSX],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], 'a PDF document', 'Sidelite cannot read the tables in it.'],
];

/** @throws AppError `invalid` for a file that is known to hold no rows, whatever its name is */
export function assertMayHoldRows({ fileName, bytes }: FileSample): void {
  const other = OTHERS.find(([signature]) => signature.every((byte, at) => bytes[at] === byte));
  if (!other) return;
  const [, what, advice] = other;
  throw AppError.invalid(`“${fileName}” is ${what}. Nothing was changed. ${advice}`);
}

const MORE_EXTENSIONS: Readonly<Record<string, ImportFormatId>> = {
  ...{ xls: 'xlsx', xlsm: 'xlsx', xltx: 'xlsx', xltm: 'xlsx', xlsb: 'xlsx', ods: 'xlsx' },
  ...{ geojson: 'json', ldjson: 'ndjson' },
};

/** Null for a name that promises nothing: .txt may hold any text. */
function formatOfName(extension: string): ImportFormatId | null {
  if (extension === 'txt') return null;
  const named = NAMED_IMPORT_FORMATS.find(({ extensions }) => (extensions as readonly string[]).includes(extension));
  return named?.id ?? MORE_EXTENSIONS[extension] ?? null;
}

const CONTENTS: Readonly<Record<ImportFormatId, string>> = {
  csv: 'contains text',
  json: 'contains JSON',
  ndjson: 'contains JSON in lines',
  xlsx: 'is an Excel workbook',
  parquet: 'is a Parquet file',
  sql: 'contains SQL',
  sqlite: 'is a SQLite database',
};

/** Null where the name says what the content is, or says nothing. */
export function nameEvidence({ fileName, bytes }: FileSample, format: ImportFormatId): Evidence | null {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const named = formatOfName(extension);
  if (format === 'csv' && (named === null || named === format) && isMarkup(bytes))
    return unexpected('The file contains HTML or XML, of which each line is read as text.');
  if (named === null || named === format || bytes.length === 0) return null;
  // Either name is used for either.
  if (named === 'json' && format === 'ndjson') return null;
  const content = format === 'csv' && isMarkup(bytes) ? 'contains HTML or XML' : CONTENTS[format];
  const how = format === 'csv' ? ', so it is read as CSV' : '';
  return unexpected(`The file is named .${extension} but ${content}${how}.`);
}

const unexpected = (reason: string): Evidence => ({ option: 'format', reason, isUnexpected: true });

/** Web pages are saved under the names of workbooks so that Excel opens them. */
const isMarkup = (bytes: Uint8Array): boolean =>
  /^\s*<(?:!doctype|html|head|table|meta|\?xml|!--)/i.test(new TextDecoder().decode(bytes.subarray(0, 512)));

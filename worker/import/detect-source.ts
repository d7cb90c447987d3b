// Detects from the beginning of a file its format, how to read it, and the names of its columns.
import { AppError } from '#shared/protocol/errors.ts';
import { type ImportFormatId, NAMED_IMPORT_FORMATS } from '#shared/import-formats.ts';
import type { DetectedSource, ImportOptions, ImportSource, Evidence } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import type { ByteSource } from '../records/record-batch.ts';
import { openBytes } from './byte-sources.ts';
import { formatOf, IMPORT_FORMATS } from './formats.ts';
import { SUREST_TEXT } from './formats/csv.ts';
import type { Detected, FileSample, ImportFormat } from './import-format.ts';

const SAMPLE_BYTES = 64 * 1024;
/** Sample size for a file whose lines are so long that the usual sample has too few to tell a header from rows. */
const LARGE_SAMPLE_BYTES = 1024 * 1024;
const FEWEST_LINES = 20;
const LINE_FEED = 10;

/**
 * @param given options the user has chosen; the others are detected again, because they follow from these
 * @throws AppError `invalid` for a file of no known format, `not-found`, `io`
 */
export async function detectSource(
  files: FileClient,
  source: ImportSource,
  given: Partial<ImportOptions>,
): Promise<DetectedSource> {
  const bytes = await openBytes(files, source);
  const sample = await sampleOf(bytes);
  if (given.format === undefined) assertMayHoldRows(sample);
  const detected = detect(sample, given);
  assertNotEmpty(bytes, detected.options.format);
  const named = nameEvidence(sample, detected.options.format);
  const options = { ...detected.options, ...given };
  const format = formatOf(options.format);
  const parts = (await format.parts?.(bytes, options)) ?? { names: [], evidence: [] };
  const ofPart = options.part === null && parts.names.length > 0 ? { ...options, part: parts.names[0]! } : options;
  const begun = await format.begin?.(bytes, ofPart, given);
  const chosen = { ...ofPart, ...begun?.options };
  return {
    fileName: bytes.fileName,
    sizeBytes: bytes.sizeBytes,
    options: chosen,
    evidence: [...(named ? [named] : []), ...detected.evidence, ...parts.evidence, ...(begun?.evidence ?? [])].filter(
      ({ option }) => given[option] === undefined,
    ),
    columns: begun?.columns ?? (await columnsOf(format, bytes, chosen)),
    parts: parts.names,
    readings: begun?.readings ?? detected.readings ?? [],
  };
}

async function columnsOf(format: ImportFormat, bytes: ByteSource, options: ImportOptions): Promise<readonly string[]> {
  if (format.holdsTables) return [];
  const reader = await format.read(bytes, options);
  // Some formats know their columns only after they have read something.
  await reader.next();
  return [...reader.columns];
}

/** An empty text has no rows; an empty file of another format is one that was not written to its end. */
function assertNotEmpty({ sizeBytes, fileName }: ByteSource, format: ImportFormatId): void {
  if (sizeBytes > 0 || (format !== 'xlsx' && format !== 'parquet')) return;
  throw AppError.invalid(`“${fileName}” is empty: it has no bytes. Nothing was changed. Download or copy it again.`);
}

async function sampleOf(source: ByteSource): Promise<FileSample> {
  let bytes = await source.read(0, SAMPLE_BYTES);
  if (bytes.length < source.sizeBytes && linesIn(bytes) < FEWEST_LINES)
    bytes = await source.read(0, LARGE_SAMPLE_BYTES);
  return { fileName: source.fileName, bytes, isWhole: bytes.length >= source.sizeBytes };
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
  return lines;
}

function detect(sample: FileSample, given: Partial<ImportOptions>): Detected {
  if (given.format !== undefined) return formatOf(given.format).detect(sample, given);
  // Text is tried with each delimiter, which takes longer than to tell all the other formats.
  const others = new Map(
    IMPORT_FORMATS.filter(({ id }) => id !== 'csv').map((one) => [one.id, one.detect(sample, given)]),
  );
  const isText = [...others.values()].every(({ certainty }) => certainty <= SUREST_TEXT);
  let best: Detected | null = null;
  for (const format of IMPORT_FORMATS) {
    const detected = others.get(format.id) ?? (isText ? format.detect(sample, given) : null);
    if (detected !== null && detected.certainty > (best?.certainty ?? 0)) best = detected;
  }
  if (best) return best;
  const known = IMPORT_FORMATS.map(({ id }) => id.toUpperCase()).join(', ');
  throw AppError.invalid(
    `“${sample.fileName}” is neither text nor a file of another format that can be imported (${known}). Nothing was changed.`,
  );
}

// Says where the name of a file and its content disagree, and what a file is that holds no rows.
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

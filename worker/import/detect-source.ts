// Detects from the beginning of a file its format, how to read it, and the names of its columns.
import { AppError } from '#shared/protocol/errors.ts';
import type { ImportFormatId } from '#shared/import-formats.ts';
import type { DetectedSource, ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../library/files.ts';
import type { ByteSource } from '../records/record-batch.ts';
import { openBytes } from './byte-sources.ts';
import { formatOf, IMPORT_FORMATS } from './formats.ts';
import { SUREST_TEXT } from './formats/csv.ts';
import type { Detected, FileSample, ImportFormat } from './import-format.ts';
import { assertMayHoldRows, nameEvidence } from './name-and-content.ts';

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

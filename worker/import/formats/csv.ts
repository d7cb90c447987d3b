// CSV, TSV, and text with any other delimiter.
import type { ImportOptions } from '#shared/protocol/import.ts';
import { openCsv } from '../csv/csv-reader.ts';
import { detectEncoding } from '../csv/detect-encoding.ts';
import { nearReadings } from '../csv/near-readings.ts';
import { readText } from '../csv/read-text.ts';
import { FOUND_WHILE_READING } from '../csv/utf8-stream.ts';
import { sampleText } from '../csv/sample-records.ts';
import type { Detected, FileSample, ImportFormat } from '../import-format.ts';

/** A magic number or a format that says more of itself is more certain than any text. */
export const SUREST_TEXT = 0.7;
const BY_DELIMITERS = 0.5;
const ANY_TEXT = 0.2;

function detect(sample: FileSample, given: Partial<ImportOptions> = {}): Detected {
  const found = detectEncoding(sample);
  const isOpen = found.isAscii === true && !sample.isWhole;
  const encoding = given.encoding ?? (isOpen ? FOUND_WHILE_READING : found.encoding);
  const text = sampleText(sample.bytes, encoding, sample.isWhole);
  const reading = readText(text, sample.fileName, given);
  const evidence = [
    isOpen
      ? { ...found.evidence, reason: `${found.evidence.reason} What follows is recognized while it is read.` }
      : found.evidence,
    ...reading.evidence,
  ];
  return {
    certainty: found.isBinary ? 0 : certaintyOf(sample, text, reading.certainty),
    options: { format: 'csv', encoding, ...reading.options, part: null },
    evidence,
    readings: nearReadings({ sample, text, encoding, rivals: found.rivals ?? [], given, reading, evidence }),
  };
}

function certaintyOf({ fileName }: FileSample, text: Uint8Array, agreement: number): number {
  if (/\.(csv|tsv|tab|psv)$/i.test(fileName)) return SUREST_TEXT;
  // Text has no NUL bytes; most other files do.
  if (text.subarray(0, 4096).includes(0)) return 0.01;
  return agreement > 0.9 ? BY_DELIMITERS : ANY_TEXT;
}

export const csvFormat: ImportFormat = {
  id: 'csv',
  detect,
  read: (source, options, limits) => openCsv(source, options, { limits }),
};

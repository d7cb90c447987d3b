// The first records of a sample as strings, under one dialect, which detection compares.
import { fieldTexts, firstField } from '../../records/field-texts.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { CsvDialect } from './csv-dialect.ts';
import { CsvScanner } from './csv-scanner.ts';
import { Utf32Decoder, decoderOf } from './utf8-stream.ts';

export interface SampleRecord {
  readonly line: number;
  readonly texts: readonly string[];
  /** Whether each field is quoted. */
  readonly quoted: readonly boolean[];
}

interface SampleRecords {
  readonly records: readonly SampleRecord[];
  readonly problems: number;
}

const MOST = 500;

/** @param bytes UTF-8, ended after a whole line if more follows in the file. */
export function sampleRecords(bytes: Uint8Array, dialect: CsvDialect): SampleRecords {
  const scanner = new CsvScanner(dialect);
  scanner.bytes = new Uint8Array(bytes.length + 1);
  scanner.bytes.set(bytes);
  scanner.filled = bytes.length;
  scanner.isEnd = true;
  scanner.scan(MOST);
  const batch = scanner.batch();
  const records = Array.from({ length: batch.records }, (_, at) => {
    const texts = fieldTexts(batch, at);
    const first = firstField(batch, at);
    const quoted = texts.map((_text, n) => {
      const kind = batch.kinds[first + n];
      return kind === FIELD.quoted || kind === FIELD.quotedEmpty;
    });
    return { line: batch.lines[at]!, texts, quoted };
  });
  return { records, problems: scanner.problems.length };
}

/** The sample as UTF-8 without byte order mark, up to its last line break unless it is the whole file. */
export function sampleText(bytes: Uint8Array, encoding: string, isWhole: boolean): Uint8Array {
  const text = decode(bytes, encoding);
  const last = isWhole ? -1 : Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  return new TextEncoder().encode(last >= 0 ? text.slice(0, last + 1) : text);
}

function decode(bytes: Uint8Array, encoding: string): string {
  const bigEndian = encoding === 'utf-32be';
  if (!bigEndian && encoding !== 'utf-32le') return decoderOf(encoding).decode(bytes);
  return new Utf32Decoder(bigEndian).decode(bytes, { stream: true });
}

const NUMBER = /^[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?$/;
export const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?$/;

export const isData = (text: string): boolean => NUMBER.test(text) || DATE.test(text) || /^(true|false)$/i.test(text);

// Other ways to read a text file that are nearly as likely as the detected one: what sets them apart, why, and some of their rows.
import type { Evidence, FileReading, ImportOptions } from '#shared/protocol/import.ts';
import type { FileSample } from '../import-format.ts';
import { uniqueNames } from './column-names.ts';
import { DELIMITER_NAMES } from './detect-delimiter.ts';
import type { DetectedHeader } from './detect-header.ts';
import { isData, sampleText, type SampleRecord } from './sample-records.ts';
import { isProse, LAST_RESORTS } from './one-column.ts';
import { readText, type TextReading } from './read-text.ts';

/** More than a person compares at a glance. */
const MOST_OTHERS = 2;
const MOST_ROWS = 3;
const MOST_COLUMNS = 6;
const MOST_CHARACTERS = 60;

interface Detection {
  readonly sample: FileSample;
  /** The sample in UTF-8. */
  readonly text: Uint8Array;
  readonly encoding: string;
  /** Encodings that are nearly as likely. */
  readonly rivals: readonly string[];
  /** Options that were chosen: nothing else is near. */
  readonly given: Partial<ImportOptions>;
  readonly reading: TextReading;
  readonly evidence: readonly Evidence[];
}

/** Each follows from one option. */
type Other = { readonly reason: string; readonly reading: TextReading } & Telling;
type Telling =
  | { readonly option: 'delimiter' | 'quote' | 'escape' | 'comment' | 'encoding'; readonly value: string }
  | { readonly option: 'skipLines'; readonly value: number }
  | { readonly option: 'hasHeader'; readonly value: boolean };

/** @returns the detected reading and one or two others; none where it is clear */
export function nearReadings(detection: Detection): readonly FileReading[] {
  const { reading, encoding, evidence, given } = detection;
  const others = [
    ...otherDelimiter(detection),
    ...otherEscape(detection),
    ...apostrophesAsText(detection),
    ...commentsAsRows(detection),
    ...linesAboveAsRows(detection),
    ...otherHeader(detection),
    ...otherEncoding(detection),
  ]
    .filter(({ option }) => given[option] === undefined)
    .slice(0, MOST_OTHERS);
  if (others.length === 0) return [];
  const own = { ...reading.options, encoding };
  const options = [...new Set(others.map(({ option }) => option))];
  const inOther = others.find(({ option }) => option === 'encoding');
  const reasons = evidence.filter(({ option }) => options.some((name) => name === option));
  const lines = inOther ? differentLines(reading, inOther.reading) : null;
  return [
    {
      title: sentence(options.map((option) => titleOf({ option, value: own[option] } as Telling, own))),
      reason: reasons.map(({ reason }) => reason).join(' ') || 'This is the usual reading.',
      options: Object.fromEntries(options.map((option) => [option, own[option]])),
      ...beginningOf(reading.records, reading.options.hasHeader, lines),
    },
    ...others.map((other) => ({
      title: sentence([titleOf(other, own)]),
      reason: other.reason,
      options: { [other.option]: other.value },
      ...beginningOf(other.reading.records, other.reading.options.hasHeader, lines),
    })),
  ];
}

/** Those of a table whose only doubt is its header. @param records of the table */
export function headerReadings(
  records: readonly SampleRecord[],
  { value, evidence, doubt }: DetectedHeader,
): readonly FileReading[] {
  if (doubt === null) return [];
  const reading = (hasHeader: boolean, reason: string): FileReading => ({
    title: sentence([titleOf({ option: 'hasHeader', value: hasHeader }, { comment: '' })]),
    reason,
    options: { hasHeader },
    ...beginningOf(records, hasHeader, null),
  });
  return [reading(value, evidence.map(({ reason }) => reason).join(' ')), reading(!value, doubt)];
}

const reread = ({ text, sample, given }: Detection, change: Partial<ImportOptions>): TextReading =>
  readText(text, sample.fileName, { ...given, ...change });

const otherDelimiter = (detection: Detection): readonly Other[] => {
  const others = splitOtherwise(detection);
  return others.length > 0 ? others : oneColumn(detection);
};

/** Another delimiter is in every line, outside quotes, and not only in numbers, and splits all of them alike. */
function splitOtherwise(detection: Detection): readonly Other[] {
  const { records, options } = detection.reading;
  // Text has no tabs.
  if (records.length < 2 || options.delimiter === '' || options.delimiter === '\t') return [];
  const unquoted = records.map(({ texts, quoted }) => texts.filter((_, at) => !quoted[at]));
  return Object.keys(DELIMITER_NAMES)
    .filter((delimiter) => delimiter !== options.delimiter && !LAST_RESORTS.has(delimiter))
    .filter((delimiter) => unquoted.every((texts) => texts.some((text) => text.includes(delimiter))))
    .filter((delimiter) => unquoted.some((texts) => texts.some((text) => text.includes(delimiter) && !isData(text))))
    .map((delimiter): Other => {
      const reason = `Every line has ${named(delimiter)}, too, and the same number of them.`;
      return { option: 'delimiter', value: delimiter, reason, reading: reread(detection, { delimiter }) };
    })
    .filter(({ reading }) => reading.certainty === 1 && reading.records.length === records.length);
}

/** A delimiter that is once in each line, before a blank, and beside no values, may belong to the text. */
function oneColumn(detection: Detection): readonly Other[] {
  const { records, options } = detection.reading;
  const isText = records.every(({ texts }) => texts.length === 2 && !texts.some((text) => isData(text.trim())));
  if (records.length < 2 || !isText || options.delimiter === '\t' || !isProse(records)) return [];
  const reason = `There is a blank after ${named(options.delimiter)}, as in text.`;
  return [{ option: 'delimiter', value: '', reason, reading: reread(detection, { delimiter: '' }) }];
}

/** Backslashes before delimiters leave lines that agree, whether they are text or not. */
function otherEscape(detection: Detection): readonly Other[] {
  const { text, reading } = detection;
  const { delimiter, escape } = reading.options;
  if (delimiter === '' || !text.includes(BACKSLASH)) return [];
  const sample = new TextDecoder().decode(text);
  if (!sample.includes(`\\${delimiter}`)) return [];
  const value = escape === '' ? '\\' : '';
  const other = reread(detection, { escape: value });
  const isNear = reading.certainty === 1 && other.certainty === 1 && other.options.delimiter === delimiter;
  const reason = `There are backslashes before ${named(delimiter)}.`;
  return isNear ? [{ option: 'escape', value, reason, reading: other }] : [];
}

const BACKSLASH = 92;

/** Apostrophes around whole cells are not needed for what is in them. */
function apostrophesAsText(detection: Detection): readonly Other[] {
  const { records, options } = detection.reading;
  const needs = (text: string): boolean => [options.delimiter, "'", '\n', '\r'].some((part) => text.includes(part));
  if (options.quote !== "'" || options.delimiter === '') return [];
  if (records.some(({ texts, quoted }) => texts.some((text, at) => quoted[at] && needs(text)))) return [];
  const reason = 'No cell needs its apostrophes as quotes.';
  return [{ option: 'quote', value: '"', reason, reading: reread(detection, { quote: '"' }) }];
}

/** Each line that begins with the mark has as many cells as the rows. */
function commentsAsRows(detection: Detection): readonly Other[] {
  if (detection.reading.options.comment === '') return [];
  const other = reread(detection, { comment: '' });
  const reason = 'The lines with this mark have as many cells as the others.';
  return other.certainty === 1 ? [{ option: 'comment', value: '', reason, reading: other }] : [];
}

/** A line above the table has several cells, and the first line of the table need not be its header. */
function linesAboveAsRows(detection: Detection): readonly Other[] {
  const { options, headerDoubt } = detection.reading;
  if (options.skipLines === 0 || (options.hasHeader && headerDoubt === null)) return [];
  const other = reread(detection, { skipLines: 0 });
  const above = other.records.find(
    ({ line, texts }) => line <= options.skipLines && texts.filter((text) => text !== '').length > 1,
  );
  if (above === undefined) return [];
  const reason = `Line ${above.line} has more than one cell, like a row.`;
  return [{ option: 'skipLines', value: 0, reason, reading: other }];
}

function otherHeader(detection: Detection): readonly Other[] {
  const { headerDoubt: reason, options } = detection.reading;
  const value = !options.hasHeader;
  return reason === null
    ? []
    : [{ option: 'hasHeader', value, reason, reading: reread(detection, { hasHeader: value }) }];
}

/** The likeliest encoding in which the text is another one. */
function otherEncoding({ sample, rivals, encoding, given, reading }: Detection): readonly Other[] {
  for (const value of rivals) {
    if (value === encoding || given.encoding !== undefined) continue;
    const other = readText(sampleText(sample.bytes, value, sample.isWhole), sample.fileName, given);
    const reason = 'The characters beyond ASCII are nearly as likely in it.';
    if (differentLines(reading, other).size > 0) return [{ option: 'encoding', value, reason, reading: other }];
  }
  return [];
}

function differentLines(one: TextReading, other: TextReading): ReadonlySet<number> {
  const textOf = ({ texts }: SampleRecord): string => texts.join('\n');
  const others = new Map(other.records.map((record) => [record.line, textOf(record)]));
  return new Set(one.records.filter((record) => others.get(record.line) !== textOf(record)).map(({ line }) => line));
}

/** The names of the columns and the first rows, or the first of `lines`. */
function beginningOf(
  records: readonly SampleRecord[],
  hasHeader: boolean,
  lines: ReadonlySet<number> | null,
): Pick<FileReading, 'columns' | 'columnCount' | 'rows'> {
  const [names, rows] = hasHeader ? [records[0], records.slice(1)] : [undefined, records];
  const telling = lines ? rows.filter(({ line }) => lines.has(line)) : rows;
  const columnCount = records.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  const columns = uniqueNames(Array.from({ length: columnCount }, (_, at) => names?.texts[at] ?? ''));
  const firstOf = (texts: readonly string[]): readonly string[] => texts.slice(0, MOST_COLUMNS).map(shortened);
  return {
    columns: firstOf(columns),
    columnCount,
    rows: (telling.length > 0 ? telling : rows).slice(0, MOST_ROWS).map(({ texts }) => firstOf(texts)),
  };
}

const shortened = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;

function titleOf(telling: Telling, own: { readonly comment: string }): string {
  switch (telling.option) {
    case 'delimiter':
      return telling.value === '' ? 'one column' : `separated by ${named(telling.value)}`;
    case 'quote':
      return telling.value === "'" ? 'apostrophes as quotes' : 'apostrophes as text';
    case 'escape':
      return telling.value === '' ? 'backslashes as text' : 'backslashes as escapes';
    case 'comment':
      return `lines with “${own.comment}” ${telling.value === '' ? 'as rows' : 'left out'}`;
    case 'skipLines':
      return telling.value === 0
        ? 'no lines left out'
        : `first ${telling.value === 1 ? 'line' : `${telling.value} lines`} left out`;
    case 'hasHeader':
      return telling.value ? 'first line as names' : 'first line as data';
    case 'encoding':
      return `encoding ${telling.value}`;
  }
}

const named = (delimiter: string): string => {
  const name = DELIMITER_NAMES[delimiter];
  return name === undefined ? `“${delimiter}”` : `${name}s`;
};

const sentence = (parts: readonly string[]): string => {
  const text = parts.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

// How the sample of a text file is read, and why: its lines, and then what their fields say.
import type { Evidence, ImportOptions } from '#shared/protocol/import.ts';
import { counted } from '#shared/counted.ts';
import { EMPTY } from '#shared/import/null-tokens.ts';
import { detectDelimiter } from './detect-delimiter.ts';
import { headerOf } from './detect-header.ts';
import { isData, type SampleRecord } from './sample-records.ts';

type TextOptions = Omit<ImportOptions, 'format' | 'encoding' | 'part'>;

export interface TextReading {
  readonly options: TextOptions;
  readonly evidence: readonly Evidence[];
  /** Share of the records that have as many fields as most. */
  readonly certainty: number;
  /** Excludes skipped lines and comments; the first one may be the header. */
  readonly records: readonly SampleRecord[];
  readonly headerDoubt: string | null;
}

/** @param text UTF-8. @param given what is not detected. */
export function readText(text: Uint8Array, fileName: string, given: Partial<ImportOptions>): TextReading {
  const dialect = detectDelimiter(text, fileName, given);
  const { delimiter, quote, escape = '', skipsBlanks = false, comment, skipLines, records, certainty } = dialect;
  const { hasHeader, decimalComma, nullTokens, evidence, headerDoubt } = detectContent(records, delimiter, given);
  return {
    options: { delimiter, quote, escape, skipsBlanks, comment, skipLines, hasHeader, decimalComma, nullTokens },
    evidence: [...dialect.evidence, ...evidence],
    certainty,
    records,
    headerDoubt,
  };
}

// Reads from the fields of a sample whether the first record names the columns, whether numbers have a decimal comma, and what means NULL.

type ContentOptions = Pick<ImportOptions, 'hasHeader' | 'decimalComma' | 'nullTokens'>;

interface DetectedContent extends ContentOptions {
  readonly evidence: readonly Evidence[];
  /** Why the first line may just as well be the other: values, or names. */
  readonly headerDoubt: string | null;
}

const NULL_WORDS = [
  'NULL', 'null', 'Null', '\\N', '(null)', '<null>', 'NA', 'N/A', 'n/a', '#N/A', 'NaN', 'nan', 'None', '-',
]; // prettier-ignore
/** These have no other meaning in any column. */
const CERTAIN_NULLS = new Set(['NULL', '\\N', '(null)', '<null>', '#N/A']);

function detectContent(
  records: readonly SampleRecord[],
  delimiter: string,
  given: Partial<ContentOptions>,
): DetectedContent {
  const header = headerOf(records);
  const hasHeader = given.hasHeader ?? header.value;
  const rows = hasHeader ? records.slice(1) : records;
  const comma = decimalCommaOf(rows);
  const nulls = nullsOf(rows);
  return {
    hasHeader,
    decimalComma: given.decimalComma ?? comma.value,
    nullTokens: given.nullTokens ?? nulls.value,
    headerDoubt: header.doubt,
    evidence: [...header.evidence, ...(delimiter === ',' && !comma.value ? [] : comma.evidence), ...nulls.evidence],
  };
}

interface Found<T> {
  readonly value: T;
  readonly evidence: readonly Evidence[];
}

/** A number of a column with decimal commas, and one that cannot be anything else. */
const MAY_HAVE_COMMA = /^[+-]?\d+(?:,\d+)?$/;
const HAS_COMMA = /^[+-]?\d+,(?!\d{3}$)\d+$/;

function hasCommaColumn(rows: readonly SampleRecord[]): boolean {
  const columns = rows.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  for (let column = 0; column < columns; column++) {
    const texts = rows.map((row) => row.texts[column] ?? '').filter((text) => text !== '');
    if (texts.every((text) => MAY_HAVE_COMMA.test(text)) && texts.filter((text) => HAS_COMMA.test(text)).length > 1)
      return true;
  }
  return false;
}

function decimalCommaOf(rows: readonly SampleRecord[]): Found<boolean> {
  let [commas, points, thousands] = [0, 0, 0];
  // Like 1.234, which has a decimal point unless others, like 1.234,50 or a column of 2,5, show that points separate thousands.
  let [groups, separatesGroups] = [0, false];
  let example: { readonly text: string; readonly line: number } | null = null;
  for (const { texts, line } of rows) {
    for (const text of texts) {
      if (/^[+-]?[1-9]\d{0,2}\.\d{3}$/.test(text)) groups++;
      else if (/^[+-]?\d+\.\d+$/.test(text)) points++;
      else if (/^[+-]?\d{1,3}(,\d{3})+$/.test(text)) thousands++;
      else if (/^[+-]?(\d+|\d{1,3}(\.\d{3})+),\d+$/.test(text)) {
        commas++;
        separatesGroups ||= text.includes('.');
        example ??= { text, line };
      }
    }
  }
  if (groups > 0 && !separatesGroups && !hasCommaColumn(rows)) points += groups;
  if (!example || commas <= points) {
    const reason = points > 0 ? `${counted(points, 'number')} with a decimal point.` : 'No number has a decimal comma.';
    return { value: false, evidence: points + thousands > 0 ? [{ option: 'decimalComma', reason }] : [] };
  }
  const against = points > 0 ? `, ${amount(points)} a point` : ', none a point';
  const reason = `${counted(commas, 'number')} such as ${example.text} ${commas === 1 ? 'has' : 'have'} a comma${against}.`;
  return { value: true, evidence: [{ option: 'decimalComma', reason, line: example.line }] };
}

/** A word is taken for NULL where it is among numbers or dates; some words anywhere. */
function nullsOf(rows: readonly SampleRecord[]): Found<readonly string[]> {
  const found = new Map<string, { count: number; readonly line: number }>();
  const quotedEmpty = { count: 0, line: 0 };
  const columns = rows.reduce((most, { texts }) => Math.max(most, texts.length), 0);
  for (let column = 0; column < columns; column++) {
    const fields = rows.flatMap(({ texts, quoted, line }) => {
      const text = texts[column] ?? '';
      return text === '' ? [] : [{ text, line, isWord: !quoted[column] && NULL_WORDS.includes(text) }];
    });
    const others = fields.filter(({ isWord }) => !isWord);
    const isTyped = others.length > 0 && others.filter(({ text }) => isData(text)).length >= others.length * 0.8;
    for (const { text, line, isWord } of fields) {
      if (!isWord || !(isTyped || CERTAIN_NULLS.has(text))) continue;
      const known = found.get(text);
      if (known) known.count++;
      else found.set(text, { count: 1, line });
    }
    if (!isTyped) continue;
    for (const { texts, quoted, line } of rows)
      if (texts[column] === '' && quoted[column] && quotedEmpty.count++ === 0) quotedEmpty.line = line;
  }
  const words = [...found].map(([word, { count, line }]): Evidence => ({
    option: 'nullTokens',
    reason: `“${word}” appears ${count === 1 ? 'once' : `${amount(count)} times`} without quotes where other cells have values.`,
    line,
  }));
  return { value: [EMPTY, ...found.keys()], evidence: [...words, evidenceOfEmpty(quotedEmpty)] };
}

/** @param quoted pairs of quotes where other cells have numbers or dates */
function evidenceOfEmpty({ count, line }: { readonly count: number; readonly line: number }): Evidence {
  const option = 'nullTokens';
  const rule = 'Nothing between two delimiters is NULL; "" is an empty text';
  if (count === 0) return { option, reason: `${rule}.` };
  const times = count === 1 ? 'once' : `${amount(count)} times`;
  return { option, reason: `${rule}, which appears ${times} where other cells have values.`, line };
}

const amount = (count: number): string => count.toLocaleString('en-US');

// Reads from the fields of a sample whether the first record names the columns, whether numbers have a decimal comma, and what means NULL.
import { counted } from '#shared/counted.ts';
import { EMPTY } from '#shared/import/null-tokens.ts';
import type { Evidence, ImportOptions } from '#shared/protocol/import.ts';
import { isData } from './is-data.ts';
import type { SampleRecord } from './sample-records.ts';

export type ContentOptions = Pick<ImportOptions, 'hasHeader' | 'decimalComma' | 'nullTokens'>;

export interface DetectedContent extends ContentOptions {
  readonly evidence: readonly Evidence[];
}

const NULL_WORDS = [
  'NULL',
  'null',
  'Null',
  '\\N',
  '(null)',
  '<null>',
  'NA',
  'N/A',
  'n/a',
  '#N/A',
  'NaN',
  'nan',
  'None',
  '-',
];
/** These have no other meaning in any column. */
const CERTAIN_NULLS = new Set(['NULL', '\\N', '(null)', '<null>', '#N/A']);

export function detectContent(
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
    evidence: [...header.evidence, ...(delimiter === ',' && !comma.value ? [] : comma.evidence), ...nulls.evidence],
  };
}

interface Found<T> {
  readonly value: T;
  readonly evidence: readonly Evidence[];
}

/** Whether the first record names the columns. */
export function headerOf(records: readonly SampleRecord[]): Found<boolean> {
  const [first, ...rest] = records;
  const answer = (value: boolean, reason: string): Found<boolean> => ({
    value,
    evidence: first ? [{ option: 'hasHeader', reason, line: first.line }] : [],
  });
  if (!first) return { value: true, evidence: [] };
  if (rest.length === 0) return onlyLineOf(first.texts, answer);
  const names = first.texts;
  const data = names.filter((name) => isData(name));
  if (data.length > 0 && !areYears(names, rest))
    return answer(false, `The first line has values, such as “${data[0]}”.`);
  const typed = names.findIndex((name, at) => {
    const texts = rest.map(({ texts: fields }) => fields[at] ?? '').filter((text) => text !== '');
    return name !== '' && !isData(name) && texts.length > 0 && texts.filter(isData).length >= texts.length * 0.8;
  });
  if (typed >= 0) return answer(true, `“${names[typed]}” is above numbers, dates, or true and false.`);
  const repeated = names.findIndex(
    (name, at) => name !== '' && rest.filter(({ texts }) => texts[at] === name).length > 0,
  );
  if (repeated >= 0) return answer(false, `“${names[repeated]}” in the first line appears again below it.`);
  const isNamed = new Set(names).size === names.length && names.filter((name) => name === '').length <= 1;
  return isNamed
    ? answer(true, 'The first line has different text for each column, and none of it appears again below.')
    : answer(false, 'The first line does not have different text for each column.');
}

/** A row of values is what people paste; where nothing but names of columns is left, a program has written them. */
function onlyLineOf(
  texts: readonly string[],
  answer: (value: boolean, reason: string) => Found<boolean>,
): Found<boolean> {
  if (texts.some(isData)) return answer(false, 'The only line has values.');
  const named = texts.find((text) => /^id$|[a-z0-9]_[a-z0-9]|[a-z]I[dD]$/.test(text));
  const areNames =
    texts.length > 1 && new Set(texts).size === texts.length && texts.every((text) => /^[A-Za-z_][\w ]*$/.test(text));
  return named !== undefined && areNames
    ? answer(true, `The only line has names of columns, such as “${named}”.`)
    : answer(false, 'There is only one line.');
}

const YEAR = /^(19|20)\d\d$/;

/** The only values among the names are years, in order, above columns that hold no years. */
function areYears(names: readonly string[], rows: readonly SampleRecord[]): boolean {
  const columns = names.flatMap((name, at) => (isData(name) ? [at] : []));
  const years = columns.map((at) => Number(names[at]));
  const isOrdered = [1, -1].some((step) => years.every((year, at) => at === 0 || (year - years[at - 1]!) * step > 0));
  if (years.length < 2 || !isOrdered || !columns.every((at) => YEAR.test(names[at]!))) return false;
  const below = rows.flatMap(({ texts }) => columns.map((at) => texts[at] ?? '').filter((text) => text !== ''));
  return below.filter((text) => YEAR.test(text)).length * 2 <= below.length;
}

function decimalCommaOf(rows: readonly SampleRecord[]): Found<boolean> {
  let [commas, points, thousands] = [0, 0, 0];
  // Like 1.234, which has a decimal point unless others, like 1.234,50, show that points separate thousands.
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
  if (!separatesGroups) points += groups;
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

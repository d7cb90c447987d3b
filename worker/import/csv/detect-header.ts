// Whether the first record names the columns, the reason, and what speaks for the other answer.
import type { Evidence } from '#shared/protocol/import.ts';
import { DATE, isData, type SampleRecord } from './sample-records.ts';

export interface DetectedHeader {
  readonly value: boolean;
  readonly evidence: readonly Evidence[];
  /** Why the other answer is nearly as likely; null: it is not. */
  readonly doubt: string | null;
}

type Answer = (value: boolean, reason: string, doubt?: string | null) => DetectedHeader;

export function headerOf(records: readonly SampleRecord[]): DetectedHeader {
  const [first, ...rest] = records;
  const answer: Answer = (value, reason, doubt = null) => ({
    value,
    evidence: first ? [{ option: 'hasHeader', reason, line: first.line }] : [],
    doubt,
  });
  if (!first) return { value: true, evidence: [], doubt: null };
  if (rest.length === 0) return onlyLineOf(first.texts, answer);
  const names = first.texts;
  const data = names.filter((name) => isData(name));
  if (data.length > 0 && !arePeriods(names, rest))
    return answer(
      false,
      `The first line has values, such as “${data[0]}”.`,
      mayBeNames(names, rest) ? `“${data[0]}” in the first line may be a name: there is nothing like it below.` : null,
    );
  const years = data.length > 0 ? `“${data[0]}” in the first line may be a value.` : null;
  const typed = names.findIndex((name, at) => {
    const texts = rest.map(({ texts: fields }) => fields[at] ?? '').filter((text) => text !== '');
    return name !== '' && !isData(name) && texts.length > 0 && texts.filter(isData).length >= texts.length * 0.8;
  });
  if (typed >= 0) return answer(true, `“${names[typed]}” is above numbers, dates, or true and false.`, years);
  const repeated = names.findIndex(
    (name, at) => name !== '' && rest.filter(({ texts }) => texts[at] === name).length > 0,
  );
  if (repeated >= 0) return answer(false, `“${names[repeated]}” in the first line appears again below it.`);
  const isNamed = new Set(names).size === names.length && names.filter((name) => name === '').length <= 1;
  const alike = looksLike(names, rest) ? 'The text of the first line looks like the text below it.' : null;
  return isNamed
    ? answer(
        true,
        'The first line has different text for each column, and none of it appears again below.',
        years ?? alike,
      )
    : answer(false, 'The first line does not have different text for each column.');
}

/** A row of values is what people paste; where nothing but names of columns is left, a program has written them. */
function onlyLineOf(texts: readonly string[], answer: Answer): DetectedHeader {
  if (texts.some(isData)) return answer(false, 'The only line has values.');
  const named = texts.find((text) => /[a-z0-9]_[a-z0-9]|[a-z]I[dD]$/.test(text) || USUAL_NAMES.has(text.toLowerCase()));
  const areNames =
    texts.length > 1 && new Set(texts).size === texts.length && texts.every((text) => /^[A-Za-z_][\w ]*$/.test(text));
  return named !== undefined && areNames
    ? answer(
        true,
        `The only line has names of columns, such as “${named}”.`,
        'There is no line below to compare it with.',
      )
    : answer(false, 'There is only one line.', areNames ? 'The only line has different text for each column.' : null);
}

const YEAR = /^(19|20)\d\d$/;

/** The only values among the names are years, in order, or dates, above columns that hold none. */
function arePeriods(names: readonly string[], rows: readonly SampleRecord[]): boolean {
  const periods = dataColumns(names).map((at) => names[at]!);
  const areDates = periods.every((period) => DATE.test(period));
  const isOrdered = [1, -1].some((step) =>
    periods.every((year, at) => at === 0 || (Number(year) - Number(periods[at - 1])) * step > 0),
  );
  const differ = areDates ? new Set(periods).size === periods.length : isOrdered;
  return periods.length > 1 && differ && arePeriodsAlone(names, rows);
}

const dataColumns = (texts: readonly string[]): readonly number[] =>
  texts.flatMap((text, at) => (isData(text) ? [at] : []));

function arePeriodsAlone(names: readonly string[], rows: readonly SampleRecord[]): boolean {
  const columns = dataColumns(names);
  const period = [YEAR, DATE].find((one) => columns.every((at) => one.test(names[at]!)));
  if (period === undefined) return false;
  const below = rows.flatMap(({ texts }) => columns.map((at) => texts[at] ?? '').filter((text) => text !== ''));
  return below.filter((text) => period.test(text)).length * 2 <= below.length;
}

/** Beside a text, the only values are a year or a date, or numbers that count up, which nothing below does. */
function mayBeNames(names: readonly string[], rows: readonly SampleRecord[]): boolean {
  const columns = dataColumns(names);
  const countsUp = (texts: readonly string[]): boolean =>
    columns.every((at, n) => n === 0 || Number(texts[at]) === Number(texts[columns[n - 1]!]) + 1);
  if (!names.some((name) => name !== '' && !isData(name))) return false;
  if (arePeriodsAlone(names, rows)) return true;
  return columns.length > 2 && countsUp(names) && !rows.some(({ texts }) => countsUp(texts));
}

/** A name that is longer or shorter than all cells by this factor is none of them. */
const MUCH = 1.5;
/** Words that name columns in any table. */
const USUAL_NAMES = new Set(
  (
    'id key name title type kind code date time day month year city country state address street email mail phone price amount value ' +
    'count number status category description comment note text url group first last'
  ).split(' '),
);

/** Each name could stand below itself: it is about as long as cells there, written as at least half of them, and no usual name. */
function looksLike(names: readonly string[], rows: readonly SampleRecord[]): boolean {
  const isUsual = (name: string): boolean =>
    name
      .toLowerCase()
      .split(/[\W_]+/)
      .some((word) => USUAL_NAMES.has(word));
  return names.every((name, at) => {
    const texts = rows.map(({ texts: fields }) => fields[at] ?? '').filter((text) => text !== '');
    if (name === '' || texts.length === 0 || isUsual(name)) return false;
    const form = formOf(name);
    const isAsLong =
      texts.some(({ length }) => length <= name.length * MUCH) &&
      texts.some(({ length }) => length * MUCH >= name.length);
    return isAsLong && texts.filter((text) => formOf(text) === form).length * 2 >= texts.length;
  });
}

/** Its case, and whether there are digits, blanks, or signs in it. */
function formOf(text: string): string {
  const letters = text.replace(/[^\p{L}]/gu, '');
  const [lower, upper] = [letters.toLowerCase(), letters.toUpperCase()];
  const spelled = letters === lower ? 'lower' : letters === upper && letters.length > 1 ? 'upper' : 'mixed';
  return [spelled, /\d/.test(text), /\s/.test(text), /[^\p{L}\d\s]/u.test(text)].join();
}

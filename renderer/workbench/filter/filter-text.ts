// The text of a filter field, such as “> 10” or “null || starts with A”, and the filter that it stands for. The rules are listed by `FILTER_SYNTAX`.
import { filterOperator, type FilterOperator } from '#shared/filter-operators.ts';
import { regularExpressionProblem } from '#shared/regular-expressions/regular-expressions.ts';
import { isFilterGroup, type FilterEntry, type FilterTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { sameValue } from '../rows/own-edits.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { affinityOf, typedValue } from '../cells/typed-value.ts';

export interface FieldColumn {
  /** Null: any column. */
  readonly name: string | null;
  readonly declaredType: string;
  /** Its grid shows it in another form than the stored one, which filters compare. */
  readonly hasFormat?: boolean;
}

type ReadFilter = { readonly entries: readonly FilterEntry[] } | { readonly problem: string };

/** Examples of what can be typed, for the help of a filter field. */
export const FILTER_SYNTAX: readonly (readonly [text: string, meaning: string])[] = [
  ['abc', 'contains; for a number: equals'],
  ['=abc   !=abc   >10   <=10', 'comparisons'],
  ['10..20', 'between, inclusive'],
  ['abc*   *abc', 'starts with, ends with'],
  ['!abc', 'does not contain'],
  ['null   !null', 'is NULL, is not NULL'],
  ['in (1, 2, null)   not in (1, 2)', 'is one of, is none of'],
  ['1, 2, 3   !=1, 2, 3', 'for numbers: the same'],
  ['like a_c%   glob a?c*   regex ^a.c$', 'patterns'],
  ['length > 10', 'characters of a text, bytes of a blob'],
  ['>1 && <5   null || 0', 'and, or'],
  ['"null"', 'the text itself'],
];

export function readFilterText(text: string, column: FieldColumn): ReadFilter {
  if (text.trim() === '') return { entries: [] };
  const alternatives = outsideQuotes(text, '||').map((part) =>
    outsideQuotes(part, '&&').map((word) => readTerm(word.trim(), column)),
  );
  const problem = alternatives.flat().find((term) => typeof term === 'string');
  if (problem !== undefined) return { problem };
  const any = alternatives as FilterTerm[][];
  return { entries: any.length === 1 ? any[0]! : [{ any }] };
}

/** The text that {@link readFilterText} reads as these entries; null if no text has that meaning, as for a blob. */
export function filterText(entries: readonly FilterEntry[], column: FieldColumn): string | null {
  const [first] = entries;
  const alternatives =
    entries.length === 1 && first && isFilterGroup(first)
      ? first.any
      : [entries.filter((entry): entry is FilterTerm => !isFilterGroup(entry))];
  if (alternatives.flat().flatMap(operandsOf).some(isLong)) return null;
  const text = alternatives.map((terms) => terms.map((term) => termText(term, column) ?? '').join(' && ')).join(' || ');
  const read = readFilterText(text, column);
  return 'entries' in read && sameEntries(read.entries, entries) ? text : null;
}

/** Longer values are not shown in a field: they could not be read there. */
const SHOWN_CHARS = 1000;
const isLong = (value: Value): boolean =>
  value instanceof Uint8Array ? value.length > SHOWN_CHARS : typeof value === 'string' && value.length > SHOWN_CHARS;

/** Compares what the entries mean, not how their objects were made. */
export function sameEntries(a: readonly FilterEntry[], b: readonly FilterEntry[]): boolean {
  return a.length === b.length && a.every((entry, at) => sameEntry(entry, b[at]!));
}

function sameEntry(a: FilterEntry, b: FilterEntry): boolean {
  if (isFilterGroup(a) || isFilterGroup(b))
    return (
      isFilterGroup(a) &&
      isFilterGroup(b) &&
      a.any.length === b.any.length &&
      a.any.every((terms, at) => sameEntries(terms, b.any[at]!))
    );
  return a.column === b.column && a.operator === b.operator && sameList(operandsOf(a), operandsOf(b));
}

/** The values that the operator of a term compares with. */
export function operandsOf({ operator, value, to = null, values = [] }: FilterTerm): readonly Value[] {
  switch (filterOperator(operator).operand) {
    case 'nothing':
      return [];
    case 'list':
      return values;
    case 'range':
      return [value, to];
    case 'text':
      return [valueText(value)];
    default:
      return [value];
  }
}

const sameList = (a: readonly Value[], b: readonly Value[]): boolean =>
  a.length === b.length && a.every((value, at) => sameValue(value, b[at]!));

// ── reading ──────────────────────────────────────────────────────────────────────────────────

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const RANGE = new RegExp(String.raw`^(${NUMBER})\s*\.\.\s*(${NUMBER})$`, 'i');
/** A list that only a column of numbers takes without IN: a text may have commas of its own. */
const NUMBERS = new RegExp(String.raw`^(=|==|!=|<>|≠)?\s*(${NUMBER}(?:\s*,\s*(?:${NUMBER}|null))+)$`, 'i');
const COMPARISON = /^(<=|>=|<>|!=|==|[≤≥≠<>=])(.*)$/su;
const COMPARED: Readonly<Record<string, FilterOperator>> = {
  '≤': '<=',
  '≥': '>=',
  '≠': '<>',
  '!=': '<>',
  '==': '=',
};
const WORDS: readonly (readonly [RegExp, FilterOperator])[] = [
  [/^does not contain\s+(.+)$/is, 'not-contains'],
  [/^contains\s+(.+)$/is, 'contains'],
  [/^starts with\s+(.+)$/is, 'starts-with'],
  [/^ends with\s+(.+)$/is, 'ends-with'],
  [/^like\s+(.+)$/is, 'like'],
  [/^glob\s+(.+)$/is, 'glob'],
  [/^(?:matches )?regex\s+(.+)$/is, 'regex'],
  [/^([^*]+)\*$/s, 'starts-with'],
  [/^\*([^*]+)$/s, 'ends-with'],
  [/^!(.+)$/s, 'not-contains'],
];

/** A sentence when the text is not a filter. */
function readTerm(text: string, column: FieldColumn): FilterTerm | string {
  const term = (operator: FilterOperator, value: Value = null): FilterTerm => ({
    column: column.name,
    operator,
    value,
  });
  if (text === '') return 'Enter a condition on both sides of && or ||.';
  if (isQuoted(text)) return term('contains', unquoted(text));
  if (/^(?:is )?null$/i.test(text)) return term('is-null');
  if (/^(?:is not null|not null|!null|!= ?null|<> ?null)$/i.test(text)) return term('is-not-null');
  const list = /^(not )?in\s*\((.*)\)$/is.exec(text);
  if (list) return { ...term(list[1] ? 'not-in' : 'in'), values: listValues(list[2]!, column) };
  const numbers = holdsNumbers(column) ? NUMBERS.exec(text) : null;
  if (numbers) {
    const isNone = numbers[1] !== undefined && !numbers[1].startsWith('=');
    return { ...term(isNone ? 'not-in' : 'in'), values: listValues(numbers[2]!, column) };
  }
  const range = RANGE.exec(text) ?? /^between\s(.+?)\sand\s(.+)$/is.exec(text);
  if (range) return { ...term('between', typed(range[1]!.trim(), column)), to: typed(range[2]!.trim(), column) };
  const length = /^length\s*([<>=])\s*(\d{1,10})$/i.exec(text);
  if (length) return term(`length${length[1] as '<' | '>' | '='}`, Number(length[2]));
  const comparison = COMPARISON.exec(text);
  if (comparison) {
    const [, sign = '', operand = ''] = comparison;
    const operator = COMPARED[sign] ?? (sign as FilterOperator);
    if (operand.trim() === '' && operator !== '=' && operator !== '<>') return `Enter a value after ${sign}.`;
    return term(operator, typed(operand.trim(), column));
  }
  for (const [pattern, operator] of WORDS) {
    const word = pattern.exec(text)?.[1]?.trim();
    if (!word) continue;
    const operand = isQuoted(word) ? unquoted(word) : word;
    const problem = operator === 'regex' ? regularExpressionProblem(operand) : null;
    return problem ?? term(operator, operand);
  }
  const value = column.name === null ? text : typed(text, column);
  return typeof value === 'string' || value instanceof Uint8Array ? term('contains', text) : term('=', value);
}

function typed(word: string, { declaredType }: FieldColumn): Value {
  return isQuoted(word) ? unquoted(word) : typedValue(word, affinityOf(declaredType), 'null');
}

const holdsNumbers = ({ name, declaredType }: FieldColumn): boolean =>
  name !== null && ['integer', 'real', 'numeric'].includes(affinityOf(declaredType));

const listValues = (words: string, column: FieldColumn): readonly Value[] =>
  outsideQuotes(words, ',').map((word) => (/^null$/i.test(word.trim()) ? null : typed(word.trim(), column)));

const isQuoted = (word: string): boolean => /^"(?:[^"]|"")*"$/s.test(word);
const unquoted = (word: string): string => word.slice(1, -1).replaceAll('""', '"');

/** `text` cut at each `separator` that is not inside double quotes. */
function outsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0, isInside = false; at < text.length; at++) {
    if (text[at] === '"') isInside = !isInside;
    if (isInside || !text.startsWith(separator, at)) continue;
    parts.push(text.slice(from, at));
    from = at + separator.length;
    at = from - 1;
  }
  return [...parts, text.slice(from)];
}

// ── writing ──────────────────────────────────────────────────────────────────────────────────

const PREFIX: Partial<Record<FilterOperator, string>> = {
  contains: 'contains ',
  'not-contains': '!',
  'starts-with': 'starts with ',
  'ends-with': 'ends with ',
  like: 'like ',
  glob: 'glob ',
  regex: 'regex ',
};

/** The shortest of several ways that reads as the same term. */
function termText(term: FilterTerm, column: FieldColumn): string | null {
  return (
    candidates(term).find((text) => {
      const read = readFilterText(text, column);
      return 'entries' in read && sameEntries(read.entries, [term]);
    }) ?? null
  );
}

function candidates({ operator, value, to = null, values = [] }: FilterTerm): readonly string[] {
  switch (operator) {
    case 'is-null':
      return ['null'];
    case 'is-not-null':
      return ['!null'];
    case 'in':
    case 'not-in': {
      const word = operator === 'in' ? 'in' : 'not in';
      const texts = values.map(valueTexts);
      return ([0, 1] as const).map((way) => `${word} (${texts.map((ways) => ways[way]).join(', ')})`);
    }
    case 'between':
      return valueTexts(value).flatMap((low) =>
        valueTexts(to).flatMap((high) => [`${low}..${high}`, `between ${low} and ${high}`]),
      );
    case 'length=':
    case 'length<':
    case 'length>':
      return [`length ${operator.slice('length'.length)} ${valueText(value)}`];
    case 'contains':
    case 'not-contains':
    case 'starts-with':
    case 'ends-with':
    case 'like':
    case 'glob':
    case 'regex': {
      const words = valueTexts(value);
      const short = operator === 'contains' ? words : [];
      const starred = words.flatMap((word) =>
        operator === 'starts-with' ? [`${word}*`] : operator === 'ends-with' ? [`*${word}`] : [],
      );
      return [...short, ...starred, ...words.map((word) => `${PREFIX[operator]}${word}`)];
    }
    default:
      return valueTexts(value).flatMap((word) => [...(operator === '=' ? [word] : []), `${operator}${word}`]);
  }
}

/** Values with commas between them, as `in (…)` takes them; '' if a value has no text. */
export function listText(values: readonly Value[], column: FieldColumn): string {
  const text = termText({ column: column.name, operator: 'in', value: null, values }, column);
  return text?.slice('in ('.length, -1) ?? '';
}

/** Text of a value as typed plainly, and in quotes. */
function valueTexts(value: Value): readonly [string, string] {
  if (value === null) return ['null', 'null'];
  const text = valueText(value);
  return [text, typeof value === 'string' ? `"${text.replaceAll('"', '""')}"` : text];
}

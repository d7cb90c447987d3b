// Reads CHECK constraints of a simple form: `status IN ('a', 'b')`, `price >= 0`, `length(code) = 3`, joined by AND. Anything else is left
// to SQLite, which rejects a row that does not fit.
import { sameName } from '../ddl/names.ts';
import { SqlScanner, Token } from '../sql-scanner.ts';
import { ANYTHING } from './table-facts.ts';
import type { AllowedValues } from './table-facts.ts';

interface Word {
  readonly kind: Token;
  /** Upper case, for words without quotes. */
  readonly text: string;
  readonly name: string;
}

/** @param expressions each without its parentheses; which columns they name does not matter */
export function allowedBy(expressions: readonly string[], column: string): AllowedValues {
  let allowed = ANYTHING;
  for (const expression of expressions)
    for (const part of parts(wordsOf(expression), 'AND')) {
      // `x IS NULL OR …` is the usual way to say that NULL is allowed too.
      const choices = parts(unwrapped(part), 'OR').filter((choice) => !isNullTest(choice, column));
      if (choices.length !== 1) continue;
      for (const one of parts(unwrapped(choices[0]!), 'AND')) allowed = both(allowed, read(unwrapped(one), column));
    }
  return allowed;
}

function both(one: AllowedValues, other: AllowedValues): AllowedValues {
  const pick = (choose: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
    a === null || b === null ? (a ?? b) : choose(a, b);
  return {
    list: one.list && other.list ? one.list.filter((value) => other.list!.includes(value)) : (one.list ?? other.list),
    least: pick(Math.max, one.least, other.least),
    most: pick(Math.min, one.most, other.most),
    shortest: pick(Math.max, one.shortest, other.shortest),
    longest: pick(Math.min, one.longest, other.longest),
  };
}

function wordsOf(sql: string): readonly Word[] {
  const scanner = new SqlScanner(sql);
  const words: Word[] = [];
  while (scanner.next() !== Token.end) {
    const { kind, text } = scanner;
    const isName = kind === Token.word || kind === Token.quoted;
    // `<=` and `>=` are two tokens of the scanner.
    const last = words.at(-1);
    if (text === '=' && (last?.text === '<' || last?.text === '>' || last?.text === '=')) {
      words[words.length - 1] = { ...last, text: last.text === '=' ? '=' : `${last.text}=` };
      continue;
    }
    words.push({ kind, text: kind === Token.word ? text.toUpperCase() : text, name: isName ? scanner.name : '' });
  }
  return words;
}

/** Split where `by` stands outside of parentheses; the AND of BETWEEN splits nothing. */
function parts(words: readonly Word[], by: 'AND' | 'OR'): readonly (readonly Word[])[] {
  const found: Word[][] = [[]];
  let depth = 0;
  let isBetween = false;
  for (const word of words) {
    if (word.text === '(') depth++;
    if (word.text === ')') depth--;
    if (depth === 0 && word.text === 'BETWEEN') isBetween = true;
    if (depth === 0 && word.text === by && !(by === 'AND' && isBetween)) {
      found.push([]);
      continue;
    }
    if (depth === 0 && word.text === 'AND') isBetween = false;
    found.at(-1)!.push(word);
  }
  return found;
}

function unwrapped(words: readonly Word[]): readonly Word[] {
  if (words[0]?.text !== '(' || words.at(-1)?.text !== ')') return words;
  let depth = 0;
  for (const [at, { text }] of words.entries()) {
    if (text === '(') depth++;
    if (text === ')' && --depth === 0 && at < words.length - 1) return words;
  }
  return unwrapped(words.slice(1, -1));
}

const isColumn = (word: Word | undefined, column: string): boolean =>
  word !== undefined && (word.kind === Token.word || word.kind === Token.quoted) && sameName(word.name, column);

const isNullTest = (words: readonly Word[], column: string): boolean => {
  const [first, second, third, ...rest] = unwrapped(words);
  return isColumn(first, column) && second?.text === 'IS' && third?.text === 'NULL' && rest.length === 0;
};

function read(words: readonly Word[], column: string): AllowedValues {
  const [first, ...rest] = words;
  if (isColumn(first, column)) return ofColumn(rest);
  if (first?.text === 'LENGTH' && words[1]?.text === '(' && isColumn(words[2], column) && words[3]?.text === ')')
    return ofLength(words.slice(4));
  // The number first: `0 <= price`.
  const at = words.findIndex((word) => isColumn(word, column));
  const operator = words[at - 1]?.text;
  const turned = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=' }[operator ?? ''];
  if (turned === undefined || at !== words.length - 1) return ANYTHING;
  return bounds(turned, words.slice(0, at - 1));
}

function ofColumn(words: readonly Word[]): AllowedValues {
  const [operator, ...rest] = words;
  if (operator?.text === 'IN') return { ...ANYTHING, list: listOf(rest) };
  if (operator?.text === '=' && rest[0]?.kind === Token.text) return { ...ANYTHING, list: listOf(words.slice(1)) };
  if (operator?.text === 'BETWEEN') return between(rest);
  return bounds(operator?.text ?? '', rest);
}

function between(words: readonly Word[]): AllowedValues {
  const and = words.findIndex(({ text }) => text === 'AND');
  const [least, most] = [numberOf(words.slice(0, and)), numberOf(words.slice(and + 1))];
  return and < 0 || least === null || most === null ? ANYTHING : { ...ANYTHING, least, most };
}

/** Numbers next to a bound that does not belong to the range are the business of the column's own step. */
function bounds(operator: string, words: readonly Word[]): AllowedValues {
  const value = numberOf(words);
  if (value === null) return ANYTHING;
  const step = Number.isInteger(value) ? 1 : 0;
  switch (operator) {
    case '>=':
      return { ...ANYTHING, least: value };
    case '>':
      return { ...ANYTHING, least: value + step };
    case '<=':
      return { ...ANYTHING, most: value };
    case '<':
      return { ...ANYTHING, most: value - step };
    case '=':
      return { ...ANYTHING, least: value, most: value };
    default:
      return ANYTHING;
  }
}

function ofLength(words: readonly Word[]): AllowedValues {
  const { least, most } = ofColumn(words);
  return { ...ANYTHING, shortest: least, longest: most };
}

/** Null unless all of it are literals. */
function listOf(words: readonly Word[]): readonly (string | number)[] | null {
  const values: (string | number)[] = [];
  for (const item of items(unwrapped(words))) {
    const [only, ...rest] = item;
    const number = numberOf(item);
    if (number !== null) values.push(number);
    else if (only?.kind === Token.text && rest.length === 0) values.push(only.text.slice(1, -1).replaceAll("''", "'"));
    // NULL in a list allows nothing.
    else if (only?.text !== 'NULL' || rest.length > 0) return null;
  }
  return values.length > 0 ? values : null;
}

function items(words: readonly Word[]): readonly (readonly Word[])[] {
  const found: Word[][] = [[]];
  for (const word of words) {
    if (word.text === ',') found.push([]);
    else found.at(-1)!.push(word);
  }
  return found;
}

function numberOf(words: readonly Word[]): number | null {
  const [first, second, ...rest] = words;
  const isSigned = first?.text === '-' || first?.text === '+';
  const digits = isSigned ? second : first;
  if (digits?.kind !== Token.number || rest.length > 0 || (!isSigned && second !== undefined)) return null;
  const value = Number(digits.text.replaceAll('_', ''));
  return Number.isFinite(value) ? value * (first!.text === '-' ? -1 : 1) : null;
}

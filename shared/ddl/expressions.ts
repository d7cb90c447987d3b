// Names inside expressions of a table or index, which cannot contain queries: which names refer to a column, and when two expressions are
// the same.
import { SqlScanner, Token } from '../sql-scanner.ts';
import { foldName, isReserved, sameName, writeName } from './names.ts';
import { replaceName } from './text-edits.ts';
import type { TextEdit } from './text-edits.ts';
import type { SqlPart } from './table-model.ts';

interface ExpressionToken {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Kind of thing a name refers to: a column, or the table in `t.a`; null for other tokens. */
  readonly names: { readonly means: 'column' | 'table'; readonly name: string } | null;
}

const CONSTANTS = new Set(['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);
const OPERATORS = new Set(['LIKE', 'GLOB', 'REGEXP', 'MATCH']);
/** Reserved words after which no operand is expected. */
const OPERAND_WORDS = new Set(['NULL', 'ISNULL', 'NOTNULL']);

/** Reads an expression with one token of lookahead. Words such as END are keywords only where SQLite's grammar allows them. */
class ExpressionReader {
  readonly tokens: ExpressionToken[] = [];
  /** Whether the previous token ends an operand. */
  #afterOperand = false;
  #before = '';
  #depth = 0;
  #cases = 0;
  /** The nesting depth of the type in a CAST; -1 outside one. */
  #typeDepth = -1;

  constructor(sql: string) {
    const scanner = new SqlScanner(sql);
    scanner.next();
    while (scanner.kind !== Token.end) {
      const { kind, from, to, text } = scanner;
      const name = kind === Token.word || kind === Token.quoted ? scanner.name : null;
      scanner.next();
      const names = this.#look(kind, text, name, scanner.text);
      this.tokens.push({ from, to, text, names });
    }
  }

  #look(kind: Token, text: string, name: string | null, next: string): ExpressionToken['names'] {
    const upper = kind === Token.word ? text.toUpperCase() : text;
    const before = this.#before;
    this.#before = upper;
    if (text === '(') this.#depth += 1;
    if (text === ')') this.#depth -= 1;
    if (this.#typeDepth > this.#depth) this.#typeDepth = -1;
    const isKeyword = kind === Token.word && this.#isKeyword(upper, before);
    const isOther = kind === Token.other && text.length === 1 && text !== ')';
    this.#afterOperand = isKeyword
      ? OPERAND_WORDS.has(upper) || CONSTANTS.has(upper) || upper === 'END'
      : !isOther && kind !== Token.semicolon;
    if (upper === 'AS' && isKeyword) this.#typeDepth = this.#depth;
    const isName = name !== null && !isKeyword && next !== '(' && before !== 'COLLATE' && this.#typeDepth < 0;
    return isName ? { means: next === '.' ? 'table' : 'column', name } : null;
  }

  #isKeyword(upper: string, before: string): boolean {
    if (upper === 'CASE') this.#cases += 1;
    if (upper === 'END' && this.#cases > 0 && this.#afterOperand) {
      this.#cases -= 1;
      return true;
    }
    if (OPERATORS.has(upper)) return this.#afterOperand || before === 'NOT';
    return CONSTANTS.has(upper) || isReserved(upper);
  }
}

/** Whether an expression refers to a column of its own table. */
export function mentionsColumn({ sql }: SqlPart, column: string): boolean {
  if (!foldName(sql).includes(foldName(column)) && !/["`\]]/.test(sql)) return false;
  return new ExpressionReader(sql).tokens.some(
    ({ names }) => names?.means === 'column' && sameName(names.name, column),
  );
}

/** Edits that rename a column or the table in an expression. */
export function renameInExpression(
  { sql, span }: SqlPart,
  means: 'column' | 'table',
  from: string,
  to: string,
): TextEdit[] {
  return new ExpressionReader(sql).tokens
    .filter(({ names }) => names?.means === means && sameName(names.name, from))
    .map((token) => {
      const edit = replaceName(sql, token, to);
      return { ...edit, from: span.from + edit.from, to: span.from + edit.to };
    });
}

/**
 * Returns the same text for equal expressions: without comments and white space, and regardless of case and quotes.
 *
 * @param renamed column names in lower case, mapped to their new names
 * @param table the same for the name of the table
 */
export function normalizeExpression(sql: string, renamed?: ReadonlyMap<string, string>, table?: RenamedTable): string {
  return new ExpressionReader(sql).tokens.map((token) => normalizeToken(token, renamed, table)).join(' ');
}

interface RenamedTable {
  readonly from: string;
  readonly to: string;
}

function normalizeToken(
  { text, names }: ExpressionToken,
  renamed?: ReadonlyMap<string, string>,
  table?: RenamedTable,
): string {
  if (names) {
    const name = foldName(names.name);
    if (names.means === 'table') return writeName(name === table?.from ? table.to : name);
    return writeName(renamed?.get(name) ?? name);
  }
  const first = text[0]!;
  return first === "'" || first === '"' || first === '`' || first === '[' ? text : foldName(text);
}

/** Whether a text that continues on the same line would be part of a comment, if the text has no quotes there. */
export const endsInComment = (sql: string): boolean => sql.slice(sql.lastIndexOf('\n') + 1).includes('--');

/** Makes an expression safe before a closing parenthesis: a trailing `--` comment gets a line end. */
export function asInside(sql: string): string {
  const text = sql.trim();
  const scanner = new SqlScanner(text);
  let end = 0;
  while (scanner.next() !== Token.end) end = scanner.to;
  return endsInComment(text.slice(end).replace(/\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)/g, '')) ? `${text}\n` : text;
}

/** Why a text cannot be an expression in parentheses, as a sentence; null if it can, judging by its parentheses. */
export function expressionProblem(sql: string): string | null {
  const scanner = new SqlScanner(sql);
  let depth = 0;
  let last = 0;
  while (scanner.next() !== Token.end) {
    const { kind, text, from } = scanner;
    if (kind === Token.semicolon) return 'An expression has no semicolon.';
    if (kind === Token.other && text === '(') depth += 1;
    if (kind === Token.other && text === ')') depth -= 1;
    if (depth < 0) return 'There is one closing parenthesis too many.';
    if (kind === Token.other && text === ',' && depth === 0) return 'This is more than one expression.';
    if ((kind === Token.text || kind === Token.quoted) && !isClosed(text)) return 'A quote is never closed.';
    last = scanner.to;
    if (from === scanner.to) break;
  }
  if (depth > 0) return 'A closing parenthesis is missing.';
  if (last === 0) return 'The expression is empty.';
  if (scanner.from < sql.length) return 'It contains a NUL character.';
  const rest = sql.slice(last);
  return rest.includes('/*') && !rest.trimEnd().endsWith('*/') ? 'A comment is never closed.' : null;
}

function isClosed(text: string): boolean {
  const close = text[0] === '[' ? ']' : text[0]!;
  const inner = text.slice(1, -1);
  return text.length > 1 && text.endsWith(close) && (close === ']' || (inner.split(close).length - 1) % 2 === 0);
}

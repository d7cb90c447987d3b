// Splits a text into statements where SQLite's own shell does (sqlite src/complete.c): semicolons inside CREATE TRIGGER end none.
import { skipToStatement, SqlScanner, Token } from './sql-scanner.ts';

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Ranges of the statements, without white space and comments around them, with their semicolon. */
export function splitStatements(sql: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (let range = nextStatement(sql, 0); range; range = nextStatement(sql, range.to)) ranges.push(range);
  return ranges;
}

/** The first statement from `at` on, which is not inside another one; null when there is none. */
export function nextStatement(sql: string, at: number): TextRange | null {
  const from = skipToStatement(sql, at);
  const scanner = new SqlScanner(sql, from);
  if (toEndOfStatement(scanner) === Token.semicolon) return { from, to: scanner.to };
  return scanner.from === from ? null : { from, to: endOfTokens(sql, from) };
}

/** Moves to the semicolon that ends the statement at the scanner, or to the end of the text. @returns the kind of that token */
export function toEndOfStatement(scanner: SqlScanner): Token {
  if (!definesTrigger(scanner)) return isEnd(scanner) ? scanner.kind : scanner.toSemicolon();
  // `CREATE TRIGGER … BEGIN …; … END;`: only a semicolon behind END, behind another semicolon, ends it.
  scanner.toSemicolon();
  while (scanner.kind !== Token.end) {
    scanner.next();
    const isLast = isWord(scanner, 'end') && scanner.next() === Token.semicolon;
    if (isLast) break;
    if (!isEnd(scanner)) scanner.toSemicolon();
  }
  return scanner.kind;
}

/** Reads the first words of a statement. */
function definesTrigger(scanner: SqlScanner): boolean {
  scanner.next();
  for (const word of ['explain', 'query', 'plan']) if (isWord(scanner, word)) scanner.next();
  if (!isWord(scanner, 'create')) return false;
  scanner.next();
  if (isWord(scanner, 'temp') || isWord(scanner, 'temporary')) scanner.next();
  return isWord(scanner, 'trigger');
}

const isEnd = ({ kind }: SqlScanner): boolean => kind === Token.semicolon || kind === Token.end;

const isWord = (scanner: SqlScanner, word: string): boolean =>
  scanner.kind === Token.word && scanner.to - scanner.from === word.length && scanner.text.toLowerCase() === word;

function endOfTokens(sql: string, from: number): number {
  const scanner = new SqlScanner(sql, from);
  let { to } = scanner;
  while (scanner.next() !== Token.end) to = scanner.to;
  return to;
}

const KEYWORD = /[A-Za-z]+(?![\w$\u0080-\uffff])/y;

/** The first word of a statement, in capitals; '' when it starts with something else. */
export function leadingKeyword(sql: string, from = 0): string {
  KEYWORD.lastIndex = skipToStatement(sql, from);
  return KEYWORD.exec(sql)?.[0].toUpperCase() ?? '';
}

/** The first words and signs of a statement, in capitals, without comments. */
export function leadingWords(sql: string, from: number, count: number): string[] {
  const words: string[] = [];
  const scanner = new SqlScanner(sql, skipToStatement(sql, from));
  while (words.length < count && scanner.next() !== Token.end && scanner.kind !== Token.semicolon)
    words.push(scanner.text.toUpperCase());
  return words;
}

/** End of the word, string or sign that begins at `from`. */
export function tokenEnd(sql: string, from: number): number {
  const scanner = new SqlScanner(sql, from);
  scanner.next();
  return scanner.to;
}

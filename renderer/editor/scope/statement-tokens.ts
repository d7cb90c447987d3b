// The tokens of the statement at a position: what completion, hovers, and renaming read, half-typed SQL included.
import { lastWhere } from '#shared/binary-search.ts';
import { toEndOfStatement } from '#shared/split-statements.ts';
import type { TextRange } from '#shared/split-statements.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export interface SqlToken {
  readonly kind: Token;
  readonly from: number;
  readonly to: number;
  /** A word in lower case, or the sign; '' for quoted names, texts, numbers, and parameters. */
  readonly word: string;
  /** The name that a word or a quoted name stands for; '' for everything else. */
  readonly name: string;
}

/**
 * @param position UTF-16 offset; a statement reaches to the end of its semicolon
 * @returns positions relative to `sql`. A trigger is one statement, its body included
 */
export function statementTokensAt(sql: string, position: number): readonly SqlToken[] {
  const { from, to } = statementAt(sql, position);
  const scanner = new SqlScanner(sql, from);
  const tokens: SqlToken[] = [];
  while (scanner.next() !== Token.end && scanner.to <= to) tokens.push(tokenOf(scanner));
  return tokens;
}

/**
 * Starts of the statements in the text that was asked about last, as far as it was read. A statement that has ended is not changed by what
 * follows it, so of a text that is being typed only the part behind the first change, or behind the position before, has to be read.
 */
class StatementStarts {
  #sql = '';
  #starts: number[] = [0];

  /** The last one that is known to be one in `sql`, too, and is not behind `position`. */
  before(sql: string, position: number): number {
    const starts = this.#starts;
    const isSame = (index: number): boolean => sql.slice(0, starts[index]) === this.#sql.slice(0, starts[index]);
    const last = Math.max(
      0,
      lastWhere(starts.length, (index) => starts[index]! <= position),
    );
    // Almost always nothing before the position has changed.
    const kept = isSame(last) ? last : lastWhere(starts.length, isSame);
    this.#sql = sql;
    this.#starts.length = kept + 1;
    return this.#starts[kept]!;
  }

  /** The next one behind those that are known. */
  note(start: number): void {
    this.#starts.push(start);
  }
}

const statementStarts = new StatementStarts();

/** Bounds of a statement without its semicolon. Most of a long text is only skipped here, so none of its tokens are kept. */
function statementAt(sql: string, position: number): TextRange {
  let from = statementStarts.before(sql, position);
  const scanner = new SqlScanner(sql, from);
  while (toEndOfStatement(scanner) === Token.semicolon && scanner.from < position) {
    from = scanner.to;
    statementStarts.note(from);
  }
  return { from, to: scanner.from };
}

function tokenOf(scanner: SqlScanner): SqlToken {
  const { kind, from, to } = scanner;
  const isName = kind === Token.word || kind === Token.quoted;
  const word =
    kind === Token.word || kind === Token.other || kind === Token.semicolon ? scanner.text.toLowerCase() : '';
  return { kind, from, to, word, name: isName ? scanner.name : '' };
}

/** For each opening parenthesis the index of the closing one, or the number of tokens if there is none. */
export function closesOf(tokens: readonly SqlToken[]): readonly number[] {
  const closes: number[] = tokens.map(() => tokens.length);
  const open: number[] = [];
  tokens.forEach(({ word }, index) => {
    if (word === '(') open.push(index);
    else if (word === ')') {
      const from = open.pop();
      if (from !== undefined) closes[from] = index;
    }
  });
  return closes;
}

// The tokens of the statement at a position: what completion, hovers, and renaming read, half-typed SQL included.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export interface SqlToken {
  readonly kind: Token;
  readonly from: number;
  readonly to: number;
  /** A word in lower case, or the sign; '' for quoted names, texts, numbers, and parameters. */
  readonly word: string;
  /** What a word or a quoted name stands for; '' for everything else. */
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

/** Without its semicolon. Most of a long text is only passed over here, so nothing is kept of its tokens. */
function statementAt(sql: string, position: number): { readonly from: number; readonly to: number } {
  const scanner = new SqlScanner(sql);
  let from = 0;
  let trigger = new TriggerWatch();
  for (;;) {
    const kind = scanner.next();
    if (kind === Token.end) return { from, to: scanner.from };
    const isInside = trigger.passes(scanner);
    if (kind !== Token.semicolon || isInside) continue;
    if (scanner.from >= position) return { from, to: scanner.from };
    from = scanner.to;
    trigger = new TriggerWatch();
  }
}

/** `CREATE TRIGGER … BEGIN …; … END;`: semicolons before END belong to its body. */
class TriggerWatch {
  #tokens = 0;
  #isCreate = false;
  #isTrigger = false;
  #isBehindSemicolon = false;
  #isBehindEnd = false;

  /** Takes the next token. @returns true for a semicolon inside the body */
  passes(scanner: SqlScanner): boolean {
    this.#tokens++;
    if (this.#isTrigger) return this.#passesBody(scanner);
    if (this.#tokens > 3 || scanner.kind !== Token.word) return false;
    const word = scanner.text.toLowerCase();
    if (this.#tokens === 1) this.#isCreate = word === 'create';
    else if (this.#isCreate && word === 'trigger') this.#isTrigger = true;
    return false;
  }

  #passesBody(scanner: SqlScanner): boolean {
    const isSemicolon = scanner.kind === Token.semicolon;
    const isInside = isSemicolon && !this.#isBehindEnd;
    const isWord = scanner.kind === Token.word && scanner.to - scanner.from === 3;
    this.#isBehindEnd = isWord && this.#isBehindSemicolon && scanner.text.toLowerCase() === 'end';
    this.#isBehindSemicolon = isSemicolon;
    return isInside;
  }
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

// Tells what tokens mean by their position: names, keywords, the beginnings of clauses, result columns.
import { Token } from '#shared/sql-scanner.ts';
import { CLAUSES } from './clause-keywords.ts';
import type { ResultItem } from './query-blocks.ts';
import type { SqlToken } from './statement-tokens.ts';

type Tokens = readonly SqlToken[];

const wordAt = (tokens: Tokens, index: number): string => tokens[index]?.word ?? '';

export function isName(token: SqlToken | undefined): boolean {
  return token?.kind === Token.word || token?.kind === Token.quoted;
}

/** Reserved words are keywords behind a dot too: what follows the dot is not typed yet. */
export function isKeyword(tokens: Tokens, at: number): boolean {
  const { kind, word } = tokens[at]!;
  if (kind !== Token.word) return false;
  return wordAt(tokens, at - 1) !== '.' || (word !== 'offset' && word !== 'window');
}

export function beginsClause(tokens: Tokens, at: number): boolean {
  const word = wordAt(tokens, at);
  if (!CLAUSES.has(word)) return false;
  // `IS DISTINCT FROM` begins nothing.
  return word !== 'from' || wordAt(tokens, at - 1) !== 'distinct' || !['is', 'not'].includes(wordAt(tokens, at - 2));
}

/** A SELECT that belongs to an INSERT ends where ON CONFLICT or RETURNING begin. */
export function insertedEnd(tokens: Tokens, closes: readonly number[], from: number, end: number): number {
  for (let index = from; index < end; index++) {
    if (wordAt(tokens, index) === '(') index = closes[index]!;
    const word = wordAt(tokens, index);
    const isOfInsert = word === 'returning' || (word === 'on' && wordAt(tokens, index + 1) === 'conflict');
    if (isOfInsert || word === ';') return index;
  }
  return end;
}

/** The result column that these tokens are; null for an expression without a name. */
export function resultItem(tokens: Tokens, from: number, to: number): ResultItem | null {
  const last = tokens[to - 1];
  if (to <= from || !last) return null;
  if (last.word === '*' && (to - from === 1 || wordAt(tokens, to - 2) === '.'))
    return { kind: 'all', of: to - from === 1 ? null : (tokens[to - 3]?.name ?? null) };
  if (isName(last) && last.word !== 'end') return { kind: 'column', name: last.name, at: last };
  return null;
}

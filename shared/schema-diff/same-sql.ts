// Whether two texts of SQL differ in nothing but comments, white space, the quotes of names, and the case of keywords.
import { isReserved, writeName } from '../ddl/names.ts';
import { SqlScanner, Token } from '../sql-scanner.ts';

/** Words that are keywords in a definition, although SQLite accepts them as names. */
const KEYWORDS = new Set(
  (
    'abort action after always asc before begin by cascade conflict current desc each end every fail for generated glob ignore initially ' +
    'instead key like match no of offset query raise replace restrict rollback row rowid strict temp temporary trigger using view virtual ' +
    'with without'
  ).split(' '),
);

/** It names the same with quotes and without. */
const isPlainName = (word: string): boolean => writeName(word) === word && !/^(?:true|false)$/i.test(word);
const isKeyword = (word: string): boolean => isReserved(word) || KEYWORDS.has(word.toLowerCase());

/**
 * Compares token by token, as SQLite reads them. `"a"` is the same as `a`, but `"A"` is not the same as `a`: what is in double quotes may be a
 * text.
 */
export function sameSql(one: string, other: string): boolean {
  if (one === other) return true;
  const [left, right] = [new SqlScanner(one), new SqlScanner(other)];
  for (;;) {
    left.next();
    right.next();
    if (left.kind === Token.end || right.kind === Token.end) return left.kind === right.kind;
    if (!sameToken(left, right)) return false;
  }
}

function sameToken(left: SqlScanner, right: SqlScanner): boolean {
  const [one, other] = [left.text, right.text];
  if (one === other) return true;
  const isName = ({ kind }: SqlScanner): boolean => kind === Token.word || kind === Token.quoted;
  if (!isName(left) || !isName(right)) return false;
  if (left.kind === Token.word && right.kind === Token.word)
    return isKeyword(one) && one.toLowerCase() === other.toLowerCase();
  const word = left.kind === Token.word ? one : right.kind === Token.word ? other : null;
  return left.name === right.name && (word === null || isPlainName(word));
}

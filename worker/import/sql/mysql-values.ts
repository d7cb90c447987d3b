// Values and INSERT statements of MySQL, written for SQLite.
import { quoteName } from '../../sql/quote.ts';
import { asText } from './byte-text.ts';
import { blobOf, literalOf, nameOf, written } from './rewriting.ts';
import { isSign, isWord, tokensOf } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import type { SqlAction } from './translator.ts';

/** An INSERT without these means the same to SQLite and needs no change. */
const NEEDS_REWRITING = /[\\"\0\x80-\xff]|\b0x|\b_[a-z]|\bb'|\bON\s+DUPLICATE\b|\d[\d.]{16}/i;
const NAME_IN_INSERT = /^(?:INSERT|REPLACE)(?:\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY))?(\s+IGNORE)?\s+(?:INTO\s+)?/i;
const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });

/** `db`.`table` or `table`. Returns the name, and the place after it. */
export function tableName(tokens: readonly SqlToken[], at: number): readonly [string, number] {
  return isSign(tokens[at + 1], '.') ? [nameOf(tokens[at + 2]), at + 3] : [nameOf(tokens[at]), at + 1];
}

/** `0x41`, `_binary 'A'`, `b'1'` and `"A"` as SQLite writes them. */
export function values(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const result: SqlToken[] = [];
  const put = (from: SqlToken, text: string): void =>
    void result.push({ kind: 'number', text, value: text, at: from.at });
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const next = tokens[at + 1];
    const isPrefix =
      token.kind === 'word' && (next?.kind === 'string' || (next?.kind === 'number' && /^0x/i.test(next.text)));
    if (isPrefix && token.text.startsWith('_') && next?.kind === 'string')
      put(tokens[++at]!, /^_binary$/i.test(token.text) ? blobOf(next.value) : literalOf(next.value));
    else if (isPrefix && token.text.startsWith('_')) continue;
    else if (isPrefix && isWord(token, 'B')) put(tokens[++at]!, String(BigInt(`0b${next.value || '0'}`)));
    else if (isPrefix && isWord(token, 'X')) put(tokens[++at]!, `X'${next.value}'`);
    else if (isPrefix && isWord(token, 'N')) put(tokens[++at]!, literalOf(next.value));
    else if (token.kind === 'number' && /^0x/i.test(token.text))
      put(token, `X'${token.text.length % 2 === 0 ? '' : '0'}${token.text.slice(2)}'`);
    // Beyond what REAL keeps: in a column of text all digits stay.
    else if (/^\d{19,}$|^(?=.{17})\d*\.\d+$/.test(token.text)) putLong(result, token);
    else result.push(token);
  }
  return result;
}

/** Writes the number as text, including its sign, which would make a number of the text. */
function putLong(result: SqlToken[], token: SqlToken): void {
  const isNegative = isSign(result.at(-1), '-') && (isSign(result.at(-2), ',') || isSign(result.at(-2), '('));
  if (isNegative) result.pop();
  const text = `'${isNegative ? '-' : ''}${token.text}'`;
  result.push({ kind: 'number', text, value: text, at: token.at });
}

export function insert(text: string, word: string): SqlAction {
  const head = NAME_IN_INSERT.exec(text);
  if (!head) return refuse('This form of INSERT is not known.');
  const into = word === 'REPLACE' ? 'REPLACE INTO ' : head[1] === undefined ? 'INSERT INTO ' : 'INSERT OR IGNORE INTO ';
  const rest = text.slice(head[0].length);
  if (!NEEDS_REWRITING.test(rest) && !/^[^(]*\.\s*`/.test(rest.slice(0, 200)))
    return { do: 'run', sql: [into + asText(rest)] };
  const tokens = tokensOf(rest, 'mysql');
  const [name, after] = tableName(tokens, 0);
  if (tokens.slice(after).some((token, at) => isWord(token, 'DUPLICATE') && isWord(tokens[after + at + 1], 'KEY')))
    return refuse('SQLite has no ON DUPLICATE KEY UPDATE.');
  return { do: 'run', sql: [`${into}${quoteName(name)} ${written(values(tokens.slice(after)))}`] };
}

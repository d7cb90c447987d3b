// Column definitions of MySQL as SQLite understands them: type, NOT NULL, default, checks, generated columns.
import type { ColumnContent, InsertTarget } from './column-content.ts';
import { digitsOf } from './inserted-rows.ts';
import { blobOf, literalOf, nameOf, written } from './rewriting.ts';
import type { MadeColumn } from './rewriting.ts';
import { bytesOfHex, values } from './mysql-values.ts';
import { afterParentheses, checksIn, isComputed, isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import { contentOfType } from './column-content.ts';

const TYPES: readonly (readonly [RegExp, string | null])[] = [
  [/^(?:tiny|medium|long)?blob|^(?:var)?binary|^geometry|^point|^polygon|^linestring/i, 'BLOB'],
  [/^(?:enum|set)\b/i, 'TEXT'],
  [/^(?:tiny|medium|long)?text|^json|^uuid|^inet/i, 'TEXT'],
  [/^(?:national\s+)?(?:var)?char(?:acter)?(?:\s+varying)?/i, null],
];
const LONG_DECIMAL = /^(?:decimal|numeric|dec|fixed)\s*\(\s*(\d+)/i;

/** Types of numbers, whose values may need a column of text. */
const NUMBERS = /^(?:(?:tiny|small|medium|big)?int|dec|numeric|fixed|serial)/i;

/** SQLite derives its affinity from a part of the declared type; where that would change values, another type is declared. */
function typeOf(declared: string): string {
  const digits = LONG_DECIMAL.exec(declared)?.[1];
  // REAL has 15 digits.
  if (digits !== undefined && Number(digits) > 15) return 'TEXT';
  const found = TYPES.find(([pattern]) => pattern.test(declared));
  return found?.[1] ?? declared;
}

export interface MysqlColumn extends MadeColumn, InsertTarget {
  /** CHECK (…), for SQLite. */
  readonly checks: readonly string[];
  /** SQLite does not have its default. */
  readonly losesDefault: boolean;
}

/** @param isLong values of this column need more than 64 bits */
export function columnOf(tokens: readonly SqlToken[], isLong: boolean): MysqlColumn {
  let at = 1;
  while (tokens[at]?.kind === 'word' && !isWord(tokens[at], ...AFTER_TYPE) && !isSign(tokens[at], '(')) at++;
  if (isSign(tokens[at], '(')) at = afterParentheses(tokens, at);
  const declared = written(tokens.slice(1, at));
  const type = isLong ? 'TEXT' : typeOf(declared);
  const after = tokens.slice(at);
  const content = contentOfType(type);
  const isNumber = content === 'text' && NUMBERS.test(declared);
  const holds = /^bit\b/i.test(declared) ? 'bits' : isNumber ? 'digits' : content;
  const rest = restOf(after, holds);
  const checks = checksIn(after).map((check) => `CHECK ${written(values(check))}`);
  return {
    name: nameOf(tokens[0]),
    type,
    rest,
    checks,
    holds,
    losesDefault: after.some((token) => isWord(token, 'DEFAULT')) && !rest.includes(' DEFAULT '),
    isGenerated: isComputed(after),
  };
}

const AFTER_TYPE = [
  'NOT', 'NULL', 'DEFAULT', 'AUTO_INCREMENT', 'PRIMARY', 'UNIQUE', 'KEY', 'COMMENT', 'COLLATE', 'CHARACTER', 'CHARSET', 'GENERATED', 'AS', 'ON',
  'UNSIGNED', 'SIGNED', 'ZEROFILL', 'CHECK', 'REFERENCES', 'VIRTUAL', 'STORED', 'INVISIBLE', 'VISIBLE', 'CONSTRAINT',
]; // prettier-ignore

/** NOT NULL, DEFAULT, UNIQUE, CHECK and generated columns; SQLite has no use for the rest. */
function restOf(tokens: readonly SqlToken[], holds: ColumnContent): string {
  let text = '';
  for (let at = 0; at < tokens.length; at++) {
    if (isWord(tokens[at], 'NOT') && isWord(tokens[at + 1], 'NULL')) text += ' NOT NULL';
    else if (isWord(tokens[at], 'UNIQUE')) text += ' UNIQUE';
    else if (isWord(tokens[at], 'DEFAULT')) text += defaultOf(tokens, ++at, holds);
    else if (isWord(tokens[at], 'AS') && isSign(tokens[at + 1], '(')) {
      const after = afterParentheses(tokens, at + 1);
      text += ` ${written(values(tokens.slice(at, after)))}${isWord(tokens[after], 'STORED', 'PERSISTENT') ? ' STORED' : ''}`;
      at = after;
    } else if (isWord(tokens[at], 'COMMENT', 'COLLATE', 'CHARSET')) at++;
    if (isSign(tokens[at], '(')) at = afterParentheses(tokens, at) - 1;
  }
  return text;
}

/** Anything but a literal stands in parentheses. */
function defaultText(value: string): string {
  const literal = literalOf(value);
  return literal.startsWith("'") ? literal : `(${literal})`;
}

function defaultOf(tokens: readonly SqlToken[], at: number, holds: ColumnContent): string {
  const token = tokens[at];
  const digits =
    holds === 'text' || holds === 'digits' ? digitsOf(tokens.slice(at, isSign(token, '-') ? at + 2 : at + 1)) : null;
  if (digits !== null) return ` DEFAULT ${digits}`;
  if (isSign(token, '(')) return ` DEFAULT ${written(values(tokens.slice(at, afterParentheses(tokens, at))))}`;
  if (isWord(token, 'CURRENT_TIMESTAMP', 'NOW', 'LOCALTIMESTAMP')) return ' DEFAULT CURRENT_TIMESTAMP';
  if (isWord(token, 'NULL', 'TRUE', 'FALSE')) return ` DEFAULT ${token!.text}`;
  if (isSign(token, '-')) return tokens[at + 1]?.kind === 'number' ? ` DEFAULT -${tokens[at + 1]!.text}` : '';
  if (token?.kind === 'string') return ` DEFAULT ${holds === 'bytes' ? blobOf(token.value) : defaultText(token.value)}`;
  const hex = bytesOfHex(tokens.slice(at, at + 1)) ?? bytesOfHex(tokens.slice(at, at + 2));
  if (hex !== null && holds === 'bytes') return ` DEFAULT ${blobOf(hex)}`;
  if (hex !== null && holds === 'text') return ` DEFAULT ${defaultText(hex)}`;
  if (token?.kind === 'number') return ` DEFAULT ${token.text}`;
  return tokens[at + 1]?.kind === 'string' && token?.kind === 'word'
    ? ` DEFAULT ${written(values(tokens.slice(at, at + 2)))}`
    : '';
}

// CREATE TABLE and the keys of MySQL, as parts of a table of SQLite.
import { quoteName } from '../../sql/quote.ts';
import type { TableName } from './mysql-names.ts';
import { values, bytesOfHex } from './mysql-values.ts';
import { constraintSql, nameOf, written, blobOf, literalOf, type MadeColumn } from './rewriting.ts';
import { afterParentheses, isPeriod, isSign, isWord, splitAtCommas, checksIn, isComputed } from './tokens.ts';
import type { SqlToken } from './tokens.ts';
import { type ColumnContent, type InsertTarget, contentOfType } from './column-content.ts';
import { digitsOf } from './inserted-rows.ts';

export interface MysqlTable {
  readonly name: string;
  readonly ifNotExists: boolean;
  readonly columns: readonly MysqlColumn[];
  readonly constraints: readonly string[];
  readonly checks: readonly string[];
  readonly indexes: readonly Index[];
  readonly primaryKey: readonly string[];
  /** The column with AUTO_INCREMENT. */
  readonly counts: string | null;
  /** AUTO_INCREMENT = …, the number of the next row. */
  readonly next: number | null;
}

/** Null: it has no list of columns. @param longOf columns with values of more than 64 bits */
export function parsedTable(
  tokens: readonly SqlToken[],
  from: number,
  longOf: LongColumns,
  tableName: TableName,
): MysqlTable | null {
  const ifNotExists = isWord(tokens[from], 'IF');
  const [name, open] = tableName(tokens, ifNotExists ? from + 3 : from);
  if (!isSign(tokens[open], '(')) return null;
  // Its columns are those of another table.
  if (isWord(tokens[open + 1], 'LIKE')) return null;
  const close = afterParentheses(tokens, open);
  const long = longOf.get(name) ?? new Set();
  const columns: MysqlColumn[] = [];
  const constraints: string[] = [];
  const checks: string[] = [];
  const indexes: Index[] = [];
  let primaryKey: readonly string[] = [];
  let counts: string | null = null;
  for (const item of splitAtCommas(tokens.slice(open + 1, close - 1))) {
    if (isPeriod(item)) continue;
    const index = indexOf(item, false);
    const bare = withoutName(item);
    const constraint = constraintOf(item, tableName);
    if (index) indexes.push(index);
    else if (isWord(bare[0], 'PRIMARY')) primaryKey = columnNames(bare);
    else if (constraint !== null) (isCheck(constraint) ? checks : constraints).push(constraint);
    else {
      const column = columnOf(item, long.has(nameOf(item[0])));
      columns.push(column);
      checks.push(...column.checks);
      if (item.some((token) => isWord(token, 'AUTO_INCREMENT'))) counts = column.name;
      if (item.some((token, at) => isWord(token, 'PRIMARY') && isWord(item[at + 1], 'KEY'))) primaryKey = [column.name];
    }
  }
  return {
    name,
    ifNotExists,
    columns,
    constraints,
    checks,
    indexes,
    primaryKey,
    counts,
    next: nextOf(tokens.slice(close)),
  };
}

/** Names of columns by table. */
export type LongColumns = ReadonlyMap<string, ReadonlySet<string>>;

/** `AUTO_INCREMENT=41` */
export function nextOf(tokens: readonly SqlToken[]): number | null {
  const at = tokens.findIndex((token, place) => isWord(token, 'AUTO_INCREMENT') && isSign(tokens[place + 1], '='));
  const value = at < 0 ? undefined : tokens[at + 2];
  return value?.kind === 'number' ? Number(value.text) : null;
}

const withoutName = (item: readonly SqlToken[]): readonly SqlToken[] =>
  isWord(item[0], 'CONSTRAINT') ? item.slice(isWord(item[1], 'FOREIGN', 'CHECK', 'PRIMARY', 'UNIQUE') ? 1 : 2) : item;

export const isCheck = (constraint: string): boolean => constraint.startsWith('CHECK');

/** A foreign key or CHECK for SQLite; null for anything else. */
export function constraintOf(item: readonly SqlToken[], tableName: TableName): string | null {
  const bare = withoutName(item);
  if (isWord(bare[0], 'FOREIGN')) return constraintSql(bare, tableName);
  return isWord(bare[0], 'CHECK') ? written(values(bare.slice(0, afterParentheses(bare, 1)))) : null;
}

export interface Index {
  readonly name: string;
  /** Columns as written in an index of SQLite. */
  readonly columns: readonly string[];
  readonly isUnique: boolean;
  /** It has an expression among its columns, which may mean something else to SQLite. */
  readonly isOfExpression: boolean;
}

/** `[UNIQUE|FULLTEXT|SPATIAL|VECTOR] KEY name (…)`; null for anything else. */
export function indexOf(item: readonly SqlToken[], isPrimary: boolean): Index | null {
  const bare = withoutName(item);
  const isUnique = isWord(bare[0], 'UNIQUE');
  const isVector = isWord(bare[0], 'VECTOR') && isWord(bare[1], 'KEY', 'INDEX');
  const isIndex = isUnique || isWord(bare[0], 'KEY', 'INDEX', 'FULLTEXT', 'SPATIAL') || isVector || isPrimary;
  const open = bare.findIndex((token) => isSign(token, '('));
  if (!isIndex || open < 0 || bare[0]?.kind === 'name') return null;
  const named = bare
    .slice(1, open)
    .find((token) => token.kind === 'name' || !isWord(token, 'KEY', 'INDEX', 'USING', 'BTREE', 'HASH'));
  const parts = splitAtCommas(bare.slice(open + 1, afterParentheses(bare, open) - 1));
  const columns = parts.map((part) => quoteName(nameOf(part[0])) + (isWord(part.at(-1), 'DESC') ? ' DESC' : ''));
  const isOfExpression = parts.some(([first]) => isSign(first, '('));
  return { name: isPrimary || !named ? '' : nameOf(named), columns, isUnique: isUnique || isPrimary, isOfExpression };
}

export const columnNames = (tokens: readonly SqlToken[]): readonly string[] => {
  const open = tokens.findIndex((token) => isSign(token, '('));
  return splitAtCommas(tokens.slice(open + 1, afterParentheses(tokens, open) - 1)).map(([first]) => nameOf(first));
};

// Column definitions of MySQL as SQLite understands them: type, NOT NULL, default, checks, generated columns.

const TYPES: readonly (readonly [RegExp, string | null])[] = [
  [/^(?:tiny|medium|long)?blob|^(?:var)?binary|^geometry|^point|^polygon|^linestring|^vector/i, 'BLOB'],
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

interface MysqlColumn extends MadeColumn, InsertTarget {
  /** CHECK (…), for SQLite. */
  readonly checks: readonly string[];
  /** SQLite does not have its default. */
  readonly losesDefault: boolean;
}

/** @param isLong values of this column need more than 64 bits */
function columnOf(tokens: readonly SqlToken[], isLong: boolean): MysqlColumn {
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

// CREATE TABLE and the keys of MySQL, as parts of a table of SQLite.
import { quoteName } from '../../sql/quote.ts';
import { columnOf } from './mysql-columns.ts';
import type { MysqlColumn } from './mysql-columns.ts';
import type { TableName } from './mysql-names.ts';
import { values } from './mysql-values.ts';
import { constraintSql, nameOf, written } from './rewriting.ts';
import { afterParentheses, isPeriod, isSign, isWord, splitAtCommas } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

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

/** `[UNIQUE|FULLTEXT|SPATIAL] KEY name (…)`; null for anything else. */
export function indexOf(item: readonly SqlToken[], isPrimary: boolean): Index | null {
  const bare = withoutName(item);
  const isUnique = isWord(bare[0], 'UNIQUE');
  const isIndex = isUnique || isWord(bare[0], 'KEY', 'INDEX', 'FULLTEXT', 'SPATIAL') || isPrimary;
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

// CREATE INDEX of PostgreSQL, as SQLite writes it.
import { quoteName } from '../../sql/quote.ts';
import { expression } from './postgres-columns.ts';
import type { PostgresNames } from './postgres-names.ts';
import { nameOf } from './rewriting.ts';
import { afterParentheses, isSign, isWord, splitAtCommas } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

export interface Index {
  readonly table: string;
  /** As a word, in lower case. */
  readonly method: string;
  readonly sql: string;
}

/** @param from of what follows INDEX */
export function indexOf(tokens: readonly SqlToken[], from: number, tableName: PostgresNames['tableName']): Index {
  const on = tokens.findIndex((token) => isWord(token, 'ON'));
  const skipped = isWord(tokens[from], 'CONCURRENTLY') ? from + 1 : from;
  const index = nameOf(tokens[isWord(tokens[skipped], 'IF') ? skipped + 3 : skipped]);
  const [table, after] = tableName(tokens, isWord(tokens[on + 1], 'ONLY') ? on + 2 : on + 1);
  const isUsing = isWord(tokens[after], 'USING');
  const open = isUsing ? after + 2 : after;
  const close = afterParentheses(tokens, open);
  const columns = splitAtCommas(tokens.slice(open + 1, close - 1)).map(indexedColumn);
  const where = tokens.findIndex((token, at) => at >= close && isWord(token, 'WHERE'));
  const unique = tokens.slice(0, on).some((token) => isWord(token, 'UNIQUE')) ? 'UNIQUE ' : '';
  return {
    table,
    method: isUsing ? nameOf(tokens[after + 1]).toLowerCase() : 'btree',
    sql: `CREATE ${unique}INDEX ${quoteName(index)} ON ${quoteName(table)} (${columns.join(', ')})${where < 0 ? '' : ` ${expression(tokens.slice(where))}`}`,
  };
}

/**
 * A name, a call, or an expression in parentheses, and DESC. How texts are ordered (COLLATE, classes of operators) and where NULL stands
 * changes no value, and equal texts are equal in both.
 */
function indexedColumn(tokens: readonly SqlToken[]): string {
  const name = isSign(tokens[1], '.') ? 2 : 0;
  const open = isSign(tokens[name], '(') ? name : name + 1;
  const end = isSign(tokens[open], '(') ? afterParentheses(tokens, open) : open;
  return expression(tokens.slice(0, end)) + (tokens.slice(end).some((token) => isWord(token, 'DESC')) ? ' DESC' : '');
}

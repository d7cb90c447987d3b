// What a server says that its objects are made of is a text by somebody else.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { readStatement } from '../../native/statements/statement-shape.ts';

/** Each CREATE takes SQLite longer than the one before it: 5,000 tables take 0.8 s, and 16,000 take 20 s. */
const MOST_OBJECTS = 5000;
/** In tables with 2,000 columns they take 2.6 s. */
const MOST_CHARS = 8 << 20;

/** As many of the rows of a schema, from the first on, as SQLite can be made to run the definitions of while somebody waits. */
export function runnable<T extends { readonly sql: string | null }>(rows: readonly T[]): readonly T[] {
  let [objects, chars] = [0, 0];
  const end = rows.findIndex(({ sql }) => {
    if (sql === null) return false;
    chars += sql.length;
    return ++objects > MOST_OBJECTS || chars > MOST_CHARS;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

/** Whether the text defines this object, and does nothing else, such as filling a table from an endless query. */
export function definesOnly(sql: string, type: string, name: string): boolean {
  const shape = readStatement(sql);
  if (shape === null || shape.verb !== 'create' || shape.object !== type || shape.target === null) return false;
  if (shape.temporary || shape.target.schema !== null || shape.target.name.toLowerCase() !== name.toLowerCase())
    return false;
  if (shape.to !== sql.length && readStatement(sql, shape.to) !== null) return false;
  return type !== 'table' || !isFromQuery(sql);
}

/** `CREATE TABLE name AS SELECT …`: after the name, where an ordinary definition has its parenthesis. */
function isFromQuery(sql: string): boolean {
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    if (scanner.text === '(') return false;
    if (scanner.kind === Token.word && /^(?:AS|USING)$/i.test(scanner.text)) return /^AS$/i.test(scanner.text);
  }
  return false;
}

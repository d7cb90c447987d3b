// What a server says that its objects are made of is a text by somebody else.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { readStatement } from '../../native/statements/statement-shape.ts';

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

// SQL that an assistant proposes: only statements whose whole effect is in the transaction of a dry run, so that what a person discards leaves
// nothing behind, in the connection either.
import { AppError } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { leadingKeyword, splitStatements } from '#shared/split-statements.ts';

const PROPOSABLE: ReadonlySet<string> = new Set(
  'SELECT WITH VALUES INSERT REPLACE UPDATE DELETE CREATE DROP ALTER'.split(' '),
);
const DEFINES: ReadonlySet<string> = new Set(['CREATE', 'DROP', 'ALTER']);
/** The name comes no later than in `CREATE UNIQUE INDEX IF NOT EXISTS temp.name`. */
const MOST_LEADING = 8;

/** @throws AppError `invalid` */
export function assertProposable(sql: string): void {
  for (const { from } of splitStatements(sql)) {
    const word = leadingKeyword(sql, from);
    if (!PROPOSABLE.has(word))
      throw refused(`${word === '' ? 'Such a statement' : word} cannot be proposed: only statements that change rows or definitions can`); // prettier-ignore
    if (DEFINES.has(word) && definesTemporary(sql, from))
      throw refused('Temporary tables, views, and triggers cannot be proposed: they would stay in the connection');
  }
}

const refused = (why: string): AppError => AppError.invalid(`${why}. Nothing was changed.`);

/** `CREATE TEMP …`, or a name in the schema `temp`. */
function definesTemporary(sql: string, from: number): boolean {
  const scanner = new SqlScanner(sql, from);
  let before = '';
  for (let at = 0; at < MOST_LEADING && scanner.next() !== Token.end; at++) {
    if (at === 1 && ['temp', 'temporary'].includes(scanner.text.toLowerCase())) return true;
    if (scanner.text === '.' && before === 'temp') return true;
    before = scanner.name.toLowerCase();
  }
  return false;
}

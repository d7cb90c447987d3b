// A comparison may run anything that a rollback undoes.
import { AppError } from '#shared/protocol/errors.ts';
import type { Statement } from '../engines/engine.ts';
import { leadingWords, splitStatements } from '#shared/split-statements.ts';
import { setsSomething } from '../sql/statement-kinds.ts';

/** Statements to skip: all of the text is one transaction already. */
const PASSED_OVER: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'END']);
const REFUSED: ReadonlySet<string> = new Set(['ROLLBACK', 'ATTACH', 'DETACH', 'VACUUM']);
const READING: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'WITH', 'EXPLAIN', 'PRAGMA']);
const CHANGING_WORD = /\b(?:insert|update|delete|replace)\b/i;

/** Whether a statement is left out: the transaction is ours. @throws AppError `invalid` for what {@link assertComparable} should have refused */
export function isPassedOver({ control }: Pick<Statement, 'control'>): boolean {
  if (control === 'attach' || control === 'vacuum') throw refused('A statement like this');
  return control === 'transaction';
}

/** Returns whether it may write. @throws AppError `invalid` */
export function assertComparable(sql: string): boolean {
  let writes = false;
  for (const { from, to } of splitStatements(sql)) {
    const words = leadingWords(sql, from, 6);
    const [first = '', second] = words;
    // ROLLBACK TO a savepoint stays inside.
    if (REFUSED.has(first) && !(first === 'ROLLBACK' && words.includes('TO'))) throw refused(first);
    if (setsSomething(words)) throw refused('A PRAGMA that sets something');
    if (PASSED_OVER.has(first)) continue;
    const isExplained = first === 'EXPLAIN' && second !== undefined;
    if (!READING.has(first) || (first === 'WITH' && CHANGING_WORD.test(sql.slice(from, to)))) writes ||= !isExplained;
  }
  return writes;
}

function refused(what: string): AppError {
  return AppError.invalid(
    `${what} cannot be compared: its effect would outlast the transaction that is rolled back afterward. Remove it. Nothing was run.`,
  );
}

// Statements of a script have no values for parameters: SQLite would take them for NULL without a word (sqlite.org/c3ref/bind_blob.html).
import { AppError } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

/**
 * The refusal of a statement whose text has parameters.
 *
 * @param sql the text of the statement
 * @param from where it begins in the script, in UTF-16 units: what the error's offset counts in
 */
export function openParameter(sql: string, from: number): AppError {
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.variable && scanner.kind !== Token.end);
  return new AppError({
    code: 'invalid',
    message: `This statement has the parameter “${scanner.text}”, and there is no value for it. Write the value in its place.`,
    sqlite: { result: 1, extended: 1, offset: from + scanner.from },
  });
}

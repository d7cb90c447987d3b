// The errors of both engines for text that cannot be prepared at all, in the form of SQLite's own errors.
import { AppError } from '#shared/protocol/errors.ts';

/** A C string ends at a NUL, so the text after it would silently not run. */
export const nulCharacterError = (offset: number): AppError =>
  textError('There is a NUL character here. SQL text cannot contain one; use char(0) for it.', offset);

export const noStatementError = (offset: number): AppError => textError('There is no statement here.', offset);

export const secondStatementError = (offset: number): AppError =>
  textError('Only one statement is allowed here.', offset);

function textError(message: string, offset: number): AppError {
  return AppError.sql(message, { sqlite: { result: 1, extended: 1, offset } });
}

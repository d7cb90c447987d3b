// What both engines say of a text that is not SQL they can prepare, in the form of an error of SQLite's own.
import { AppError } from '#shared/protocol/errors.ts';

/** C text ends at a NUL: what stands behind it would silently not be run. */
export const nulCharacterError = (offset: number): AppError =>
  textError('There is a NUL character here. SQL text cannot contain one; use char(0) for it.', offset);

export const noStatementError = (offset: number): AppError => textError('There is no statement here.', offset);

export const secondStatementError = (offset: number): AppError =>
  textError('Only one statement is allowed here.', offset);

function textError(message: string, offset: number): AppError {
  return new AppError({ code: 'sql', message, sqlite: { result: 1, extended: 1, offset } });
}

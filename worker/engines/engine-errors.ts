// Errors that are the same in every engine, those of SQL text in the form of SQLite's own errors; and the values of a script's parameters,
// without which it is one.
import { AppError } from '#shared/protocol/errors.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Value } from '#shared/protocol/values.ts';
import { parametersOf, type SqlParameter } from '#shared/sql-parameters.ts';

/** A C string ends at a NUL, so the text after it would silently not run. */
export const nulCharacterError = (offset: number): AppError =>
  textError('There is a NUL character here. SQL text cannot contain one; use char(0) for it.', offset);

export const noStatementError = (offset: number): AppError => textError('There is no statement here.', offset);

export const secondStatementError = (offset: number): AppError =>
  textError('Only one statement is allowed here.', offset);

function textError(message: string, offset: number): AppError {
  return AppError.sql(message, { sqlite: { result: 1, extended: 1, offset } });
}

export function closedError(): AppError {
  return AppError.disconnected('The database was closed. Open it again.');
}

export function stillReading(): AppError {
  return AppError.unavailable('Something is still reading this database. Try again in a moment.');
}

// Values by name for the parameters of a script's statements. A parameter without a value is refused, because SQLite would silently treat
// it as NULL (sqlite.org/c3ref/bind_blob.html).

/**
 * Values in the order in which they are bound.
 *
 * @param sql the text of one statement
 * @param from where it begins in the script, in UTF-16 units: what an error's offset counts in
 * @throws AppError `invalid` for a parameter without a value
 */
export function parameterValues(sql: string, from: number, values: ParameterValues): readonly Value[] {
  const ordered: Value[] = [];
  for (const parameter of parametersOf(sql)) {
    const { number, name } = parameter;
    if (!Object.hasOwn(values, name)) throw withoutValue(parameter, from);
    // The statement does not use the numbers that are skipped.
    while (ordered.length < number) ordered.push(null);
    ordered[number - 1] = values[name]!;
  }
  return ordered;
}

function withoutValue({ name, from: at }: SqlParameter, from: number): AppError {
  return AppError.invalid(
    `The parameter “${name}” of this statement has no value. Enter a value for it, or write the value in its place.`,
    { sqlite: { result: 1, extended: 1, offset: from + at } },
  );
}

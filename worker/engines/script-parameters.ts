// Values by name for the parameters of a script's statements. A parameter without a value is refused, because SQLite would silently treat
// it as NULL (sqlite.org/c3ref/bind_blob.html).
import { AppError } from '#shared/protocol/errors.ts';
import type { ParameterValues } from '#shared/protocol/query.ts';
import type { Value } from '#shared/protocol/values.ts';
import { parametersOf } from '#shared/sql-parameters.ts';
import type { SqlParameter } from '#shared/sql-parameters.ts';

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

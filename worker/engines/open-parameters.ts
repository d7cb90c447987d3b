// Statements of a script have no values for parameters: SQLite would take them for NULL without a word (sqlite.org/c3ref/bind_blob.html).
import { AppError } from '#shared/protocol/errors.ts';

/** Strings, quoted names and comments hold no parameters; a word may hold a dollar sign. */
const PASSED_OVER =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\/|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y;
const PARAMETER = /\?\d*|[:@#$][\w$\u0080-\uffff]+/y;

/**
 * The refusal of a statement whose text has parameters.
 *
 * @param sql the text of the statement
 * @param from where it begins in the script, in UTF-16 units: what the error's offset counts in
 */
export function openParameter(sql: string, from: number): AppError {
  const { name, at } = firstParameter(sql);
  return new AppError({
    code: 'invalid',
    message: `This statement has the parameter “${name}”, and there is no value for it. Write the value in its place.`,
    sqlite: { result: 1, extended: 1, offset: from + at },
  });
}

function firstParameter(sql: string): { readonly name: string; readonly at: number } {
  for (let at = 0; at < sql.length;) {
    PASSED_OVER.lastIndex = at;
    PARAMETER.lastIndex = at;
    if (PASSED_OVER.test(sql)) at = PASSED_OVER.lastIndex;
    else {
      const [name] = PARAMETER.exec(sql) ?? [];
      if (name !== undefined) return { name, at };
      at++;
    }
  }
  return { name: '?', at: 0 };
}

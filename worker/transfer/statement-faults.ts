// Which errors are the fault of one statement of a file.
import { AppError, toAppError, whatHappened } from '#shared/protocol/errors.ts';

/** The fault of one statement, after which the others continue. */
const OF_THE_STATEMENT: ReadonlySet<string> = new Set([
  'sql',
  'constraint',
  'invalid',
  'unavailable',
  'too-big',
  'exists',
]);

/** SQLITE_CORRUPT_VTAB: what a virtual table keeps its content in does not fit, as when its rows come before that. */
const CORRUPT_VIRTUAL_TABLE = 267;

/** @throws anything that is not the fault of the statement */
export function ofStatement(thrown: unknown): AppError {
  const error = toAppError(thrown);
  if (error.sqlite?.extended === CORRUPT_VIRTUAL_TABLE)
    return new AppError({
      code: 'invalid',
      message: 'The tables in which this virtual table keeps its content do not fit it.',
    });
  if (OF_THE_STATEMENT.has(error.code)) return error;
  throw thrown;
}

export function tookEverythingBack(line: number, cause: AppError): AppError {
  return new AppError({
    code: 'invalid',
    message: `The statement on line ${line} failed and rolled back everything since the last COMMIT (${whatHappened(cause)}). Nothing was imported.`,
  });
}

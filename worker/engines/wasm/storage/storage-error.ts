// Explains failures below SQLite: storage full, no free file slot, or the file system said no.
import { AppError } from '#shared/protocol/errors.ts';
import { isFailedWrite, isPoolFull } from '../runtime/message-facts.ts';
import type { Sqlite } from '../runtime/load.ts';

/** Makes the error for a failure with result code `extended` of the file layer, told apart by the exception behind it. */
export function storageError(sqlite: Sqlite, extended: number, kept = 'Nothing was changed.'): AppError {
  const failure = sqlite.storageFailure.take();
  const details = { result: extended & 0xff, extended, offset: -1 };
  if (failure && (failure.name === 'QuotaExceededError' || isFailedWrite(failure))) {
    return AppError.full(
      `The disk, or the space this app may use on it, is full. ${kept} Free some space and try again.`,
      { sqlite: details },
    );
  }
  if (failure && isPoolFull(failure)) {
    return AppError.full('All file handles of the library are in use. Close a database and try again.', {
      sqlite: details,
    });
  }
  const reason = failure === null ? `code ${extended}` : failure.message;
  return AppError.io(`The file system reported an error (${reason}). Committed data is kept.`, { sqlite: details });
}

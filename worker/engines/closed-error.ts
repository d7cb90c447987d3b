// The error of every call to a closed connection.
import { AppError } from '#shared/protocol/errors.ts';

export function closedError(): AppError {
  return new AppError({ code: 'disconnected', message: 'The database was closed. Open it again.' });
}

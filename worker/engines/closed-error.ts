// The error of every call to a closed connection.
import { AppError } from '#shared/protocol/errors.ts';

export function closedError(): AppError {
  return AppError.disconnected('The database was closed. Open it again.');
}
